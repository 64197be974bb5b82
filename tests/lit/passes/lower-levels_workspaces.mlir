// RUN: tamale-opt %s -p lower-levels,simplify | filecheck %s

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!heap = tensor<?xf64, #format.spec<(i) -> (i : compressed(nonordered))>>
!wide = tensor<?xf64, #format.spec<(i) -> (i : compressed(nonordered)), crd = i64>>

// A slot per coordinate holds the position of its entry plus a base, which moves past all positions that were handed out:
// nothing is cleared, until the base would overflow.
// CHECK-LABEL: @dense(
// CHECK:      %w_count = memref.alloca() : memref<index>
// CHECK:      %w_slots = memref.alloc(%[[SIZE:.*]]) : memref<?xi32>
// CHECK-NEXT: scf.for %{{.*}} to %[[SIZE]]
// CHECK:      %w_base = memref.alloca() : memref<index>
// CHECK:      %[[MOVED:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK-NEXT: memref.store %[[MOVED]], %w_base[]
// CHECK-NEXT: %[[LIMIT:.*]] = arith.subi %{{.*}}, %n : index
// CHECK:      %[[FULL:.*]] = arith.cmpi sgt, %{{.*}}, %[[LIMIT]] : index
// CHECK-NEXT: scf.if %[[FULL]] {
// CHECK-NEXT:   scf.for
// CHECK-NEXT:     memref.store %{{.*}}, %w_slots
// CHECK:        memref.store %{{.*}}, %w_base[]
// CHECK-NEXT: }
// CHECK-NEXT: memref.store %{{.*}}, %w_count[]
// CHECK-NEXT: %[[SLOT:.*]] = memref.load %w_slots[%i] : memref<?xi32>
// CHECK:      %p = arith.subi %{{.*}}, %{{.*}} : index
// CHECK-NEXT: %found = arith.cmpi sge, %p, %{{.*}} : index
// CHECK:      memref.store %{{.*}}, %w_slots[%i]
// CHECK:      memref.store %{{.*}}, %w_crd[%[[NEXT:.*]]] : memref<?xi32>
// CHECK-NEXT: memref.store %x, %w_vals[%[[NEXT]]] : memref<?xf64>
// CHECK:      %end = memref.load %w_count[]
// CHECK:      memref.dealloc %w_slots
func.func @dense(%n: index, %i: index, %x: f64) {
  %w = cfir.workspace "dense"(%n) : !heap
  cfir.clear %w : !heap
  %p, %found, %place = cfir.find %w(%i) : !heap
  "test.op"(%p, %found) : (index, i1) -> ()
  cfir.insert %x into %w(%i, %place) : f64, !heap
  %begin, %end = cfir.pos_bounds %w 0(%i) : !heap
  "test.op"(%begin, %end) : (index, index) -> ()
  func.return
}

// Near miss: 64 bits hold every base.
// CHECK-LABEL: @wide(
// CHECK:      memref.store %{{.*}}, %w_base[]
// CHECK-NOT:  scf.if
// CHECK:      func.return
func.func @wide(%n: index) {
  %w = cfir.workspace "dense"(%n) : !wide
  cfir.clear %w : !wide
  func.return
}

// A hash table holds positions plus 1; it is searched from the coordinate's home to a slot that is free or the entry's,
// cleared by the places that are taken, and doubled when it is half full.
// CHECK-LABEL: @hash(
// CHECK:      scf.for %p
// CHECK:        %[[TAKEN:.*]] = memref.load %{{.*}}[%p] : memref<?xindex>
// CHECK:        memref.store %{{.*}}, %{{.*}}[%[[TAKEN]]] : memref<?xindex>
// CHECK:      %[[PRODUCT:.*]] = arith.muli %i, %{{.*}} : index
// CHECK:      scf.while
// CHECK:        %[[DIFFERS:.*]] = arith.cmpi ne, %{{.*}}, %i : index
// CHECK:        arith.andi %{{.*}}, %[[DIFFERS]] : i1
// CHECK:      %found = arith.cmpi sgt
// CHECK:      %[[DOUBLE:.*]] = arith.addi %[[AFTER:.*]], %[[AFTER]] : index
// CHECK:      %[[HALF:.*]] = arith.cmpi sge, %[[DOUBLE]], %{{.*}} : index
// CHECK-NEXT: scf.if %[[HALF]] {
// CHECK-COUNT-4: memref.realloc
// CHECK:        scf.for %p
// CHECK:          scf.while
func.func @hash(%n: index, %i: index, %x: f64) {
  %w = cfir.workspace "hash"(%n) : !heap
  cfir.clear %w : !heap
  %p, %found, %place = cfir.find %w(%i) : !heap
  "test.op"(%p, %found) : (index, i1) -> ()
  cfir.insert %x into %w(%i, %place) : f64, !heap
  func.return
}

