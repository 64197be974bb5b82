// RUN: tamale-opt %s --verify-diagnostics --split-input-file | filecheck %s
// RUN: not tamale-opt %s --split-input-file 2>&1 | filecheck %s --check-prefix=STDERR

// A file without announced errors shows them on stdout, for filecheck.
// CHECK: diagnostics_on_stdout.mlir:[[# @LINE + 3]]:1: error: Expected 2 operands, but got 1

%a = "test.op"() : () -> i32
%b = "arith.addi"(%a) : (i32) -> i32

// -----

// Every piece is read, whatever happened in the one before; the source line is shown on stderr.
// CHECK:      {{^// -----$}}
// CHECK:      builtin.module {
// CHECK-NEXT:   "test.op"() {name = "second"} : () -> ()
// STDERR:      error: Expected 2 operands, but got 1
// STDERR-NEXT: %b = "arith.addi"(%a) : (i32) -> i32
// STDERR-NEXT: ^
// STDERR: {name = "second"}
"test.op"() {name = "second"} : () -> ()
