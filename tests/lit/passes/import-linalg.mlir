// RUN: tamale-opt %s -p import-linalg | filecheck %s

#csr = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, crdWidth = 32 }>
#csc = #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : dense, d0 : compressed) }>
#coo = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton) }>
#bcsr = #sparse_tensor.encoding<{
  map = (i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed, i mod 2 : dense, j mod 3 : dense),
  posWidth = 32, crdWidth = 64
}>
#vector = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>

#matvec = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}
#matmul = {
  indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
  iterator_types = ["parallel", "parallel", "reduction"]
}
#all = { indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"] }
#both = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"] }
#transpose = { indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"] }

// What the result held before is a further operand.
// CHECK-LABEL: @accumulates(%A: tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64>
// CHECK-NEXT:  %z = tin.kernel %i {
// CHECK-NEXT:    %[[Y:.*]] = tin.access %y[%i]
// CHECK-NEXT:    %[[SUM:.*]] = tin.sum %j {
// CHECK-NEXT:      %[[A:.*]] = tin.access %A[%i, %j]
// CHECK-NEXT:      %[[X:.*]] = tin.access %x[%j]
// CHECK-NEXT:      %[[XS:.*]] = tin.broadcast %[[X]] over %i
// CHECK-NEXT:      %[[P:.*]] = tin.mul %[[A]], %[[XS]] : f64
// CHECK-NEXT:      tin.yield %[[P]]
// CHECK:         tin.add %[[Y]], %[[SUM]] : f64
// CHECK:       func.return %z : tensor<?xf64>
func.func @accumulates(%A: tensor<?x?xf64, #csr>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %z = linalg.generic #matvec ins(%A, %x : tensor<?x?xf64, #csr>, tensor<?xf64>) outs(%y : tensor<?xf64>) {
  ^bb0(%a: f64, %b: f64, %out: f64):
    %product = arith.mulf %a, %b : f64
    %sum = arith.addf %out, %product : f64
    linalg.yield %sum : f64
  } -> tensor<?xf64>
  func.return %z : tensor<?xf64>
}

// Zeros that are filled in are what a sum starts from; nothing is left of them.
// CHECK-LABEL: @from_zero
// CHECK-NOT:   linalg
// CHECK-NOT:   tensor.
// CHECK:       tin.kernel %i {
// CHECK-NEXT:    tin.sum %j {
// CHECK-NOT:   tin.add
// CHECK:       func.return
func.func @from_zero(%A: tensor<?x?xf64, #bcsr>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %A, %c0 : tensor<?x?xf64, #bcsr>
  %empty = tensor.empty(%n) : tensor<?xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %z = linalg.generic #matvec ins(%A, %x : tensor<?x?xf64, #bcsr>, tensor<?xf64>) outs(%zeros : tensor<?xf64>) {
  ^bb0(%a: f64, %b: f64, %out: f64):
    %product = arith.mulf %a, %b : f64
    %sum = arith.addf %product, %out : f64
    linalg.yield %sum : f64
  } -> tensor<?xf64>
  func.return %z : tensor<?xf64>
}

// Near miss: a sum that starts from something else keeps it.
// CHECK-LABEL: @from_one
// CHECK:       %[[ONE:.*]] = tin.literal 1.000000e+00 : f64
// CHECK:       tin.add %[[ONE]], %
func.func @from_one(%A: tensor<8x4xf64, #csc>) -> tensor<f64> {
  %ones = arith.constant dense<1.0> : tensor<f64>
  %z = linalg.generic #all ins(%A : tensor<8x4xf64, #csc>) outs(%ones : tensor<f64>) {
  ^bb0(%a: f64, %out: f64):
    %sum = arith.addf %out, %a : f64
    linalg.yield %sum : f64
  } -> tensor<f64>
  func.return %z : tensor<f64>
}

