// RUN: tamale-opt %s -p lower-levels | filecheck %s

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!coo = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>>

// A result that appends owns its arrays. With enough room from the start they never move; at the end
// they are cut to their lengths and returned.
// CHECK-LABEL: @append(%n: index, %i: index, %v: f64, %z_dim1: index)
// CHECK-SAME:    -> (memref<?xi32>, memref<?xi32>, memref<?xf64>) {
// CHECK:      %z1_room = arith.maxsi %n, %{{.*}} : index
// CHECK:      %pz1 = memref.alloca() : memref<index>
// CHECK-NOT:  z1_capacity
// CHECK:      %z1_pos_block = memref.alloc
// CHECK:      %z1_crd_block = memref.alloc(%z1_room) : memref<?xi32>
// CHECK:      %z_vals_block = memref.alloc(%z1_room) : memref<?xf64>
// CHECK:      %p = memref.load %pz1[] : memref<index>
// CHECK:      %[[CRD:.*]] = arith.index_cast %i : index to i32
// CHECK-NEXT: memref.store %[[CRD]], %{{.*}}[%p] : memref<?xi32>
// CHECK:      memref.store %v, %{{.*}}[%p] : memref<?xf64>
// CHECK:      %[[NEXT:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK-NEXT: memref.store %[[NEXT]], %pz1[] : memref<index>
// CHECK:      %z1_length = arith.maxsi
// CHECK-COUNT-2: memref.realloc %{{.*}}(%z1_length)
// CHECK-NOT:  memref.realloc
// CHECK:      func.return %{{.*}}, %{{.*}}, %{{.*}} : memref<?xi32>, memref<?xi32>, memref<?xf64>
func.func @append(%n: index, %i: index, %v: f64) -> !sv {
  %z = cfir.assemble room(%n) : !sv
  %p = cfir.position %z 0 : !sv
  cfir.append_coord %z 0(%p, %i) : !sv
  cfir.store %v into %z(%p) : f64, !sv
  cfir.advance %z 0 : !sv
  %done = cfir.finish %z : !sv
  func.return %done : !sv
}

// Room that may not do doubles, or more; positions must stay below 2^31.
// CHECK-LABEL: @grow(
// CHECK:      %z1_capacity = memref.alloca() : memref<index>
// CHECK:      %z1_needed = arith.addi %{{.*}}, %more : index
// CHECK:      %[[FULL:.*]] = arith.cmpi sgt, %z1_needed, %{{.*}} : index
// CHECK-NEXT: scf.if %[[FULL]] {
// CHECK:        arith.cmpi sle, %z1_needed, %{{.*}} : index
// CHECK-NEXT:   cf.assert %{{.*}}, "position overflow"
// CHECK:        %z1_doubled = arith.muli
// CHECK:        %[[ROOM:.*]] = arith.maxsi %z1_doubled, %z1_needed : index
// CHECK-COUNT-2: memref.realloc %{{.*}}(%[[ROOM]])
// CHECK:        memref.store %[[ROOM]], %z1_capacity[]
func.func @grow(%n: index, %more: index) -> !sv {
  %z = cfir.assemble room(%n) : !sv
  cfir.reserve %z 0(%more) : !sv
  %done = cfir.finish %z : !sv
  func.return %done : !sv
}

// Every parent writes where its children end ...
// CHECK-LABEL: @edges(
// CHECK-NOT:  scf.for
// CHECK:      %[[AFTER:.*]] = arith.addi %p, %{{.*}} : index
// CHECK:      %[[END:.*]] = arith.index_cast %end : index to i32
// CHECK-NEXT: memref.store %[[END]], %{{.*}}[%[[AFTER]]] : memref<?xi32>
// CHECK-NOT:  scf.for
// CHECK:      func.return
func.func @edges(%n: index, %p: index, %begin: index, %end: index) -> !csr {
  %Z = cfir.assemble room(%n) : !csr
  cfir.append_edges %Z 1(%p, %begin, %end) : !csr
  %done = cfir.finish %Z : !csr
  func.return %done : !csr
}

// ... or, where parents may be skipped, how many it has: from zeroes, and summed up at the end.
// CHECK-LABEL: @counted_edges(
// CHECK:      scf.for
// CHECK:        memref.store
// CHECK:      %[[COUNT:.*]] = arith.subi %end, %begin : index
// CHECK-NEXT: %[[NARROW:.*]] = arith.index_cast %[[COUNT]] : index to i32
// CHECK-NEXT: memref.store %[[NARROW]]
// CHECK:      scf.for
// CHECK:        %[[SUM:.*]] = arith.addi
// CHECK:        memref.store
func.func @counted_edges(%n: index, %p: index, %begin: index, %end: index) -> !csr {
  %Z = cfir.assemble room(%n) counted : !csr
  cfir.append_edges %Z 1(%p, %begin, %end) : !csr
  %done = cfir.finish %Z : !csr
  func.return %done : !csr
}

// Levels that share positions share one counter; each has an array of coordinates.
// CHECK-LABEL: @shared(
// CHECK-SAME:    -> (memref<?xi32>, memref<?xi32>, memref<?xi32>, memref<?xf64>) {
// CHECK:      %pZ2 = memref.alloca() : memref<index>
// CHECK-NOT:  %pZ1 = memref.alloca()
// CHECK:      %Z1_crd_block = memref.alloc(%Z2_room)
// CHECK:      %Z2_crd_block = memref.alloc(%Z2_room)
// CHECK:      func.return
func.func @shared(%n: index) -> !coo {
  %Z = cfir.assemble room(%n) : !coo
  %done = cfir.finish %Z : !coo
  func.return %done : !coo
}