// Many entries for the range are marked in a bitmap and read in order; few are compared.
// CHECK-LABEL: @sorted_by_bits(
// CHECK:      %w_words = memref.alloc(%{{.*}}) : memref<?xindex>
// CHECK:      %w_tops = memref.alloc(%w_top_count) : memref<?xindex>
// CHECK:      %[[NEAR:.*]] = arith.cmpi sle, %w_top_count, %{{.*}} : index
// CHECK:      scf.if
// CHECK:        scf.for %p
// CHECK:          memref.store %{{.*}}, %w_words
// CHECK:          memref.store %{{.*}}, %w_tops
// CHECK:        scf.for %top
// CHECK:          math.cttz
// CHECK:          math.cttz
// CHECK:          memref.load %w_slots
// CHECK:          memref.store %{{.*}}, %w_crd
// CHECK:      } else {
// CHECK:        memref.store %{{.*}}, %w_scratch
func.func @sorted_by_bits(%n: index) {
  %w = cfir.workspace "dense"(%n) sorted : !sv
  cfir.sort %w : !sv
  func.return
}

// Near miss: a bitmap as large as the mode is what a hash table avoids.
// CHECK-LABEL: @sorted_by_comparing(
// CHECK-NOT:  math.cttz
// CHECK:      func.return
func.func @sorted_by_comparing(%n: index) {
  %w = cfir.workspace "hash"(%n) sorted : !sv
  cfir.sort %w : !sv
  func.return
}

// The entries at the end of a result: a slot holds the position in the result plus 1, and is an older list's if that is not
// above where this one begins. Sorting moves the result's own coordinates and values.
// CHECK-LABEL: @in_place(
// CHECK:      %w_slots = memref.alloc(%{{.*}}) : memref<?xi32>
// CHECK-NOT:  w_base
// CHECK-NOT:  w_vals
// CHECK:      %[[BEGIN:.*]] = memref.load %pZ1[] : memref<index>
// CHECK-NEXT: memref.store %[[BEGIN]], %w_begin[] : memref<index>
// CHECK-NEXT: %[[SLOT:.*]] = memref.load %w_slots[%i] : memref<?xi32>
// CHECK:      %p = arith.subi %{{.*}}, %{{.*}} : index
// CHECK-NEXT: %[[LOW:.*]] = memref.load %w_begin[] : memref<index>
// CHECK-NEXT: %found = arith.cmpi sge, %p, %[[LOW]] : index
// CHECK:      %[[END:.*]] = memref.load %pZ1[] : memref<index>
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[END]], %{{.*}} : index
// CHECK:      memref.store %{{.*}}, %w_slots[%i] : memref<?xi32>
// CHECK:      math.cttz
// CHECK:        %[[CRD:.*]] = memref.load %Z1_crd[] : memref<memref<?xi32>>
// CHECK:        memref.store %{{.*}}, %[[CRD]][%{{.*}}] : memref<?xi32>
// CHECK:      memref.dealloc %w_slots
func.func @in_place(%n: index, %i: index) -> !sv {
  %Z = cfir.assemble room(%n) : !sv
  %w = cfir.workspace "dense"(%n) sorted : !sv in %Z : !sv
  cfir.clear %w : !sv
  %p, %found, %place = cfir.find %w(%i) : !sv
  "test.op"(%p, %found) : (index, i1) -> ()
  cfir.mark %w(%place) : !sv
  cfir.sort %w : !sv
  %Zf = cfir.finish %Z : !sv
  func.return %Zf : !sv
}
