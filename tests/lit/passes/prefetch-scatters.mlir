// RUN: tamale-opt %s -p 'prefetch-scatters{distance=16 samples=0}' | filecheck %s
// RUN: tamale-opt %s -p prefetch-scatters | filecheck %s --check-prefix=NEAR

// Counters that a stream of coordinates leads to, as from csr to csc. The segments of rows adjoin, so there is something
// to load up to the end of the last one.
// CHECK-LABEL: @transpose(
// CHECK:         %[[FIRST:.*]] = memref.load %pos[%c0] : memref<?xi32>
// CHECK-NEXT:    %[[BEGIN:.*]] = arith.index_cast %[[FIRST]] : i32 to index
// CHECK-NEXT:    %[[END32:.*]] = memref.load %pos[%n] : memref<?xi32>
// CHECK-NEXT:    %[[END:.*]] = arith.index_cast %[[END32]] : i32 to index
// CHECK-NEXT:    %last = arith.subi %[[END]], %{{.*}} : index
// CHECK-NEXT:    %entries = arith.subi %[[END]], %[[BEGIN]] : index
// CHECK-NEXT:    %[[MANY:.*]] = arith.cmpi sge, %entries, %{{.*}} : index
// CHECK-NEXT:    scf.for %i = %c0 to %n step %c1 {
// CHECK:           scf.if %[[MANY]] {
// CHECK-NEXT:      scf.for %p = %{{.*}} to %{{.*}} step %c1 {
// CHECK-NEXT:        %[[SUM:.*]] = arith.addi %p, %{{.*}} : index
// CHECK-NEXT:        %[[AHEAD:.*]] = arith.minsi %[[SUM]], %last : index
// CHECK-NEXT:        %[[CRD:.*]] = memref.load %crd[%[[AHEAD]]] : memref<?xi32>
// CHECK-NEXT:        %j_ahead = arith.index_cast %[[CRD]] : i32 to index
// CHECK-NEXT:        %q_ahead = memref.load %count[%j_ahead] : memref<?xindex>
// CHECK-NEXT:        memref.prefetch %rows[%q_ahead], write, locality<3>, data : memref<?xindex>
// CHECK-NEXT:        memref.prefetch %out[%q_ahead], write, locality<3>, data : memref<?xf64>
// CHECK-NEXT:        memref.load %crd[%p]
// CHECK:           } else {
// CHECK-NEXT:        scf.for
// CHECK-NOT:           memref.prefetch
// CHECK:           func.return

// Whether it pays is found out once, before the loop over rows: where coordinates are near, as a stencil's, it does not.
// NEAR-LABEL:  @transpose(
// NEAR:          memref.store %{{.*}}, %scattered[] : memref<i1>
// NEAR-NEXT:     %[[MANY:.*]] = arith.cmpi sge, %entries, %{{.*}} : index
// NEAR-NEXT:     scf.if %[[MANY]] {
// NEAR:            scf.for %s = %{{.*}} to %{{.*}} step %{{.*}} {
// NEAR:              %near = memref.alloca() : memref<i1>
// NEAR:              scf.for %d = %{{.*}} to %{{.*}} step %{{.*}} {
// NEAR-NEXT:           %[[BEFORE:.*]] = arith.subi %p, %d : index
// NEAR-NEXT:           memref.load %crd[%p]
// NEAR:                memref.load %crd[%[[BEFORE]]]
// NEAR:              memref.store %{{.*}}, %far[]
// NEAR:            arith.cmpi sgt
// NEAR-NEXT:       memref.store %{{.*}}, %scattered[]
// NEAR-NEXT:     }
// NEAR-NEXT:     %[[SCATTERED:.*]] = memref.load %scattered[]
// NEAR-NEXT:     scf.for %i = %c0 to %n step %c1 {
// NEAR:            scf.if %[[SCATTERED]] {
// NEAR-NEXT:         scf.for
// NEAR:                memref.prefetch
func.func @transpose(%n: index, %pos: memref<?xi32>, %crd: memref<?xi32>, %vals: memref<?xf64>,
                     %count: memref<?xindex>, %rows: memref<?xindex>, %out: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %i_next = arith.addi %i, %c1 : index
    %begin32 = memref.load %pos[%i] : memref<?xi32>
    %begin = arith.index_cast %begin32 : i32 to index
    %end32 = memref.load %pos[%i_next] : memref<?xi32>
    %end = arith.index_cast %end32 : i32 to index
    scf.for %p = %begin to %end step %c1 {
      %j32 = memref.load %crd[%p] : memref<?xi32>
      %j = arith.index_cast %j32 : i32 to index
      %value = memref.load %vals[%p] : memref<?xf64>
      %q = memref.load %count[%j] : memref<?xindex>
      %q_next = arith.addi %q, %c1 : index
      memref.store %q_next, %count[%j] : memref<?xindex>
      memref.store %i, %rows[%q] : memref<?xindex>
      memref.store %value, %out[%q] : memref<?xf64>
    }
  }
  func.return
}

