// RUN: tamale-opt %s -p export-formats | filecheck %s
// RUN: tamale-opt %s -p export-formats,import-linalg | filecheck %s --check-prefix=BACK

// Formats with levels of MLIR's become its encodings, and come back as they were.

// CHECK: @csr(tensor<?x?xf64, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, crdWidth = 32 }>>)
// BACK: @csr(tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>)
func.func private @csr(tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>)

// CHECK: @dcsc(tensor<?x?xf64, #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : compressed, d0 : compressed), posWidth = 64, crdWidth = 32 }>>)
// BACK: @dcsc(tensor<?x?xf64, #format.spec<(i, j) -> (j : compressed, i : compressed), pos = i64>>)
func.func private @dcsc(tensor<?x?xf64, #format.spec<(r, c) -> (c : compressed, r : compressed), pos = i64>>)

// CHECK: (d0 : compressed(nonunique, nonordered), d1 : singleton(nonunique, nonordered, soa), d2 : singleton(nonordered, soa))
// BACK: (i : compressed(nonunique, nonordered), j : singleton(nonunique, nonordered), k : singleton(nonordered))
func.func private @ucoo(tensor<?x?x?xf32, #format.spec<(i, j, k) -> (i : compressed(nonunique, nonordered), j : singleton(nonunique, nonordered), k : singleton(nonordered))>>)

// A shift is a division.
// CHECK: (d0 floordiv 2 : dense, d1 floordiv 3 : compressed, d0 mod 2 : dense, d1 mod 3 : dense)
// BACK: (i / 2 : dense, j / 3 : compressed, i % 2 : dense, j % 3 : dense)
func.func private @bcsr(tensor<?x?xf64, #format.spec<(i, j) -> (i >> 1 : dense, j / 3 : compressed, i & 1 : dense, j % 3 : dense)>>)

// Near miss: a tensor without an encoding has none afterwards.
// CHECK: @dense(tensor<?xf64>)
func.func private @dense(tensor<?xf64>)

// Values change their types wherever they are.
// CHECK-LABEL: @kernel(%A: tensor<?x?xf64, #sparse_tensor.encoding
// CHECK:         tin.access %A[%i, %j] : tensor<?x?xf64, #sparse_tensor.encoding
// CHECK:       } : tensor<?x?xf64, #sparse_tensor.encoding
// CHECK:       func.return %Z : tensor<?x?xf64, #sparse_tensor.encoding
func.func @kernel(%A: tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>) -> tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>> {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>> -> f64
    %n = tin.neg %a : f64
    tin.yield %n : f64
  } : tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
  func.return %Z : tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
}
