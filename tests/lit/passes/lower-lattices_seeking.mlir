// RUN: tamale-opt %s -p build-lattices | filecheck %s --check-prefix=LATTICE
// RUN: tamale-opt %s -p build-lattices,lower-lattices | filecheck %s
// RUN: tamale-opt %s -p 'build-lattices,plan-assembly{by=count}' | filecheck %s --check-prefix=COUNT

!vec = tensor<?xf64>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>

// Where b is behind a, it doubles its steps as long as it stays behind, and bisects the last one.
// LATTICE-LABEL: @two(
// LATTICE:         cfir.lattice i over a.i & b.i seeking b.i
// LATTICE-NEXT:    case a.i & b.i {
// CHECK-LABEL: @two(
// CHECK:         scf.if %at_a {
// CHECK:           memref.store %{{.*}}, %pa1[]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %pb1_low = memref.alloca() : memref<index>
// CHECK-NEXT:      memref.store %pb1_{{.*}}, %pb1_low[]
// CHECK-NEXT:      %pb1_step = memref.alloca() : memref<index>
// CHECK:           scf.while
// CHECK:             cfir.pos_access %b 0(%{{.*}})
// CHECK:             %[[BEHIND:.*]] = arith.cmpi slt, %{{.*}}, %ia : index
// CHECK-NEXT:        arith.andi %{{.*}}, %[[BEHIND]] : i1
// CHECK:           %high = memref.alloca() : memref<index>
// CHECK:           scf.while
// CHECK:             %[[HALF:.*]] = arith.shrsi
// CHECK-NEXT:        %middle = arith.addi %{{.*}}, %[[HALF]] : index
// CHECK-NEXT:        cfir.pos_access %b 0(%middle)
// CHECK:           memref.store %pb1_found, %pb1[]
func.func @two(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv optimised {
    cin.forall i in a.i & b.i seeking b.i { cin.assign z(i) = a(i) * b(i) }
  }
  func.return
}

// Of three, the last one that any stands at is sought.
// LATTICE-LABEL: @three(
// LATTICE:         cfir.lattice i over a.i & b.i & c.i seeking b.i, c.i
// CHECK-LABEL: @three(
// CHECK:         %i_wanted = arith.maxsi %ia, %ic : index
// CHECK:         memref.store %pb1_found, %pb1[]
// CHECK-NEXT:    %i_wanted_1 = arith.maxsi %ia, %ib : index
// CHECK:         memref.store %pc1_found, %pc1[]
func.func @three(%a: !sv, %b: !sv, %c: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b, c(i) = %c) : !sv optimised {
    cin.forall i in a.i & b.i & c.i seeking b.i, c.i { cin.assign z(i) = a(i) * b(i) * c(i) }
  }
  func.return
}

// Near miss: without `seeking`, b takes one step.
// CHECK-LABEL: @walked(
// CHECK-NOT:     pb1_low
// CHECK:         return
func.func @walked(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv optimised {
    cin.forall i in a.i & b.i { cin.assign z(i) = a(i) * b(i) }
  }
  func.return
}

// What counts entries before they are filled in seeks as well.
// COUNT-LABEL: @counted(
// COUNT:         cfir.lattice k over A.k & B.k seeking B.k
// COUNT:         assembly.scan
// COUNT:         cfir.lattice k over A.k & B.k seeking B.k
func.func @counted(%A: !dcsr, %B: !dcsr) {
  %Z = cin.kernel Z(i,j) of (A(i,k) = %A, B(k,j) = %B) : !dcsr optimised {
    cin.forall i in A.i {
      cin.where {
        cin.forall j in w.j { cin.assign Z(i,j) = w(j) }
      } producing w(j) : dense sorted {
        cin.forall k in A.k & B.k seeking B.k {
          cin.forall j in B.j { cin.assign w(j) += A(i,k) * B(k,j) }
        }
      }
    }
  }
  func.return
}