// Below dense levels, the parents of one loop begin somewhere.
// CHECK-LABEL: @below(
// CHECK:         %[[LAST:.*]] = arith.addi %first, %n : index
// CHECK-NEXT:    memref.load %pos[%[[LAST]]] : memref<?xindex>
// CHECK:         scf.for %j = %c0 to %n step %c1 {
// CHECK:           memref.prefetch %out[%q_ahead], write
func.func @below(%n: index, %first: index, %pos: memref<?xindex>, %crd: memref<?xindex>,
                 %count: memref<?xindex>, %out: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    %parent = arith.addi %first, %j : index
    %parent_next = arith.addi %parent, %c1 : index
    %begin = memref.load %pos[%parent] : memref<?xindex>
    %end = memref.load %pos[%parent_next] : memref<?xindex>
    scf.for %p = %begin to %end step %c1 {
      %k = memref.load %crd[%p] : memref<?xindex>
      %q = memref.load %count[%k] : memref<?xindex>
      %q_next = arith.addi %q, %c1 : index
      memref.store %q_next, %count[%k] : memref<?xindex>
      memref.store %j, %out[%q] : memref<?xindex>
    }
  }
  func.return
}

// A loop by itself, as over coo: its own end is the limit. Slots of counters may be computed with, as in ell.
// CHECK-LABEL: @slots(
// CHECK:         %last = arith.subi %end, %{{.*}} : index
// CHECK:         scf.for %p = %c0 to %end step %c1 {
// CHECK:           %[[ROW:.*]] = arith.muli %k_ahead, %n : index
// CHECK-NEXT:      %q_ahead = arith.addi %[[ROW]], %i_ahead : index
// CHECK-NEXT:      memref.prefetch %out[%q_ahead], write
func.func @slots(%n: index, %end: index, %crd: memref<?xindex>, %count: memref<?xindex>,
                 %out: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %end step %c1 {
    %i = memref.load %crd[%p] : memref<?xindex>
    %k = memref.load %count[%i] : memref<?xindex>
    %k_next = arith.addi %k, %c1 : index
    memref.store %k_next, %count[%i] : memref<?xindex>
    %row = arith.muli %k, %n : index
    %q = arith.addi %row, %i : index
    memref.store %p, %out[%q] : memref<?xindex>
  }
  func.return
}

// Coordinates of two modes lead to a counter: an entry is near where both are. What ascends does not count.
// CHECK-LABEL: @blocks(
// CHECK:         memref.prefetch
// NEAR-LABEL:  @blocks(
// NEAR:          scf.for %d
// NEAR-COUNT-2:    memref.load %crd2
// NEAR-NOT:        memref.load %crd
// NEAR:            memref.store %{{.*}}, %far[]
// NEAR:            memref.prefetch
func.func @blocks(%n: index, %end: index, %crd1: memref<?xindex>, %crd2: memref<?xindex>,
                  %count: memref<?xindex>, %out: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %end step %c1 {
    %i = memref.load %crd1[%p] {ascending} : memref<?xindex>
    %j = memref.load %crd2[%p] : memref<?xindex>
    %row = arith.muli %i, %n : index
    %b = arith.addi %row, %j : index
    %q = memref.load %count[%b] : memref<?xindex>
    %q_next = arith.addi %q, %c1 : index
    memref.store %q_next, %count[%b] : memref<?xindex>
    memref.store %p, %out[%q] : memref<?xindex>
  }
  func.return
}

