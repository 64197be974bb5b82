// RUN: not tamale-opt %s -p cze 2>&1 | filecheck %s --check-prefix=MISSPELT
// RUN: not tamale-opt %s -p 'compute{n=1}' 2>&1 | filecheck %s --check-prefix=OPTIONS
// RUN: not tamale-opt %s -p 'cse{n=1}' 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: not tamale-opt %s -p 'cse{' 2>&1 | filecheck %s --check-prefix=SYNTAX
// RUN: not tamale-opt %s -t 'mlir{n=1}' 2>&1 | filecheck %s --check-prefix=TARGET
// RUN: not tamale-opt %s.nowhere 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: not tamale-opt %s --print-ir-after=nothing 2>&1 | filecheck %s --check-prefix=DUMP
// RUN: not tamale-opt %s --run-reproducer 2>&1 | filecheck %s --check-prefix=REPRODUCER

// MISSPELT:      tamale-opt: error: unknown pass 'cze'
// MISSPELT-NEXT:   help: did you mean 'dce' or 'cse'?
// OPTIONS: tamale-opt: error: the pipeline 'compute' takes no options
// OPTION: tamale-opt: error: pass 'cse': Provided arguments ["n"] not found
// SYNTAX: tamale-opt: error: cannot read the pipeline 'cse{'
// TARGET: tamale-opt: error: target 'mlir': Provided arguments ["n"] not found
// MISSING: tamale-opt: error: cannot open '{{.*}}.nowhere': No such file or directory
// DUMP: tamale-opt: error: unknown pass 'nothing'
// REPRODUCER: the first line is not '// configuration: -p ...'
