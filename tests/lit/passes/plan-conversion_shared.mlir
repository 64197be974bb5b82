// RUN: tamale-opt -p 'plan-conversion{threads=3}' %s | filecheck %s

!coo = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>>
!copies = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
!dia = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>>
!dok = tensor<?x?xf64, #format.spec<(i, j) -> (i : hashed, j : hashed)>>
!blocks = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j / 2 : compressed, i % 2 : dense, j % 2 : dense)>>
!numbered = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, #i : compressed, j : singleton)>>
!grid = tensor<?x?xf64, #format.spec<(i, j) -> (i : bitmap, j : dense)>>

// Positions follow from coordinates. Slots that no entry has are cleared by the workers.
// CHECK-LABEL: @computed(
// CHECK:       assembly.open of %A using ({{.*}}) workers 3 :
// CHECK:       assembly.for_nonzeros %A for %B (%{{.*}}) partitioned into 3 :
// CHECK:         assembly.store
func.func @computed(%A: !csr) -> !dia {
  %B = tin.convert %A : !csr -> !dia
  func.return %B : !dia
}

// The rows' entries are counted by the workers that place them, not by a query.
// CHECK-LABEL: @counted(
// CHECK-NOT:   query.select
// CHECK:       assembly.for_nonzeros %A for %B (%{{.*}}) partitioned into 3 :
// CHECK:         assembly.count_edge %B 1
// CHECK:       assembly.finalize_edges %B 1
// CHECK:       assembly.for_nonzeros %A for %B (%{{.*}}) partitioned into 3 :
// CHECK:         assembly.yield_pos %B 1
func.func @counted(%A: !coo) -> !csr {
  %B = tin.convert %A : !coo -> !csr
  func.return %B : !csr
}

// Where the source's positions number the entries, nothing is counted.
// CHECK-LABEL: @numbered(
// CHECK-NOT:   assembly.count_edge
// CHECK:       assembly.for_nonzeros %A for %B (%{{.*}}) partitioned into 3 :
// CHECK:         assembly.yield_pos %B 0
func.func @numbered(%A: !csr) -> !coo {
  %B = tin.convert %A : !csr -> !coo
  func.return %B : !coo
}

// An entry begins a row where it differs from the one before, which the worker before has maybe.
// CHECK-LABEL: @compared(
// CHECK:       assembly.for_nonzeros %A for %B (%{{.*}}) partitioned into 3 :
// CHECK:         assembly.first(%i)
// CHECK:       assembly.for_nonzeros %A for %B (%{{.*}}) partitioned into 3 :
// CHECK:       assembly.for_nonzeros %A for %B (%{{.*}}) partitioned into 3 :
// CHECK:         assembly.store
func.func @compared(%A: !csr) -> !dcsr {
  %B = tin.convert %A : !csr -> !dcsr
  func.return %B : !dcsr
}

// Near misses. Whether an entry begins a block shows only after a look at all of its row's,
// CHECK-LABEL: @stamped(
// CHECK:       assembly.open of %A :
// CHECK-NOT:   partitioned into
// CHECK:       func.return
func.func @stamped(%A: !csr) -> !blocks {
  %B = tin.convert %A : !csr -> !blocks
  func.return %B : !blocks
}

// numbers of the entries in a row are counted by other means,
// CHECK-LABEL: @appended_and_counted(
// CHECK-NOT:   partitioned into
// CHECK:       func.return
func.func @appended_and_counted(%A: !csr) -> !numbered {
  %B = tin.convert %A : !csr -> !numbered
  func.return %B : !numbered
}

// a place in a hash table depends on who was there first,
// CHECK-LABEL: @taken(
// CHECK-NOT:   partitioned into
// CHECK:       func.return
func.func @taken(%A: !csr) -> !dok {
  %B = tin.convert %A : !csr -> !dok
  func.return %B : !dok
}

// several entries set one mark,
// CHECK-LABEL: @marked(
// CHECK-NOT:   partitioned into
// CHECK:       func.return
func.func @marked(%A: !csr) -> !grid {
  %B = tin.convert %A : !csr -> !grid
  func.return %B : !grid
}

// and copies are added up in their order.
// CHECK-LABEL: @added(
// CHECK-NOT:   partitioned into
// CHECK:       func.return
func.func @added(%A: !copies) -> !dia {
  %B = tin.convert %A : !copies -> !dia
  func.return %B : !dia
}

// Selected entries are listed by one worker; the list is converted by three.
// CHECK-LABEL: @selected(
// CHECK:       assembly.for_nonzeros %A for %B (%{{.*}}) where "i < j" :
// CHECK:       assembly.for_nonzeros %selected for %{{.*}} (%{{.*}}) partitioned into 3 :
func.func @selected(%A: !csr) -> !dia {
  %B = tin.convert %A where "i < j" : !csr -> !dia
  func.return %B : !dia
}
