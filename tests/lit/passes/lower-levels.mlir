// RUN: tamale-opt %s -p lower-levels | filecheck %s

!vec = tensor<?xf64>
!colmajor = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : dense)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!csc64 = tensor<?x?xf32, #format.spec<(i, j) -> (j : dense, i : compressed), pos = i64>>
!coo = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>>

// A tensor is its sizes, the arrays of its levels and its values, in this order, then the next tensor.
// Sizes go by mode, arrays by level; what is no tensor stays where it was.
// CHECK-LABEL: @signature(%n: index,
// CHECK-SAME:    %A_dim1: index, %A_dim2: index, %A2_pos: memref<?xi64>, %A2_crd: memref<?xi32>, %A_vals: memref<?xf32>,
// CHECK-SAME:    %B_dim1: index, %B_dim2: index, %B1_pos: memref<?xi32>, %B1_crd: memref<?xi32>, %B2_crd: memref<?xi32>, %B_vals: memref<?xf64>)
// CHECK-NEXT:  "test.op"(%A_dim2, %A_dim1, %n)
func.func @signature(%A: !csc64, %n: index, %B: !coo) {
  %cols = cfir.dim %A 1 : !csc64
  %rows = cfir.dim %A 0 : !csc64
  "test.op"(%cols, %rows, %n) : (index, index, index) -> ()
  func.return
}

// A dense level computes the position; a stored coordinate is always found.
// CHECK-LABEL: @dense(
// CHECK:      %found = arith.constant true
// CHECK:      %[[ROW:.*]] = arith.muli %p, %D_dim1 : index
// CHECK-NEXT: %q = arith.addi %[[ROW]], %i : index
// CHECK-NEXT: "test.op"(%q, %found)
func.func @dense(%D: !colmajor, %p: index, %i: index) {
  %q, %found = cfir.locate %D 1(%p, %i) : !colmajor
  "test.op"(%q, %found) : (index, i1) -> ()
  func.return
}

// A compressed level reads its segment and its coordinate, as index.
// CHECK-LABEL: @compressed(
// CHECK:      %p_next = arith.addi %p, %{{.*}} : index
// CHECK-NEXT: %[[BEGIN:.*]] = memref.load %A2_pos[%p] : memref<?xi32>
// CHECK-NEXT: %begin = arith.index_cast %[[BEGIN]] : i32 to index
// CHECK-NEXT: %[[END:.*]] = memref.load %A2_pos[%p_next] : memref<?xi32>
// CHECK-NEXT: %end = arith.index_cast %[[END]] : i32 to index
// CHECK:      %[[CRD:.*]] = memref.load %A2_crd[%p] : memref<?xi32>
// CHECK-NEXT: %j = arith.index_cast %[[CRD]] : i32 to index
// CHECK-NEXT: %v = memref.load %A_vals[%p] : memref<?xf64>
func.func @compressed(%A: !csr, %p: index) {
  %begin, %end = cfir.pos_bounds %A 1(%p) : !csr
  %j = cfir.pos_access %A 1(%p) : !csr
  %v = cfir.load %A(%p) : !csr -> f64
  "test.op"(%begin, %end, %j, %v) : (index, index, index, f64) -> ()
  func.return
}

// A singleton has one position, its parent's.
// CHECK-LABEL: @singleton(
// CHECK:      %end = arith.addi %p, %{{.*}} : index
// CHECK-NOT:  memref.load
// CHECK:      "test.op"(%p, %end)
func.func @singleton(%B: !coo, %p: index) {
  %begin, %end = cfir.pos_bounds %B 1(%p) : !coo
  "test.op"(%begin, %end) : (index, index) -> ()
  func.return
}

// How many entries there are is asked level by level, from the root's one position.
// CHECK-LABEL: @count(
// CHECK:      %[[ROWS:.*]] = arith.muli %{{.*}}, %A_dim1 : index
// CHECK-NEXT: %[[ALL:.*]] = memref.load %A2_pos[%[[ROWS]]] : memref<?xi32>
// CHECK-NEXT: %n = arith.index_cast %[[ALL]] : i32 to index
func.func @count(%A: !csr) {
  %n = cfir.count %A 1 : !csr
  "test.op"(%n) : (index) -> ()
  func.return
}

// A dense result is an array of the caller's, filled where that is asked for; nothing is returned.
// CHECK-LABEL: @dense_result(%p: index, %y_dim1: index, %y_vals: memref<?xf64>) {
// CHECK:      %[[SIZE:.*]] = arith.muli %{{.*}}, %y_dim1 : index
// CHECK:      scf.for %[[P:.*]] = %{{.*}} to %[[SIZE]]
// CHECK-NEXT:   memref.store %{{.*}}, %y_vals[%[[P]]]
// CHECK:      memref.store %{{.*}}, %y_vals[%p]
// CHECK:      func.return{{$}}
func.func @dense_result(%p: index) -> !vec {
  %zero = arith.constant 0.0 : f64
  %y = cfir.assemble fill %zero : f64 : !vec
  cfir.store %zero into %y(%p) : f64, !vec
  %done = cfir.finish %y : !vec
  func.return %done : !vec
}

// Near miss: one that is written everywhere anyway is not filled.
// CHECK-LABEL: @unfilled(%p: index, %y_dim1: index, %y_vals: memref<?xf64>) {
// CHECK-NOT:  scf.for
// CHECK:      func.return{{$}}
func.func @unfilled(%p: index) -> !vec {
  %y = cfir.assemble : !vec
  %done = cfir.finish %y : !vec
  func.return %done : !vec
}
