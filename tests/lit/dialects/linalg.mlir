// RUN: ROUNDTRIP

// A trait may be written out or be an alias; results may be tensors or none.
#map = affine_map<(i) -> (i)>
#trait = { indexing_maps = [#map, #map], iterator_types = ["parallel"], doc = "y(i) = x(i)" }

// CHECK-LABEL: @alias
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"], doc = "y(i) = x(i)"} ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) attrs = {fast} {
func.func @alias(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.generic #trait ins(%x : tensor<?xf64>) outs(%y : tensor<?xf64>) attrs = {fast} {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<?xf64>
  func.return %0 : tensor<?xf64>
}

// CHECK-LABEL: @memrefs
// CHECK: linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%y : memref<f64>) {
func.func @memrefs(%y: memref<f64>) {
  linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%y : memref<f64>) {
  ^bb0(%a: f64):
    linalg.yield %a : f64
  }
  func.return
}
