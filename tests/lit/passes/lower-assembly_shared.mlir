// RUN: tamale-opt -p 'plan-conversion{threads=2},lower-queries,rewrite-queries,iterate-locate,build-lattices,lower-lattices,lower-assembly' --split-input-file %s | filecheck %s

#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>
#csc = #format.spec<(i, j) -> (j : dense, i : compressed)>

// Columns are counted by each worker, in counts of its own; what those before it counted, and where the column begins, says
// where it places its entries.

// CHECK-LABEL: func.func @transpose
// At most 4 counts for each entry: else there are fewer workers.
// CHECK:       %[[ENTRIES:.*]] = cfir.count %A 1
// CHECK:       %[[ALL:.*]] = arith.muli %[[ENTRIES]], %
// CHECK:       %[[FIT:.*]] = arith.floordivsi %[[ALL]], %
// CHECK:       %[[SOME:.*]] = arith.maxsi %[[FIT]], %
// CHECK:       %workers = arith.minsi %{{.*}}, %[[SOME]]
// Workers begin after equal numbers of entries, in the row that bisection finds.
// CHECK:       scf.for %worker
// CHECK:         memref.store %{{.*}}, %pA2_begin[%worker]
// CHECK:         scf.while
// CHECK:           cfir.below %A 1(
// CHECK:         memref.store %{{.*}}, %pA1_begin[%worker]
// CHECK:       %[[SIZE:.*]] = arith.muli %workers, %[[COLUMNS:.*]] : index
// CHECK:       %B2_counts = memref.alloc
// CHECK:       "scf.parallel"(%{{.*}}, %workers,
// CHECK:         %column = arith.muli %{{.*}}, %[[COLUMNS]]
// CHECK:         scf.for %i
// CHECK:           %[[BEGINS:.*]] = arith.cmpi eq, %pA1, %pA1_first
// CHECK:           %[[ENDS:.*]] = arith.cmpi eq, %pA1, %pA1_last
// CHECK:           %[[LOW:.*]], %[[HIGH:.*]] = cfir.pos_bounds %A 1(%pA1)
// CHECK:           %[[FROM:.*]] = arith.select %[[BEGINS]], %pA2_first, %[[LOW]]
// CHECK:           %[[TO:.*]] = arith.select %[[ENDS]], %pA2_last, %[[HIGH]]
// CHECK:           scf.for %pA2 = %[[FROM]] to %[[TO]]
// CHECK:             %[[PLACE:.*]] = arith.addi %column, %pB1
// CHECK:             memref.load %B2_counts[%[[PLACE]]]
// CHECK:             memref.store %{{.*}}, %B2_counts[%[[PLACE]]]
// Sums over shares of the columns come first, then each count gives way to the sum of all before it.
// CHECK:       "scf.parallel"
// CHECK:         memref.store %{{.*}}, %counted[
// CHECK:       scf.for
// CHECK:         memref.store %{{.*}}, %counted[
// CHECK:       "scf.parallel"
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             %[[OWN:.*]] = memref.load %B2_counts[%[[COUNT:.*]]] :
// CHECK:             memref.store %{{.*}}, %B2_counts[%[[COUNT]]]
// CHECK:             arith.addi %{{.*}}, %{{.*}}
// CHECK:           assembly.end_edges %B 1(
// CHECK:       assembly.enlarge %B 1(
// CHECK-NOT:   assembly.finalize_edges %B 1
// CHECK-NOT:   assembly.init_pos %B 1
// CHECK:       "scf.parallel"(%{{.*}}, %workers,
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             memref.load %B2_counts
// CHECK:             assembly.insert_coord %B 1(
// CHECK:             assembly.store
// CHECK:       memref.dealloc %B2_counts
// CHECK-NOT:   assembly.finalize_pos %B 1
// CHECK:       func.return
func.func @transpose(%A: tensor<?x?xf64, #csr>) -> tensor<?x?xf64, #csc> {
  %B = tin.convert %A : tensor<?x?xf64, #csr> -> tensor<?x?xf64, #csc>
  func.return %B : tensor<?x?xf64, #csc>
}

// -----

#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>
#ell = #format.spec<(i, j) -> (#i : sliced, i : dense, j : singleton)>

// Slots of a row are counted by one number; a worker that begins inside of a row begins with as many as lie before it.

// CHECK-LABEL: func.func @slots
// CHECK-NOT:   memref.alloc(
// CHECK:       "scf.parallel"
// CHECK:         scf.for %i
// CHECK:           %[[BEGINS:.*]] = arith.cmpi eq, %pA1{{.*}}, %pA1_first
// CHECK:           %[[ROW:.*]] = cfir.below %A 1(%pA1{{.*}})
// CHECK:           %[[SKIPPED:.*]] = arith.subi %pA2_first, %[[ROW]]
// CHECK:           %[[START:.*]] = arith.select %[[BEGINS]], %[[SKIPPED]], %
// CHECK:           %count = memref.alloca
// CHECK:           memref.store %[[START]], %count[]
// CHECK:           scf.for %pA2
func.func @slots(%A: tensor<?x?xf64, #csr>) -> tensor<?x?xf64, #ell> {
  %B = tin.convert %A : tensor<?x?xf64, #csr> -> tensor<?x?xf64, #ell>
  func.return %B : tensor<?x?xf64, #ell>
}