// The loop writes the segments that tell how far it goes: only its own end is known.
// CHECK-LABEL: @moving(
// CHECK:           %last = arith.subi %end, %{{.*}} : index
// CHECK:           memref.prefetch %out[%q_ahead], write
func.func @moving(%n: index, %pos: memref<?xindex>, %crd: memref<?xindex>, %out: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %i_next = arith.addi %i, %c1 : index
    %begin = memref.load %pos[%i] : memref<?xindex>
    %end = memref.load %pos[%i_next] : memref<?xindex>
    scf.for %p = %begin to %end step %c1 {
      %j = memref.load %crd[%p] : memref<?xindex>
      %q = memref.load %pos[%j] : memref<?xindex>
      %q_next = arith.addi %q, %c1 : index
      memref.store %q_next, %pos[%j] : memref<?xindex>
      memref.store %i, %out[%q] : memref<?xindex>
    }
  }
  func.return
}

// Near misses. Nothing moves on what leads to the place: the next places are told early enough.
// CHECK-LABEL: @gathered(
// CHECK-NOT:     memref.prefetch
func.func @gathered(%n: index, %crd: memref<?xindex>, %table: memref<?xindex>, %out: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %n step %c1 {
    %j = memref.load %crd[%p] : memref<?xindex>
    %q = memref.load %table[%j] : memref<?xindex>
    memref.store %p, %out[%q] : memref<?xindex>
  }
  func.return
}

// Nothing is stored where the counters lead.
// CHECK-LABEL: @histogram(
// CHECK-NOT:     memref.prefetch
func.func @histogram(%n: index, %crd: memref<?xindex>, %count: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %n step %c1 {
    %j = memref.load %crd[%p] : memref<?xindex>
    %q = memref.load %count[%j] : memref<?xindex>
    %q_next = arith.addi %q, %c1 : index
    memref.store %q_next, %count[%j] : memref<?xindex>
  }
  func.return
}

// One counter for all: places follow one another.
// CHECK-LABEL: @appended(
// CHECK-NOT:     memref.prefetch
func.func @appended(%n: index, %crd: memref<?xindex>, %out: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = memref.alloca() : memref<1xindex>
  scf.for %p = %c0 to %n step %c1 {
    %j = memref.load %crd[%p] : memref<?xindex>
    %q = memref.load %count[%c0] : memref<1xindex>
    %q_next = arith.addi %q, %c1 : index
    memref.store %q_next, %count[%c0] : memref<1xindex>
    memref.store %j, %out[%q] : memref<?xindex>
  }
  func.return
}

// The loop may end early, before it would come to where the coordinates ahead are.
// CHECK-LABEL: @checked(
// CHECK-NOT:     memref.prefetch
func.func @checked(%n: index, %crd: memref<?xindex>, %count: memref<?xindex>, %out: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %n step %c1 {
    %j = memref.load %crd[%p] : memref<?xindex>
    %fits = arith.cmpi slt, %j, %n : index
    cf.assert %fits, "size overflow"
    %q = memref.load %count[%j] : memref<?xindex>
    %q_next = arith.addi %q, %c1 : index
    memref.store %q_next, %count[%j] : memref<?xindex>
    memref.store %p, %out[%q] : memref<?xindex>
  }
  func.return
}

// Coordinates that the loop itself writes may be others by then.
// CHECK-LABEL: @rewritten(
// CHECK-NOT:     memref.prefetch
func.func @rewritten(%n: index, %crd: memref<?xindex>, %count: memref<?xindex>, %out: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %n step %c1 {
    %j = memref.load %crd[%p] : memref<?xindex>
    memref.store %c0, %crd[%p] : memref<?xindex>
    %q = memref.load %count[%j] : memref<?xindex>
    %q_next = arith.addi %q, %c1 : index
    memref.store %q_next, %count[%j] : memref<?xindex>
    memref.store %p, %out[%q] : memref<?xindex>
  }
  func.return
}

// Sorted coordinates: places follow one another. Nobody needs to know so afterwards.
// CHECK-LABEL: @sorted(
// CHECK-NOT:     memref.prefetch
// CHECK:         memref.load %crd[%p] : memref<?xindex>
// CHECK-NOT:     memref.prefetch
// CHECK:         func.return
func.func @sorted(%n: index, %crd: memref<?xindex>, %count: memref<?xindex>, %out: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %p = %c0 to %n step %c1 {
    %i = memref.load %crd[%p] {ascending} : memref<?xindex>
    %q = memref.load %count[%i] : memref<?xindex>
    %q_next = arith.addi %q, %c1 : index
    memref.store %q_next, %count[%i] : memref<?xindex>
    memref.store %p, %out[%q] : memref<?xindex>
  }
  func.return
}
