// RUN: tamale-opt %s -p import-linalg --verify-diagnostics --split-input-file | filecheck %s

#two = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"] }
func.func @two_results(%x: tensor<?xf64>) -> tensor<?xf64> {
  // CHECK: import-linalg: an op with one tensor as its result is needed
  // CHECK-NEXT: help: split it into several
  %y, %z = linalg.generic #two outs(%x, %x : tensor<?xf64>, tensor<?xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a, %b : f64, f64
  } -> (tensor<?xf64>, tensor<?xf64>)
  func.return %y : tensor<?xf64>
}

// -----

#diagonal = { indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "parallel"] }
func.func @unused_loop(%A: tensor<?x?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  // CHECK: import-linalg: the result has to be indexed once by each parallel loop, and by nothing else
  %z = linalg.generic #diagonal ins(%A : tensor<?x?xf64>) outs(%y : tensor<?xf64>) {
  ^bb0(%a: f64, %out: f64):
    linalg.yield %a : f64
  } -> tensor<?xf64>
  func.return %z : tensor<?xf64>
}

// -----

#window = { indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"] }
func.func @convolution(%a: tensor<?xf64>, %b: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  // CHECK: import-linalg: operand 1 is indexed by '(d0 + d1)'
  %z = linalg.generic #window ins(%a, %b : tensor<?xf64>, tensor<?xf64>) outs(%y : tensor<?xf64>) {
  ^bb0(%x: f64, %w: f64, %out: f64):
    %p = arith.mulf %x, %w : f64
    %s = arith.addf %out, %p : f64
    linalg.yield %s : f64
  } -> tensor<?xf64>
  func.return %z : tensor<?xf64>
}

// -----

#each = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"] }
func.func @no_operator(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %z = linalg.generic #each ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) {
  ^bb0(%a: f64, %out: f64):
    // CHECK: import-linalg: 'math.sin' has no meaning in index notation
    // CHECK-NEXT: help: bodies consist of arith.addf, arith.addi
    %s = math.sin %a : f64
    linalg.yield %s : f64
  } -> tensor<?xf64>
  func.return %z : tensor<?xf64>
}

// -----

#each = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"] }
func.func @outside(%x: tensor<?xf64>, %y: tensor<?xf64>, %s: f64) -> tensor<?xf64> {
  // CHECK: import-linalg: the body uses a value from outside
  %z = linalg.generic #each ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) {
  ^bb0(%a: f64, %out: f64):
    %p = arith.mulf %a, %s : f64
    linalg.yield %p : f64
  } -> tensor<?xf64>
  func.return %z : tensor<?xf64>
}

// -----

// A difference depends on the order in which it is reduced, a sum of twice the result is none.
#sum = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"] }
func.func @no_reduction(%x: tensor<?xf64>, %y: tensor<f64>) -> tensor<f64> {
  // CHECK: import-linalg: a body with a reduction has to combine its result so far with other values by one associative operator
  %z = linalg.generic #sum ins(%x : tensor<?xf64>) outs(%y : tensor<f64>) {
  ^bb0(%a: f64, %out: f64):
    %d = arith.subf %out, %a : f64
    linalg.yield %d : f64
  } -> tensor<f64>
  func.return %z : tensor<f64>
}

// -----

#sum = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"] }
func.func @horner(%x: tensor<?xf64>, %y: tensor<f64>) -> tensor<f64> {
  // CHECK: import-linalg: a body with a reduction has to combine its result so far
  %z = linalg.generic #sum ins(%x : tensor<?xf64>) outs(%y : tensor<f64>) {
  ^bb0(%a: f64, %out: f64):
    %p = arith.mulf %out, %a : f64
    %s = arith.addf %p, %a : f64
    linalg.yield %s : f64
  } -> tensor<f64>
  func.return %z : tensor<f64>
}

// -----

#count = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"] }
func.func @counts(%x: tensor<?xf64>, %y: tensor<f64>) -> tensor<f64> {
  // CHECK: import-linalg: the loop of 'i' reduces what does not depend on it
  %z = linalg.generic #count ins(%x : tensor<?xf64>) outs(%y : tensor<f64>) {
  ^bb0(%a: f64, %out: f64):
    %one = arith.constant 1.0 : f64
    %s = arith.addf %out, %one : f64
    linalg.yield %s : f64
  } -> tensor<f64>
  func.return %z : tensor<f64>
}

// -----

#sum = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"] }
func.func @undefined(%x: tensor<?xf64>) -> tensor<f64> {
  %empty = tensor.empty() : tensor<f64>
  // CHECK: import-linalg: the body reads its result so far, which 'tensor.empty' leaves undefined
  %z = linalg.generic #sum ins(%x : tensor<?xf64>) outs(%empty : tensor<f64>) {
  ^bb0(%a: f64, %out: f64):
    %s = arith.addf %out, %a : f64
    linalg.yield %s : f64
  } -> tensor<f64>
  func.return %z : tensor<f64>
}

// -----

func.func @named(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  // CHECK: import-linalg: 'linalg.add' is no kernel
  // CHECK-NEXT: help: mlir-opt --linalg-generalize-named-ops makes linalg.generic of others
  %z = linalg.add ins(%x, %y : tensor<?xf64>, tensor<?xf64>) outs(%y : tensor<?xf64>) -> tensor<?xf64>
  func.return %z : tensor<?xf64>
}

// -----

#loose = #sparse_tensor.encoding<{ map = (d0) -> (d0 : loose_compressed) }>
// CHECK: import-linalg: sparse_tensor: no level kind stores 'd0 : loose_compressed'
func.func @no_kind(%x: tensor<?xf64, #loose>) -> tensor<?xf64, #loose> {
  func.return %x : tensor<?xf64, #loose>
}
