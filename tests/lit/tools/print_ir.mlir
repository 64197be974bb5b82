// RUN: tamale-opt %s -p 'builtin.module(cse, dce)' --print-ir-before=dce --print-ir-after=cse 2>&1 | filecheck %s
// RUN: tamale-opt %s -p cse,dce,cse --print-ir-after-change 2>&1 | filecheck %s --check-prefix=CHANGE
// RUN: tamale-opt %s -p cse,dce --print-ir-after-all --timing 2>&1 | filecheck %s --check-prefix=ALL

// Each dump is headed by the command that continues from it.
// CHECK:      // after cse
// CHECK-NEXT: // tamale-opt -p 'dce'
// CHECK-NEXT: builtin.module {
// CHECK:      // before dce
// CHECK-NEXT: // tamale-opt -p 'dce'

// Only cse changes this module, and only the first time.
// CHANGE:      // after cse
// CHANGE-NEXT: // tamale-opt -p 'dce,cse'
// CHANGE-NOT:  // after

// ALL:      // after cse
// ALL:      // after dce
// ALL-NEXT: // tamale-opt -p ''
// ALL:      ms      %  what
// ALL:      parse
// ALL:      cse
// ALL:      dce
// ALL:      total
%a = "test.op"() : () -> i32
%b = arith.addi %a, %a : i32
%c = arith.addi %a, %a : i32
"test.op"(%b, %c) : (i32, i32) -> ()
