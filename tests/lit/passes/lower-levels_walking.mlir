// RUN: tamale-opt %s -p lower-levels | filecheck %s

!dia = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
!blocks = tensor<?x?xf64, #format.spec<(i, j) -> (i / 3 : dense, j : compressed, i % 3 : dense)>>
!dok = tensor<?x?xf64, #format.spec<(i, j) -> (i : hashed, j : hashed)>>
!bitmap = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : bitmap)>>

// On diagonal %d, the rows go from max(0, -d) to min(A_dim1, A_dim2 - d), and the column is d + i.
// CHECK-LABEL: @diagonal(
// CHECK-DAG:  %[[LEFT:.*]] = arith.subi %{{.*}}, %d : index
// CHECK-DAG:  arith.maxsi %{{.*}}, %[[LEFT]] : index
// CHECK-DAG:  %[[RIGHT:.*]] = arith.subi %A_dim2, %d : index
// CHECK-DAG:  %high = arith.minsi %{{.*}}, %[[RIGHT]] : index
// CHECK:      %j = arith.addi %d, %i : index
// CHECK-NEXT: "test.op"(%{{.*}}, %high, %j)
func.func @diagonal(%A: !dia, %p: index, %d: index, %i: index) {
  %low, %high = cfir.coord_bounds %A 1(%p) at(%d) : !dia
  %j = cfir.pos_access %A 2(%p) at(%d, %i) : !dia
  "test.op"(%low, %high, %j) : (index, index, index) -> ()
  func.return
}

// The size of a level that stores an expression follows from the dimension sizes; it is computed
// once, before all loops.
// CHECK-LABEL: @blocks(
// CHECK:      %[[SUM:.*]] = arith.addi %A_dim1, %{{.*}} : index
// CHECK-NEXT: %[[ROWS:.*]] = arith.divsi %[[SUM]], %{{.*}} : index
// CHECK:      scf.for
// CHECK-NOT:    arith.divsi
// CHECK:        "test.op"(%{{.*}}) : (index, index) -> ()
func.func @blocks(%A: !blocks, %n: index, %p: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %k = %zero to %n step %one {
    %low, %high = cfir.coord_bounds %A 0(%p) : !blocks
    "test.op"(%low, %high) : (index, index) -> ()
  }
  func.return
}

// A place of a hash table is free at -1; a place of a bitmap at 0.
// CHECK-LABEL: @found(
// CHECK:      memref.load %A2_crd[%p]
// CHECK:      %a = arith.cmpi ne
// CHECK:      memref.load %B2_present[%q]
// CHECK:      %b = arith.cmpi ne
func.func @found(%A: !dok, %B: !bitmap, %p: index, %i: index) {
  %a = cfir.pos_found %A 1(%p) : !dok
  %q, %b = cfir.locate %B 1(%p, %i) : !bitmap
  "test.op"(%a, %q, %b) : (i1, index, i1) -> ()
  func.return
}

// What belongs to a position: its coordinate and where its children are, or its value; edges are of the parent.
// CHECK-LABEL: @prefetch(
// CHECK:       memref.prefetch %A2_pos[%p], read, locality<3>, data : memref<?xi32>
// CHECK-NEXT:  memref.prefetch %A1_crd[%p], read, locality<3>, data : memref<?xi32>
// CHECK-NEXT:  memref.prefetch %A2_pos[%p], read, locality<3>, data : memref<?xi32>
// CHECK-NEXT:  memref.prefetch %A2_crd[%p], read, locality<3>, data : memref<?xi32>
// CHECK-NEXT:  memref.prefetch %A_vals[%p], read, locality<3>, data : memref<?xf64>
// CHECK-NEXT:  func.return
func.func @prefetch(%A: !dcsr, %p: index) {
  cfir.prefetch "edges" of %A 1(%p) : !dcsr
  cfir.prefetch "entries" of %A 0(%p) : !dcsr
  cfir.prefetch "entries" of %A 1(%p) : !dcsr
  func.return
}

// A row of a matrix: one element of each cache line of 64 bytes, of 16 lines at most.
// CHECK-LABEL: @prefetch_row(
// CHECK:      %[[SIXTEEN:.*]] = arith.constant 16 : index
// CHECK:      %[[EIGHT:.*]] = arith.constant 8 : index
// CHECK:      %[[LENGTH:.*]] = arith.muli %{{.*}}, %X_dim2 : index
// CHECK:      %[[ALL:.*]] = arith.floordivsi %{{.*}}, %[[EIGHT]] : index
// CHECK-NEXT: %lines = arith.minsi %[[ALL]], %[[SIXTEEN]] : index
// CHECK-NEXT: %[[FIRST:.*]] = arith.muli %p, %[[LENGTH]] : index
// CHECK-NEXT: scf.for %line = %{{.*}} to %lines
// CHECK-NEXT:   %[[SKIPPED:.*]] = arith.muli %line, %[[EIGHT]] : index
// CHECK-NEXT:   %[[PLACE:.*]] = arith.addi %[[FIRST]], %[[SKIPPED]] : index
// CHECK-NEXT:   memref.prefetch %X_vals[%[[PLACE]]], read, locality<3>, data : memref<?xf64>
func.func @prefetch_row(%X: tensor<?x?xf64>, %p: index) {
  cfir.prefetch "row" of %X 0(%p) : tensor<?x?xf64>
  func.return
}
