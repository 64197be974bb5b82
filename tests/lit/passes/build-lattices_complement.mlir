// RUN: tamale-opt %s -p build-lattices | filecheck %s

!dense = tensor<?x?xf64>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>

// A mask makes a case that produces nothing, and has to come first.
// CHECK-LABEL: @mask(
// CHECK:      cfir.lattice i over a.i & ~m.i
// CHECK-NEXT: case a.i & m.i {
// CHECK-NEXT: }
// CHECK-NEXT: case a.i {
// CHECK-NEXT:   cfir.append z(i) = a(i)
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func @mask(%a: !sv, %m: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, m(i) = %m) : !sv optimised {
    cin.forall i in a.i & ~m.i {
      cin.assign z(i) = unless(a(i), m(i))
    }
  }
  func.return
}

// xor: where both are, nothing is; no case walks the universe.
// CHECK-LABEL: @exclusive_or(
// CHECK:      case a.i & b.i {
// CHECK-NEXT: }
// CHECK-NEXT: case a.i {
// CHECK-NEXT:   cfir.append z(i) = a(i)
// CHECK-NEXT: }
// CHECK-NEXT: case b.i {
// CHECK-NEXT:   cfir.append z(i) = b(i)
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func @exclusive_or(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv optimised {
    cin.forall i in (a.i | b.i) & ~(a.i & b.i) {
      cin.assign z(i) = a(i) + b(i)
    }
  }
  func.return
}

// A row of M says nothing about its columns yet: outside, M only selects the case.
// CHECK-LABEL: @nested_mask(
// CHECK:      cfir.lattice i over A.i & (M.i | U.i)
// CHECK-NEXT: case A.i & M.i {
// CHECK-NEXT:   cfir.lattice j over A.j & ~M.j
// CHECK-NEXT:   case A.j & M.j {
// CHECK-NEXT:   }
// CHECK-NEXT:   case A.j {
// CHECK-NEXT:     cfir.append Z(i,j) = A(i,j)
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: case A.i {
// CHECK-NEXT:   cfir.lattice j over A.j
// CHECK-NEXT:   case A.j {
// CHECK-NEXT:     cfir.append Z(i,j) = A(i,j)
func.func @nested_mask(%A: !dcsr, %M: !dcsr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, M(i,j) = %M) : !dcsr optimised {
    cin.forall i in A.i & ~M.i {
      cin.forall j in A.j & ~M.j {
        cin.assign Z(i,j) = unless(A(i,j), M(i,j))
      }
    }
  }
  func.return
}

// Near miss: a mask that i resolves is exact there; inside it is all or nothing.
// CHECK-LABEL: @row_mask(
// CHECK:      cfir.lattice i over A.i & ~m.i
// CHECK-NEXT: case A.i & m.i {
// CHECK-NEXT: }
// CHECK-NEXT: case A.i {
// CHECK-NEXT:   cfir.lattice j over A.j
// CHECK-NEXT:   case A.j {
// CHECK-NEXT:     cfir.append Z(i,j) = A(i,j)
func.func @row_mask(%A: !dcsr, %m: !sv) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, m(i) = %m) : !dcsr optimised {
    cin.forall i in A.i & ~m.i {
      cin.forall j in A.j & ~m.i {
        cin.assign Z(i,j) = unless(A(i,j), m(i))
      }
    }
  }
  func.return
}

// A complement alone is found by walking everything; below an absent row it is the universe.
// CHECK-LABEL: @complement(
// CHECK:      cfir.lattice i over M.i | U.i
// CHECK-NEXT: case M.i {
// CHECK-NEXT:   cfir.lattice j over ~M.j
// CHECK-NEXT:   case M.j {
// CHECK-NEXT:   }
// CHECK-NEXT:   case U.j {
// CHECK-NEXT:     cfir.assign Z(i,j) = s
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: case U.i {
// CHECK-NEXT:   cfir.lattice j over U.j
// CHECK-NEXT:   case U.j {
// CHECK-NEXT:     cfir.assign Z(i,j) = s
func.func @complement(%M: !dcsr, %s: tensor<f64>) {
  %Z = cin.kernel Z(i,j) of (M(i,j) = %M, s = %s) : !dense optimised {
    cin.forall i in ~M.i {
      cin.forall j in ~M.j {
        cin.assign Z(i,j) = unless(s, M(i,j))
      }
    }
  }
  func.return
}

// A dense mask stores every coordinate: nothing is left to do.
// CHECK-LABEL: @dense_mask(
// CHECK:      cfir.kernel Z(i,j) of (A(i,j) = %A, D(i,j) = %D)
// CHECK-NEXT: }
func.func @dense_mask(%A: !csr, %D: !dense) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, D(i,j) = %D) : !csr optimised {
    cin.forall i in empty with A.i = i, D.i = i {
      cin.forall j in empty with D.j = j {
        cin.assign Z(i,j) = unless(A(i,j), D(i,j))
      }
    }
  }
  func.return
}
