// RUN: tamale-opt %s -p concretize --verify-diagnostics --split-input-file | filecheck %s

// Storage forces opposite orders: every tensor, its order and format, then the cycle.
// CHECK:      concretize_invalid.mlir:[[# @LINE + 9]]:3: error: concretize: no loop order fits
// CHECK-SAME:   every operand of  Z(i,j) = A(i,j) + B(i,j)
// CHECK-NEXT:   Z is stored i before j: (i, j) -> (i : dense, j : compressed)
// CHECK-NEXT:   A is stored i before j: (i, j) -> (i : dense, j : compressed)
// CHECK-NEXT:   B is stored j before i: (i, j) -> (j : dense, i : compressed)
// CHECK-NEXT:   cycle: i -> j (Z), j -> i (B)
// CHECK-NEXT:   help: store one of the tensors in the other order
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @discordant(%A: !csr, %B: tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    %b = tin.access %B[%i, %j] : tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>> -> f64
    %s = tin.add %a, %b : f64
    tin.yield %s : f64
  } : !csr
  func.return
}

// -----

// A sum that storage puts outside of the result's loop; a result that appends cannot be added to later.
// CHECK:      concretize: no loop order fits every operand of  y(i) = b(i) + sum(j, A(i,j))
// CHECK-NEXT:   A is stored j before i: (i, j) -> (j : dense, i : compressed)
// CHECK-NEXT:   cycle: i -> j (sum), j -> i (A)
!csc = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @sum_outside(%A: !csc, %b: !sv) {
  %y = tin.kernel %i {
    %v = tin.access %b[%i] : !sv -> f64
    %s = tin.sum %j {
      %a = tin.access %A[%i, %j] : !csc -> f64
      tin.yield %a : f64
    } : f64
    %e = tin.add %v, %s : f64
    tin.yield %e : f64
  } : !sv
  func.return
}

// -----

// CHECK:      concretize: A(i,i) repeats the index variable 'i' in  z = sum(i, A(i,i))
// CHECK-NEXT:   help: extract the diagonal first
func.func @trace(%A: tensor<?x?xf64>) {
  %z = tin.kernel {
    %s = tin.sum %i {
      %a = tin.access %A[%i, %i] : tensor<?x?xf64> -> f64
      tin.yield %a : f64
    } : f64
    tin.yield %s : f64
  } : tensor<f64>
  func.return
}

// -----

// CHECK:      concretize: A is stored as (i, j) -> (j - i : compressed, i : dense), whose levels are not
// CHECK-SAME:   plain modes, in  Z(i,j) = A(i,j)
// CHECK-NEXT:   help: convert it to a format of plain modes first
!dia = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : compressed, i : dense)>>
func.func @diagonals(%A: !dia) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !dia -> f64
    tin.yield %a : f64
  } : tensor<?x?xf64>
  func.return
}

// -----

// CHECK: concretize_invalid.mlir:[[# @LINE + 4]]:5: error: concretize: a kernel may only yield expressions of tin, found 'arith.negf'
func.func @foreign_op(%A: tensor<?xf64>) {
  %z = tin.kernel %i {
    %a = tin.access %A[%i] : tensor<?xf64> -> f64
    %n = arith.negf %a : f64
    tin.yield %n : f64
  } : tensor<?xf64>
  func.return
}

// -----

// CHECK: concretize_invalid.mlir:[[# @LINE + 2]]:3: error: concretize: a kernel may only yield expressions of tin, found %v
func.func @foreign_value(%v: f64) {
  %z = tin.kernel {
    tin.yield %v : f64
  } : tensor<f64>
  func.return
}