// Nested sums with the result inside are one sum of all the others; a conversion stays one. Where no
// widths are said, they are those of `index`.
// CHECK-LABEL: @nested
// CHECK:       %C = tin.convert %B : tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton), pos = i64, crd = i64>> -> tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
// CHECK:       tin.sum %k {
// CHECK:         %[[NEG:.*]] = tin.neg
// CHECK:         tin.add %{{.*}}, %{{.*}} : f64
// CHECK-NEXT:    tin.yield
// CHECK:       } : tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @nested(%A: tensor<?x?xf64, #csr>, %B: tensor<?x?xf64, #coo>) -> tensor<?x?xf64, #csr> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %A, %c0 : tensor<?x?xf64, #csr>
  %c1 = arith.constant 1 : index
  %n = tensor.dim %B, %c1 : tensor<?x?xf64, #coo>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf64, #csr>
  %C = sparse_tensor.convert %B : tensor<?x?xf64, #coo> to tensor<?x?xf64, #csr>
  %z = linalg.generic #matmul ins(%A, %C : tensor<?x?xf64, #csr>, tensor<?x?xf64, #csr>) outs(%empty : tensor<?x?xf64, #csr>) {
  ^bb0(%a: f64, %b: f64, %out: f64):
    %product = arith.mulf %a, %b : f64
    %first = arith.addf %out, %product : f64
    %negated = arith.negf %product : f64
    %sum = arith.addf %negated, %first : f64
    linalg.yield %sum : f64
  } -> tensor<?x?xf64, #csr>
  func.return %z : tensor<?x?xf64, #csr>
}

// Elements may be widened; a maximum starts from the lowest number.
// CHECK-LABEL: @largest(%A: tensor<?x?xf32
// CHECK:       tin.kernel {
// CHECK-NEXT:    tin.reduce "max" %i, %j {
// CHECK-NEXT:      tin.access %A[%i, %j] : {{.*}} -> f64
func.func @largest(%A: tensor<?x?xf32, #csr>) -> tensor<f64> {
  %number = arith.constant 0xFFF0000000000000 : f64
  %empty = tensor.empty() : tensor<f64>
  %lowest = linalg.fill ins(%number : f64) outs(%empty : tensor<f64>) -> tensor<f64>
  %z = linalg.generic #all ins(%A : tensor<?x?xf32, #csr>) outs(%lowest : tensor<f64>) {
  ^bb0(%a: f32, %out: f64):
    %wide = arith.extf %a : f32 to f64
    %max = arith.maximumf %wide, %out : f64
    linalg.yield %max : f64
  } -> tensor<f64>
  func.return %z : tensor<f64>
}

// Without a reduction, the body is the expression; what the result held is not read.
// CHECK-LABEL: @elementwise
// CHECK:       %[[TWO:.*]] = tin.literal 2 : i64
// CHECK:       %[[A:.*]] = tin.access %a[%i]
// CHECK:       %[[B:.*]] = tin.access %b[%i]
// CHECK:       %[[S:.*]] = tin.sub %[[A]], %[[B]]
// CHECK:       tin.mul %[[TWO]], %[[S]]
func.func @elementwise(%a: tensor<?xi64, #vector>, %b: tensor<?xi64, #vector>) -> tensor<?xi64, #vector> {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2 : i64
  %n = tensor.dim %a, %c0 : tensor<?xi64, #vector>
  %empty = tensor.empty(%n) : tensor<?xi64, #vector>
  %z = linalg.generic #both ins(%a, %b : tensor<?xi64, #vector>, tensor<?xi64, #vector>) outs(%empty : tensor<?xi64, #vector>) {
  ^bb0(%x: i64, %y: i64, %out: i64):
    %difference = arith.subi %x, %y : i64
    %double = arith.muli %two, %difference : i64
    linalg.yield %double : i64
  } -> tensor<?xi64, #vector>
  func.return %z : tensor<?xi64, #vector>
}

// CHECK-LABEL: @transposed
// CHECK:       tin.kernel %i, %j {
// CHECK-NEXT:    tin.access %A[%j, %i]
func.func @transposed(%A: tensor<?x?xf64, #csr>, %Z: tensor<?x?xf64, #csc>) -> tensor<?x?xf64, #csc> {
  %z = linalg.generic #transpose ins(%A : tensor<?x?xf64, #csr>) outs(%Z : tensor<?x?xf64, #csc>) {
  ^bb0(%a: f64, %out: f64):
    linalg.yield %a : f64
  } -> tensor<?x?xf64, #csc>
  func.return %z : tensor<?x?xf64, #csc>
}
