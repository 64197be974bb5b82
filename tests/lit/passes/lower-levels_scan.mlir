// RUN: tamale-opt %s -p lower-levels | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
!rows = tensor<?xi64, #format.spec<(i) -> (i : compressed)>>

// Counts are added up in 64 bits to the edges of the rows; what they come to has to fit the positions before anything is
// written, and is all the room there is.
// CHECK-LABEL: @scan(%n: index, %{{.*}}_dim1: index, %{{.*}}_dim2: index)
// CHECK:      %[[COUNTS:.*]] = memref.alloc
// CHECK:      %Z2_pos = memref.alloc
// CHECK:      %total = memref.alloca() : memref<index>
// CHECK:      scf.for %p = %{{.*}} to %Z1_count
// CHECK-NEXT:   %[[COUNT:.*]] = memref.load %[[COUNTS]][%p] : memref<?xi64>
// CHECK:        %[[SUM:.*]] = arith.addi
// CHECK-NEXT:   memref.store %[[SUM]], %total[]
// CHECK:        memref.store %{{.*}}, %Z2_pos[
// CHECK:      %[[TOTAL:.*]] = memref.load %total[]
// CHECK:      arith.cmpi sle, %[[TOTAL]]
// CHECK-NEXT: cf.assert %{{.*}}, "position overflow"
// CHECK:      %Z2_crd = memref.alloc
// CHECK:      %Z_vals = memref.alloc
// CHECK-NOT:  memref.realloc
// CHECK:      memref.load %Z2_pos[%n]
// CHECK:      memref.dealloc %[[COUNTS]]
// CHECK-NOT:  memref.dealloc
// CHECK:      func.return %Z2_pos, %Z2_crd, %Z_vals
func.func @scan(%n: index) -> !csr {
  %open = cfir.assemble dims(%n) : tensor<?xi64>
  %counts = cfir.finish %open : tensor<?xi64>
  %Z = assembly.scan %counts : tensor<?xi64> -> !csr
  %p = assembly.first_pos %Z 1(%n) : !csr
  %done = assembly.finish %Z : !csr
  func.return %done : !csr
}

// The levels of sparse counts become the first ones of the result. Only the counts themselves are given back.
// CHECK-LABEL: @levels(
// CHECK:      %Z1_pos = memref.alloc
// CHECK:      %Z1_crd = memref.alloc
// CHECK:      %n_vals = memref.alloc
// CHECK:      %Z2_pos = memref.alloc
// CHECK:      %Z2_crd = memref.alloc
// CHECK:      %Z_vals = memref.alloc
// CHECK-NOT:  memref.dealloc %Z1
// CHECK:      memref.dealloc %n_vals
// CHECK-NOT:  memref.dealloc
// CHECK:      func.return %Z1_pos, %Z1_crd, %Z2_pos, %Z2_crd, %Z_vals
func.func @levels(%size: index) -> !dcsr {
  %zero = arith.constant 0 : i64
  %open = cfir.assemble fill %zero : i64 : tensor<i64>
  %count = cfir.finish %open : tensor<i64>
  %n = assembly.scan %count dims(%size) : tensor<i64> -> !rows
  %counts = assembly.finish %n : !rows
  %Z = assembly.scan %counts : !rows -> !dcsr
  %done = assembly.finish %Z : !dcsr
  func.return %done : !dcsr
}
