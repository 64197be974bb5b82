// RUN: tamale-opt -p plan-conversion %s | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
!dok = tensor<?x?xf64, #format.spec<(i, j) -> (i : hashed, j : hashed)>>
!skyline = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : banded)>>

// Sequenced: rows are visited in order, and the query says how much room each needs.
// CHECK-LABEL: @sequenced(
// CHECK:       %[[W:.*]] = query.select "select [i] -> min(j) as w"
// CHECK:       assembly.open of %A using ("1.w" = %[[W]]
// CHECK:       assembly.init_edges %B 1 sequenced
// CHECK-NEXT:  assembly.for_parents %B 1 (%[[P:.*]], %[[I:.*]]) :
// CHECK-NEXT:    assembly.insert_edges %B 1(%[[P]], %[[I]]) sequenced
// CHECK-NOT:   assembly.finalize_edges
// CHECK:       func.return
func.func @sequenced(%A: !csr) -> !skyline {
  %B = tin.convert %A : !csr -> !skyline
  func.return %B : !skyline
}

// Unsequenced: positions of a hash table are in no order, so room is summed up at the end.
// CHECK-LABEL: @unsequenced(
// CHECK:       assembly.init_edges %B 1 :
// CHECK-NEXT:  assembly.for_parents %B 1
// CHECK-NEXT:    assembly.insert_edges %B 1(%{{.*}}, %{{.*}}) :
// CHECK-NEXT:  }
// CHECK-NEXT:  assembly.finalize_edges %B 1
func.func @unsequenced(%A: !csr) -> !dok {
  %B = tin.convert %A : !csr -> !dok
  func.return %B : !dok
}

// Counted: which rows there are shows only as the entries pass by; so do the rows' counts.
// CHECK-LABEL: @counted(
// CHECK-NOT:   query.select
// CHECK:       assembly.init_edges %B 0 :
// CHECK-NEXT:  assembly.for_nonzeros %A
// CHECK-NEXT:    %[[NEW:.*]] = assembly.first(%{{[^,]*}})
// CHECK-NEXT:    %{{.*}} = assembly.append %B 0({{.*}}) if %[[NEW]] counting :
// CHECK:       assembly.finalize_edges %B 0
// CHECK:       assembly.init_edges %B 1 :
// CHECK:         assembly.append %B 0({{.*}}) if %{{.*}} inserting
// CHECK-NEXT:    %{{.*}} = assembly.append %B 1({{.*}}) counting :
// CHECK:       assembly.finalize_edges %B 1
// CHECK-NOT:   assembly.for_parents
// CHECK:       func.return
func.func @counted(%A: !csr) -> !dcsr {
  %B = tin.convert %A : !csr -> !dcsr
  func.return %B : !dcsr
}
