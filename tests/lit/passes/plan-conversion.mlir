// RUN: tamale-opt -p plan-conversion --split-input-file %s | filecheck %s

#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>
#ell = #format.spec<(i, j) -> (#i : sliced, i : dense, j : singleton)>

// A query and one pass: no level of ELL has edges.

// CHECK-LABEL: func.func @csr_to_ell
// CHECK:       query.select "select [] -> max(k) as max_crd" of %A remapped (i, j) -> (k = #i, i, j)
// CHECK-NOT:   init_edges
// CHECK:       assembly.for_nonzeros %A for %B (%k, %i, %j, %value)
// CHECK:         assembly.get_pos %B 0(%root, %k)
// CHECK:         assembly.insert_coord %B 2
// CHECK-NOT:   assembly.for_nonzeros
// CHECK:       assembly.finish
func.func @csr_to_ell(%A: tensor<?x?xf64, #csr>) -> tensor<?x?xf64, #ell> {
  %B = tin.convert %A : tensor<?x?xf64, #csr> -> tensor<?x?xf64, #ell>
  func.return %B : tensor<?x?xf64, #ell>
}

// -----

#coo = #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>
#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>

// Edges in the order of the rows, from the rows' counts; columns arrive in order, so nothing sorts.

// CHECK-LABEL: func.func @coo_to_csr
// CHECK:       %[[NIR:.*]] = query.select "select [i] -> count(j) as nir"
// CHECK:       assembly.open of %A using ("1.nir" = %[[NIR]]
// CHECK:       assembly.init_edges %B 1 sequenced
// CHECK:       assembly.for_parents %B 1 (%p, %i)
// CHECK:         assembly.insert_edges %B 1(%p, %i) sequenced
// CHECK-NOT:   assembly.sort
// CHECK:       assembly.for_nonzeros
// CHECK:         assembly.yield_pos %B 1
// CHECK:       assembly.finalize_pos %B 1
func.func @coo_to_csr(%A: tensor<?x?xf64, #coo>) -> tensor<?x?xf64, #csr> {
  %B = tin.convert %A : tensor<?x?xf64, #coo> -> tensor<?x?xf64, #csr>
  func.return %B : tensor<?x?xf64, #csr>
}

// -----

#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>
#bcsr = #format.spec<(i, j) -> (i / 2 : dense, j / 2 : compressed, i % 2 : dense, j % 2 : dense)>

// Blocks do not arrive together, but those of a block row do: stamps find the different ones.

// CHECK-LABEL: func.func @csr_to_bcsr
// CHECK-NOT:   assembly.sort %
// CHECK:       assembly.for_nonzeros
// CHECK:         %[[NEW:.*]] = assembly.stamp %B 1(%pB1, %l)
// CHECK:         assembly.append %B{{.*}} if %[[NEW]] counting
// CHECK-NOT:   assembly.sort %
// CHECK:       func.return
func.func @csr_to_bcsr(%A: tensor<?x?xf64, #csr>) -> tensor<?x?xf64, #bcsr> {
  %B = tin.convert %A : tensor<?x?xf64, #csr> -> tensor<?x?xf64, #bcsr>
  func.return %B : tensor<?x?xf64, #bcsr>
}
