// RUN: tamale-opt %s | tamale-opt | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!list = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonunique, nonordered))>>
!sorted = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))>>

// Every op prints as it is read.
// CHECK-LABEL: @ops(
// CHECK-NEXT:    %S = assembly.sort %A : tensor<{{.*}}> -> tensor<
// CHECK-NEXT:    %B = assembly.open of %S using ("1.nir" = %nir : tensor<?xi64>) : tensor<{{.*}}> -> tensor<
// CHECK-NEXT:    assembly.init_edges %B 1 sequenced : tensor<
// CHECK-NEXT:    assembly.for_parents %B 1 (%p, %i) : tensor<{{.*}}> {
// CHECK-NEXT:      assembly.insert_edges %B 1(%p, %i) sequenced : tensor<
// CHECK-NEXT:      assembly.count_edge %B 1(%p) : tensor<
// CHECK-NEXT:    }
// CHECK-NEXT:    assembly.finalize_edges %B 1 : tensor<
// CHECK-NEXT:    assembly.init_coords %B 1 : tensor<
// CHECK-NEXT:    assembly.init_pos %B 1 : tensor<
// CHECK-NEXT:    assembly.init_values %B zeroed : tensor<
// CHECK-NEXT:    assembly.for_nonzeros %S for %B (%r, %c, %v) : tensor<{{.*}}>, tensor<{{.*}}> {
// CHECK-NEXT:      %p1 = assembly.get_pos %B 0(%root, %r) : tensor<
// CHECK-NEXT:      %p2 = assembly.yield_pos %B 1(%p1) : tensor<
// CHECK-NEXT:      %new = assembly.first(%r, %c)
// CHECK-NEXT:      %p3 = assembly.append %B 1(%p1, %r, %c) if %new counting inserting : tensor<
// CHECK-NEXT:      assembly.insert_coord %B 1(%p1, %p2, %r, %c) : tensor<
// CHECK-NEXT:      %seen = assembly.stamp %B 1(%p1, %c) : tensor<
// CHECK-NEXT:      %p4 = assembly.rank %B 1(%p1, %r, %c) : tensor<
// CHECK-NEXT:      assembly.store %v into %B(%p3) adding : f64, tensor<
// CHECK-NEXT:    }
// CHECK-NEXT:    assembly.finalize_pos %B 1 : tensor<
// CHECK-NEXT:    assembly.sort_segments %B 1 : tensor<
// CHECK-NEXT:    assembly.sort_segments %B 1 with_values : tensor<
// CHECK-NEXT:    %C = assembly.finish %B : tensor<
func.func @ops(%A: !list, %nir: tensor<?xi64>, %root: index) -> !csr {
  %S = assembly.sort %A : !list -> !sorted
  %B = assembly.open of %S using ("1.nir" = %nir : tensor<?xi64>) : !sorted -> !csr
  assembly.init_edges %B 1 sequenced : !csr
  assembly.for_parents %B 1 (%p, %i) : !csr {
    assembly.insert_edges %B 1(%p, %i) sequenced : !csr
    assembly.count_edge %B 1(%p) : !csr
  }
  assembly.finalize_edges %B 1 : !csr
  assembly.init_coords %B 1 : !csr
  assembly.init_pos %B 1 : !csr
  assembly.init_values %B zeroed : !csr
  assembly.for_nonzeros %S for %B (%r, %c, %v) : !sorted, !csr {
    %p1 = assembly.get_pos %B 0(%root, %r) : !csr
    %p2 = assembly.yield_pos %B 1(%p1) : !csr
    %new = assembly.first(%r, %c)
    %p3 = assembly.append %B 1(%p1, %r, %c) if %new counting inserting : !csr
    assembly.insert_coord %B 1(%p1, %p2, %r, %c) : !csr
    %seen = assembly.stamp %B 1(%p1, %c) : !csr
    %p4 = assembly.rank %B 1(%p1, %r, %c) : !csr
    assembly.store %v into %B(%p3) adding : f64, !csr
  }
  assembly.finalize_pos %B 1 : !csr
  assembly.sort_segments %B 1 : !csr
  assembly.sort_segments %B 1 with_values : !csr
  %C = assembly.finish %B : !csr
  func.return %C : !csr
}

// Edges from counts: of all rows, or of those that are stored.
// CHECK-LABEL: @counted(
// CHECK-NEXT:  %Z = assembly.scan %n : tensor<?xi64> -> tensor<?x?xf64,
// CHECK-NEXT:  %p = assembly.first_pos %Z 1(%i) : tensor<?x?xf64,
// CHECK-NEXT:  assembly.end_edges %Z 1(%i, %p) : tensor<?x?xf64,
// CHECK-NEXT:  assembly.enlarge %Z 1(%p) : tensor<?x?xf64,
// CHECK-NEXT:  %Y = assembly.scan %rows dims(%i, %i) : tensor<?xi64, {{.*}}> -> tensor<?x?xf64,
// GENERIC-LABEL: "counted"
// GENERIC:       %p = "assembly.first_pos"(%Z, %i) <{level = 1 : i64}>
// GENERIC-NEXT:  "assembly.end_edges"(%Z, %i, %p) <{level = 1 : i64}>
// GENERIC-NEXT:  "assembly.enlarge"(%Z, %p) <{level = 1 : i64}>
// GENERIC-NEXT:  %Y = "assembly.scan"(%rows, %i, %i)
!counted_rows = tensor<?xi64, #format.spec<(i) -> (i : compressed)>>
!counted_csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!counted_dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
func.func @counted(%n: tensor<?xi64>, %rows: !counted_rows, %i: index) {
  %Z = assembly.scan %n : tensor<?xi64> -> !counted_csr
  %p = assembly.first_pos %Z 1(%i) : !counted_csr
  assembly.end_edges %Z 1(%i, %p) : !counted_csr
  assembly.enlarge %Z 1(%p) : !counted_csr
  %Y = assembly.scan %rows dims(%i, %i) : !counted_rows -> !counted_dcsr
  func.return
}

// How many workers share a loop, and clear blocks.
// CHECK-LABEL: @shared(
// CHECK-NEXT:    %B = assembly.open of %A workers 2 : tensor<
// CHECK-NEXT:    assembly.for_nonzeros %A for %B (%i, %j, %v) where "i < j" partitioned into 2 : tensor<
// GENERIC-LABEL: "shared"
// GENERIC:       "assembly.open"(%A) <{labels = [], workers = 2 : i64}>
// GENERIC:       "assembly.for_nonzeros"(%A, %B) <{parts = 2 : i64, where = "i < j"}>
func.func @shared(%A: !csr) {
  %B = assembly.open of %A workers 2 : !csr -> !csr
  assembly.for_nonzeros %A for %B (%i, %j, %v) where "i < j" partitioned into 2 : !csr, !csr {
    assembly.count_edge %B 1(%i) : !csr
  }
  func.return
}
