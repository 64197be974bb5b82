// RUN: tamale-opt %s -p lower-levels | filecheck %s

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>

// A sparse result that stays inside of the function: its sizes are those of its op, it is cut to
// length as any other, and read as an operand; its arrays are freed before the function returns.
// CHECK-LABEL: @temporary(%n: index, %i: index, %v: f64, %z_dim1: index)
// CHECK-SAME:    -> (memref<?xi32>, memref<?xi32>, memref<?xf64>) {
// CHECK:      arith.cmpi sle, %n, %{{.*}} : index
// CHECK-NEXT: cf.assert %{{.*}}, "size overflow"
// CHECK:      %T1_crd_block = memref.alloc(%T1_room) : memref<?xi32>
// CHECK:      memref.store %v, %{{.*}}[%p] : memref<?xf64>
// CHECK:      %T1_length = arith.maxsi
// CHECK-COUNT-2: memref.realloc %{{.*}}(%T1_length)
// CHECK:      %T1_pos_1 = memref.load %T1_pos[]
// CHECK-NEXT: %T1_crd_1 = memref.load %T1_crd[]
// CHECK-NEXT: %T_vals_1 = memref.load %T_vals[]
// CHECK:      memref.load %T1_pos_1[
// CHECK:      arith.cmpi sle, %z_dim1, %{{.*}} : index
// CHECK:      memref.load %T_vals_1[%begin] : memref<?xf64>
// CHECK:      memref.dealloc %T1_pos_1 : memref<?xi32>
// CHECK-NEXT: memref.dealloc %T1_crd_1 : memref<?xi32>
// CHECK-NEXT: memref.dealloc %T_vals_1 : memref<?xf64>
// CHECK-NEXT: func.return %z1_pos_1, %z1_crd_1, %z_vals_1
func.func @temporary(%n: index, %i: index, %v: f64) -> !sv {
  %c0 = arith.constant 0 : index
  %T = cfir.assemble dims(%n) room(%n) : !sv
  %p = cfir.position %T 0 : !sv
  cfir.append_coord %T 0(%p, %i) : !sv
  cfir.store %v into %T(%p) : f64, !sv
  cfir.advance %T 0 : !sv
  %T_end = cfir.position %T 0 : !sv
  cfir.append_edges %T 0(%c0, %p, %T_end) : !sv
  %finished = cfir.finish %T : !sv
  %count = cfir.count %finished 0 : !sv
  %z = cfir.assemble room(%count) : !sv
  %begin, %end = cfir.pos_bounds %finished 0(%c0) : !sv
  %w = cfir.load %finished(%begin) : !sv -> f64
  %q = cfir.position %z 0 : !sv
  cfir.append_coord %z 0(%q, %i) : !sv
  cfir.store %w into %z(%q) : f64, !sv
  cfir.advance %z 0 : !sv
  %z_end = cfir.position %z 0 : !sv
  cfir.append_edges %z 0(%c0, %q, %z_end) : !sv
  %done = cfir.finish %z : !sv
  func.return %done : !sv
}
