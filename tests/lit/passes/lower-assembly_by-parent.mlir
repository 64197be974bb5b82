// RUN: tamale-opt -p plan-conversion,lower-queries,rewrite-queries,iterate-locate,build-lattices,lower-lattices,lower-assembly %s | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!ucoo = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonordered))>>
!bcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j / 2 : compressed, i % 2 : dense, j % 2 : dense)>>

// A stamp is the parent that a coordinate was met below last; it is never cleared. Ranks are
// written once a parent.
// CHECK-LABEL: @csr_to_bcsr(
// CHECK:       %last_parent = memref.alloc
// CHECK:         memref.store %[[NONE:.*]], %last_parent[%c]
// CHECK:       cfir.pos_bounds %A 1
// CHECK:         %[[LAST:.*]] = memref.load %last_parent[%l]
// CHECK:         %[[NEW:.*]] = arith.cmpi ne, %[[LAST]], %pB1
// CHECK:         memref.store %pB1, %last_parent[%l]
// CHECK:         scf.if %[[NEW]] {
// CHECK:           assembly.count_edge %B 1(%pB1)
// CHECK:       memref.dealloc %last_parent
// CHECK:       assembly.finalize_edges %B 1
// CHECK:         assembly.insert_coord %B 1
// CHECK:       %rank = memref.alloc
// CHECK:         %[[OLD:.*]] = memref.load %ranked_parent[]
// CHECK:         arith.cmpi ne, %{{[^ ]*}}, %[[OLD]]
// CHECK:           cfir.pos_bounds %B 1
// CHECK:             %[[PLACE:.*]] = arith.index_cast %p{{[^ ]*}} : index to i32
// CHECK:             memref.store %[[PLACE]], %rank[
// CHECK:         memref.load %rank[%{{.*}}] : memref<?xi32>
// CHECK:       memref.dealloc %rank
func.func @csr_to_bcsr(%A: !csr) -> !bcsr {
  %B = tin.convert %A : !csr -> !bcsr
  func.return %B : !bcsr
}

// Few coordinates of a row are inserted one by one, many are sorted by digits: values move along.
// CHECK-LABEL: @ucoo_to_csr(
// CHECK:       assembly.finalize_pos %B 1
// CHECK:       %longest = memref.alloca
// CHECK:       cfir.pos_bounds %B 1
// CHECK:         %[[SHORT:.*]] = arith.cmpi sle, %size
// CHECK:         scf.if %[[SHORT]] {
// CHECK:           scf.while
// CHECK:             assembly.insert_coord %B 1
// CHECK:             assembly.store
// CHECK:         } else {
// CHECK:           %bits
// CHECK:           memref.store %{{[^ ]*}}, %scratch_vals[
// CHECK:           assembly.insert_coord %B 1
// CHECK:           assembly.store
// CHECK-NOT:   assembly.sort_segments
// CHECK:       assembly.finish
func.func @ucoo_to_csr(%A: !ucoo) -> !csr {
  %B = tin.convert %A : !ucoo -> !csr
  func.return %B : !csr
}
