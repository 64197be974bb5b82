// RUN: tamale-opt %s -p insert-conversions --split-input-file | filecheck %s
// RUN: tamale-opt %s -p insert-conversions{forbid=true} --split-input-file --verify-diagnostics | filecheck %s --check-prefix=FORBID

#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>
#csc = #format.spec<(i, j) -> (j : dense, i : compressed)>

// Both are compressed, in opposite orders: one has to be turned.
// CHECK-LABEL: @opposite
// CHECK-NEXT:  %B_csr = tin.convert %B : {{.*}}(j : dense, i : compressed)>> -> {{.*}}(i : dense, j : compressed)>>
// CHECK:       tin.access %A[
// CHECK:       tin.access %B_csr[
// FORBID:      concretize: no loop order fits every operand of  Z(i,j) = A(i,j) * B(i,j)
// FORBID:      help: store one of the tensors in the other order, or drop --no-conversions: B would be converted to csr
func.func @opposite(%A: tensor<?x?xf64, #csr>, %B: tensor<?x?xf64, #csc>) -> tensor<?x?xf64, #csr> {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : tensor<?x?xf64, #csr> -> f64
    %b = tin.access %B[%i, %j] : tensor<?x?xf64, #csc> -> f64
    %p = tin.mul %a, %b : f64
    tin.yield %p : f64
  } : tensor<?x?xf64, #csr>
  func.return %Z : tensor<?x?xf64, #csr>
}
