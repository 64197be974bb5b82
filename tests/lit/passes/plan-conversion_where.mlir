// RUN: tamale-opt %s -p plan-conversion | filecheck %s
// RUN: tamale-opt %s -p plan-conversion,lower-queries,rewrite-queries,concretize,simplify-domains,insert-workspaces,iterate-locate,build-lattices,lower-lattices,lower-assembly | filecheck %s --check-prefix LOOPS
#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>
#coo = #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>
#ell = #format.spec<(i, j) -> (#i : sliced, i : dense, j : singleton)>
#any = #format.spec<(r, c) -> (r : compressed(nonunique), c : singleton(nonunique))>

// The list of selected entries is the target: entries are counted, then stored.
// CHECK-LABEL: @list
// CHECK-NOT:   query.select
// CHECK:       assembly.init_edges %B 0
// CHECK-NEXT:  assembly.for_nonzeros %A for %B (%i, %j, %value) where "#i >= 2 && j != i"
// CHECK-NEXT:  assembly.count_edge %B 0
// CHECK:       assembly.for_nonzeros %A for %B ({{.*}}) where "#i >= 2 && j != i"
// CHECK:       assembly.store
// CHECK-NOT:   assembly.open

// A counter of the rule counts every entry, and the comparison guards what the loop does.
// LOOPS-LABEL: @list
// LOOPS:       %count = memref.alloc
// LOOPS:       %k = memref.load %count
// LOOPS:       arith.cmpi sge, %k
// LOOPS:       arith.cmpi ne, %j
// LOOPS:       %selected = arith.andi
// LOOPS-NEXT:  scf.if %selected {
// LOOPS:       assembly.count_edge
func.func @list(%A: tensor<?x?xf64, #csr>) -> tensor<?x?xf64, #coo> {
  %B = tin.convert %A where "#i >= 2 && j != i" : tensor<?x?xf64, #csr> -> tensor<?x?xf64, #coo>
  func.return %B : tensor<?x?xf64, #coo>
}

// Another target is made from the list by the ordinary road; its queries see the list only.
// CHECK-LABEL: @converted
// CHECK:       assembly.for_nonzeros %A for {{.*}} where "#i < 2"
// CHECK:       %selected = assembly.finish
// CHECK:       query.select "select [] -> max(k) as max_crd" of %selected
// CHECK:       assembly.for_nonzeros %selected for
// CHECK-NOT:   where
func.func @converted(%A: tensor<?x?xf64, #csr>) -> tensor<?x?xf64, #ell> {
  %B = tin.convert %A where "#i < 2" : tensor<?x?xf64, #csr> -> tensor<?x?xf64, #ell>
  func.return %B : tensor<?x?xf64, #ell>
}

// Duplicates are summed before a rule counts; modes are called as in the source's format.
// CHECK-LABEL: @summed
// CHECK:       assembly.for_nonzeros %A for %B (%r, %c, %value) : tensor
// CHECK:       assembly.for_nonzeros %{{.*}} where "#r < 2"
func.func @summed(%A: tensor<?x?xf64, #any>) -> tensor<?x?xf64, #coo> {
  %B = tin.convert %A where "#r < 2" : tensor<?x?xf64, #any> -> tensor<?x?xf64, #coo>
  func.return %B : tensor<?x?xf64, #coo>
}

// Near miss: a rule over modes alone takes the source as it is.
// CHECK-LABEL: @not_summed
// CHECK:       assembly.for_nonzeros %A for %{{.*}} where "c < 2"
func.func @not_summed(%A: tensor<?x?xf64, #any>) -> tensor<?x?xf64, #coo> {
  %B = tin.convert %A where "c < 2" : tensor<?x?xf64, #any> -> tensor<?x?xf64, #coo>
  func.return %B : tensor<?x?xf64, #coo>
}
