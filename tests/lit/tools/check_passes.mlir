// RUN: tamale-opt %s -p compute --check-passes -t cpp 2>&1 | filecheck %s

// What takes no tensors cannot be checked, and that is said.
// CHECK:     check-passes: not checked: @arrays does not take tensors and return one
func.func @arrays(%a: memref<?xf64>) {
  func.return
}

// This function is run before and after each pass, and no pass is blamed.
// CHECK-NOT: error
// CHECK:     int32_t add(
#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>
func.func @add(%A: tensor<?x?xf64, #csr>, %B: tensor<?x?xf64, #csr>) -> tensor<?x?xf64, #csr> {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : tensor<?x?xf64, #csr> -> f64
    %b = tin.access %B[%i, %j] : tensor<?x?xf64, #csr> -> f64
    %s = tin.add %a, %b : f64
    tin.yield %s : f64
  } : tensor<?x?xf64, #csr>
  func.return %Z : tensor<?x?xf64, #csr>
}
