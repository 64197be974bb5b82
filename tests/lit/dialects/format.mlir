// RUN: tamale-opt %s | tamale-opt | filecheck %s
// RUN: tamale-opt %s --print-op-generic | tamale-opt --print-op-generic | filecheck %s

#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>

// An alias stands for its format; defaults are not printed.
// CHECK-LABEL: "alias"
// CHECK-SAME:  t = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
// CHECK-SAME:  u = #format.spec<(i, j) -> (i : dense, j : compressed)>}
"test.op"() {name = "alias", t = tensor<?x?xf64, #csr>,
  u = #format.spec<(i, j) -> (i : dense, j : compressed(unique, ordered)), pos = i32>} : () -> ()

// What differs from the defaults is printed in the order of the kind.
// CHECK-LABEL: "options"
// CHECK-SAME:  <(i, j) -> (i : compressed(nonunique, nonordered), j : singleton), pos = i64>
"test.op"() {name = "options",
  t = #format.spec<(i, j) -> (i : compressed(nonordered, nonunique), j : singleton), pos = i64>
} : () -> ()

// Operators that MLIR's lexer does not have, MLIR's words, comments and line breaks.
// CHECK-LABEL: "expressions"
// CHECK-SAME:  <(i, j) -> (i / 4 : dense, j >> 2 : dense, i & 3 : dense, j % 4 : dense)>
"test.op"() {name = "expressions", t = tensor<?x?xf64, #format.spec<(i, j) -> (  // 4 x 4 >
    i floordiv 4 : dense, j >> 2 : dense,
    (i & 3) : dense, j mod 4 : dense)>>} : () -> ()

// Counters and let variables.
// CHECK-LABEL: "counters"
// CHECK-SAME:  <(i, j) -> (k = #i in k : dense, # : dense, i : dense, j : singleton)>
"test.op"() {name = "counters",
  t = #format.spec<(i, j) -> (k=#i in k : dense, # : dense, i : dense, j : singleton)>} : () -> ()

// A scalar has no levels; the opaque spelling of attributes is the same attribute.
// CHECK-LABEL: "scalar"
// CHECK-SAME:  t = tensor<f64, #format.spec<() -> ()>>, u = #format.spec<() -> ()>}
"test.op"() {name = "scalar", t = tensor<f64, #format.spec<() -> ()>>,
  u = #format<spec<() -> ()>>} : () -> ()

// How large tensors are: sizes, and perhaps positions of levels, as far as they are known.
// CHECK-LABEL: "statistics"
// CHECK-SAME:  s = #format.statistics<sizes [4, ?], stored [4, 16]>, t = #format.statistics<sizes []>}
"test.op"() {name = "statistics", s = #format.statistics< sizes[4, ?],stored [ 4,16 ] >,
  t = #format.statistics<sizes []>} : () -> ()
