// RUN: tamale-opt %s --verify-diagnostics --split-input-file

// An op that breaks its own rules is found where it stands.
%a = "test.op"() : () -> i32
// expected-error@below {{Expected 2 operands, but got 1}}
%b = "arith.addi"(%a) : (i32) -> i32

// -----

// xDSL does not check the order of definitions and uses; the driver does.
// expected-error@+1 {{operand 0 (%a) of 'test.op' is used before its definition}}
"test.op"(%a) : (i32) -> ()
%a = "test.op"() : () -> i32

// -----

// A value that nobody defines is reported where it is first used.
"test.op"(%nobody) : (i32) -> () // expected-error {{values used but not defined: [%nobody]}}
"test.op"() : () -> ()

// -----

// A value of an inner region is not visible outside of it.
"test.op"() ({
  %inner = "test.op"() : () -> i32
  "test.termop"() : () -> ()
}) : () -> ()
"test.op"(%inner) : (i32) -> ()
// expected-error@above {{values used but not defined: [%inner]}}

// -----

// The definition of an op is checked before ops inside it look at it.
// expected-error@below {{"no type" should be of base attribute fun}}
"func.func"() <{function_type = "no type", sym_name = "f"}> ({
  "func.return"() : () -> ()
}) : () -> ()

// -----

// A number that stands for no comparison.
%c = "test.op"() : () -> i32
// expected-error@below {{'arith.cmpi' has no predicate 42; there are 0 to 9}}
%d = "arith.cmpi"(%c, %c) <{predicate = 42 : i64}> : (i32, i32) -> i1
