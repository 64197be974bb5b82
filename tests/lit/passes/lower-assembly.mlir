// RUN: tamale-opt -p plan-conversion,lower-queries,rewrite-queries,iterate-locate,build-lattices,lower-lattices,lower-assembly --split-input-file %s | filecheck %s

#coo = #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>
#dcsr = #format.spec<(i, j) -> (i : compressed, j : compressed)>

// Three passes over the entries: rows are counted, then made while columns are counted.

// CHECK-LABEL: func.func @coo_to_dcsr
// CHECK:       cfir.pos_bounds %A 0
// CHECK:       scf.for
// CHECK:         %[[NEW:.*]] = arith.cmpi ne
// CHECK:         scf.if %[[NEW]]
// CHECK:           assembly.count_edge %B 0
// CHECK:       assembly.finalize_edges %B 0
// CHECK:       scf.for
// CHECK:         assembly.insert_coord %B 0
// CHECK:         assembly.count_edge %B 1
// CHECK:       assembly.finalize_edges %B 1
// CHECK:       scf.for
// CHECK-NOT:     count_edge
// CHECK:         assembly.insert_coord %B 1
// CHECK:         assembly.store
// CHECK-NOT:   assembly.for_nonzeros
func.func @coo_to_dcsr(%A: tensor<?x?xf64, #coo>) -> tensor<?x?xf64, #dcsr> {
  %B = tin.convert %A : tensor<?x?xf64, #coo> -> tensor<?x?xf64, #dcsr>
  func.return %B : tensor<?x?xf64, #dcsr>
}

// -----

#dense = #format.spec<(i, j) -> (i : dense, j : dense)>
#ucoo = #format.spec<(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonordered))>

// In a padded source, entries are the values other than zero.

// CHECK-LABEL: func.func @dense_to_list
// CHECK:       assembly.init_values
// CHECK:       %[[VALUE:.*]] = cfir.load %A
// CHECK:       %[[STORED:.*]] = arith.cmpf une, %[[VALUE]]
// CHECK:       scf.if %[[STORED]] {
func.func @dense_to_list(%A: tensor<?x?xf64>) -> tensor<?x?xf64, #ucoo> {
  %B = tin.convert %A : tensor<?x?xf64> -> tensor<?x?xf64, #ucoo>
  func.return %B : tensor<?x?xf64, #ucoo>
}