// -----

#csc = #format.spec<(i, j) -> (j : dense, i : compressed)>
#ell = #format.spec<(i, j) -> (#i : sliced, i : dense, j : singleton)>

// From columns, rows are counted in advance: an array of counts for each worker.

// CHECK-LABEL: func.func @scattered_slots
// CHECK:       %count_i = memref.alloc
// CHECK:       "scf.parallel"
// CHECK:         memref.store %{{.*}}, %count_i
// CHECK-NOT:     assembly.store
// CHECK:       "scf.parallel"
// CHECK:         memref.store %{{.*}}, %count_i
// CHECK:       "scf.parallel"
// CHECK:         %[[K:.*]] = memref.load %count_i
// CHECK:         assembly.store
// CHECK:       memref.dealloc %count_i
func.func @scattered_slots(%A: tensor<?x?xf64, #csc>) -> tensor<?x?xf64, #ell> {
  %B = tin.convert %A : tensor<?x?xf64, #csc> -> tensor<?x?xf64, #ell>
  func.return %B : tensor<?x?xf64, #ell>
}

// -----

#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>
#coo = #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>

// Each entry goes to the position that it comes from.

// CHECK-LABEL: func.func @list
// CHECK:       "scf.parallel"
// CHECK:         %[[SKIPPED:.*]] = arith.subi %pA2_first, %{{.*}}
// CHECK:         memref.store %[[SKIPPED]], %count[]
// CHECK:         %[[FIRST:.*]] = assembly.first_pos %B 0(
// CHECK:         %[[NUMBER:.*]] = memref.load %count[]
// CHECK:         %pB1 = arith.addi %[[FIRST]], %[[NUMBER]]
// CHECK-NOT:   assembly.finalize_pos %B 0
// CHECK:       func.return
func.func @list(%A: tensor<?x?xf64, #csr>) -> tensor<?x?xf64, #coo> {
  %B = tin.convert %A : tensor<?x?xf64, #csr> -> tensor<?x?xf64, #coo>
  func.return %B : tensor<?x?xf64, #coo>
}

// -----

// Rows are counted by each worker, as if its first entry began one; where the worker before ends in
// the same row, that is one less. Then each goes on from the entry before: edges end where the next row
// begins.

#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>
#dcsr = #format.spec<(i, j) -> (i : compressed, j : compressed)>

// CHECK-LABEL: func.func @rows
// CHECK:       %preceding = memref.alloca() : memref<3xindex>
// CHECK:       %B1_starts = memref.alloca() : memref<3xindex>
// CHECK:       "scf.parallel"
// CHECK:         memref.store %{{.*}}, %first[%{{.*}}]
// CHECK:         memref.store %{{.*}}, %last[%{{.*}}]
// CHECK:         memref.store %{{.*}}, %B1_starts[%{{.*}}]
// CHECK:       scf.for %worker_{{[0-9]+}}
// CHECK:         memref.store %{{.*}}, %preceding[%{{.*}}]
// CHECK:         %[[MINE:.*]] = memref.load %first[
// CHECK:         %[[ITS:.*]] = memref.load %last[
// CHECK:         arith.cmpi eq, %[[MINE]], %[[ITS]]
// CHECK:         memref.store %{{.*}}, %B1_starts[%{{.*}}]
// How many rows there are is known: the loop that counts them has nothing else to do.
// CHECK-NOT:   "scf.parallel"
// CHECK:       assembly.enlarge %B 0(
// CHECK-NOT:   assembly.finalize_edges
// CHECK:       "scf.parallel"
// CHECK:         %last_i{{.*}} = memref.alloca() : memref<index>
// CHECK:         assembly.insert_coord %B 0(
// CHECK:         scf.for %p{{.*}} = %{{.*}} to %pB1
// CHECK:           assembly.end_edges %B 1(%p
// CHECK:       scf.for %p_{{[0-9]+}}
// CHECK:         assembly.end_edges %B 1(%p
// CHECK:       assembly.enlarge %B 1(
// CHECK-NOT:   assembly.finalize_edges
// CHECK:       "scf.parallel"
// CHECK:         assembly.store
// CHECK:       func.return
func.func @rows(%A: tensor<?x?xf64, #csr>) -> tensor<?x?xf64, #dcsr> {
  %B = tin.convert %A : tensor<?x?xf64, #csr> -> tensor<?x?xf64, #dcsr>
  func.return %B : tensor<?x?xf64, #dcsr>
}
