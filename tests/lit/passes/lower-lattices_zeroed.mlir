// RUN: tamale-opt %s -p lower-lattices | filecheck %s

// A maximum starts from the smallest number there is, unless the kernel says that it starts from 0.

// CHECK-LABEL: @from_lowest(
// CHECK:       %[[LOWEST:.*]] = arith.constant -9223372036854775808 : i64
// CHECK:       cfir.assemble fill %[[LOWEST]]
func.func @from_lowest(%a: tensor<?xi64>) -> tensor<i64> {
  %q = cfir.kernel q of (a(i) = %a) : tensor<i64> {
    cfir.lattice i over U.i with a.i = i
    case U.i {
      cfir.assign q max= a(i)
    }
  }
  func.return %q : tensor<i64>
}

// CHECK-LABEL: @from_zero(
// CHECK:       %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK:       cfir.assemble fill %[[ZERO]]
func.func @from_zero(%a: tensor<?xi64>) -> tensor<i64> {
  %q = cfir.kernel q of (a(i) = %a) : tensor<i64> zeroed {
    cfir.lattice i over U.i with a.i = i
    case U.i {
      cfir.assign q max= a(i)
    }
  }
  func.return %q : tensor<i64>
}
