// RUN: ROUNDTRIP

// MLIR's encodings, with every level type and property; dimensions are called as MLIR prints them.

// CHECK: @csr(tensor<?x?xf64, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>>)
#csr = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
func.func private @csr(tensor<?x?xf64, #csr>)

// CHECK: @widths(tensor<?x?xf64, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed(nonunique, nonordered)), posWidth = 32, crdWidth = 64 }>>)
#widths = #sparse_tensor.encoding<{ crdWidth = 64, posWidth = 32, map = (d0, d1) -> (d0 : dense, d1 : compressed(nonordered, nonunique)) }>
func.func private @widths(tensor<?x?xf64, #widths>)

// CHECK: @coo(tensor<?x?x?xf64, #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d0 : compressed(nonunique), d1 : singleton(nonunique, soa), d2 : singleton(soa)) }>>)
#coo = #sparse_tensor.encoding<{
  map = (d0, d1, d2) -> (d0 : compressed(nonunique), d1 : singleton(nonunique, soa), d2 : singleton(soa))
}>
func.func private @coo(tensor<?x?x?xf64, #coo>)

// CHECK: (d0 floordiv 2 : dense, d1 floordiv 3 : compressed, d0 mod 2 : dense, d1 mod 3 : dense)
#bcsr = #sparse_tensor.encoding<{
  map = (i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense)
}>
func.func private @bcsr(tensor<?x?xf64, #bcsr>)

// Names of levels and the inverse of the map say nothing more.
// CHECK: @loose(tensor<?x?xf64, #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : batch, d0 : loose_compressed) }>>)
#loose = #sparse_tensor.encoding<{
  map = {l0, l1} (d0 = l1, d1 = l0) -> (l0 = d1 : batch, l1 = d0 : loose_compressed)
}>
func.func private @loose(tensor<?x?xf64, #loose>)

// CHECK: d0 mod 4 : structured[2, 4]
#two_of_four = #sparse_tensor.encoding<{ map = (d0) -> (d0 floordiv 4 : dense, d0 mod 4 : structured[2, 4]) }>
func.func private @structured(tensor<?xf64, #two_of_four>)

// CHECK: (d0 * 2 + (d1 - 1) floordiv 3 : dense)
#affine = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 * 2 + (d1 - 1) floordiv 3 : dense) }>
func.func private @affine(tensor<?x?xf64, #affine>)

// CHECK-LABEL: @convert
// CHECK: sparse_tensor.convert %A : tensor<?x?xf64, #sparse_tensor.encoding<{{.*}}>> to tensor<?x?xf64>
func.func @convert(%A: tensor<?x?xf64, #csr>) -> tensor<?x?xf64> {
  %B = sparse_tensor.convert %A : tensor<?x?xf64, #csr> to tensor<?x?xf64>
  func.return %B : tensor<?x?xf64>
}

// An encoding is as good as the format that says the same.
// CHECK-LABEL: @kernel
// CHECK: tin.access %A[%i, %j] : tensor<?x?xf64, #sparse_tensor.encoding<
func.func @kernel(%A: tensor<?x?xf64, #csr>) -> tensor<?xf64> {
  %y = tin.kernel %i {
    %s = tin.sum %j {
      %a = tin.access %A[%i, %j] : tensor<?x?xf64, #csr> -> f64
      tin.yield %a : f64
    } : f64
    tin.yield %s : f64
  } : tensor<?xf64>
  func.return %y : tensor<?xf64>
}
