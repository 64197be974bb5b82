// RUN: tamale-opt %s -p insert-workspaces | filecheck %s

// A tail: the last levels of a result that store every coordinate, below a sparse one.

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!rows = tensor<?x?xf64, #format.spec<(i, r) -> (i : compressed, r : dense)>>
!mat = tensor<?x?xf64>

// A reduction inside of the loops of the levels above accumulates in the block of its entry.
// CHECK-LABEL: @in_place(
// CHECK:      cin.forall i in A.i & U.i {
// CHECK-NEXT:   cin.forall k in A.k & C.k {
// CHECK-NEXT:     cin.forall r in C.r {
// CHECK-NEXT:       cin.assign Z(i,r) += A(i,k) * C(k,r)
// CHECK-NOT:  cin.where
func.func @in_place(%A: !csr, %C: !mat) {
  %Z = cin.kernel Z(i,r) of (A(i,k) = %A, C(k,r) = %C) : !rows {
    cin.forall i in A.i & U.i {
      cin.forall k in A.k & C.k {
        cin.forall r in C.r {
          cin.assign Z(i,r) += A(i,k) * C(k,r)
        }
      }
    }
  }
  func.return
}

// An innermost reduction gets its scalar as elsewhere.
// CHECK-LABEL: @innermost(
// CHECK:      cin.forall r in U.r {
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     cin.assign Z(i,r) = t
// CHECK-NEXT:   } producing t {
// CHECK-NEXT:     cin.forall k in A.k & C.k {
// CHECK-NEXT:       cin.assign t += A(i,k) * C(k,r)
func.func @innermost(%A: !csr, %C: !mat) {
  %Z = cin.kernel Z(i,r) of (A(i,k) = %A, C(k,r) = %C) : !rows {
    cin.forall i in A.i & U.i {
      cin.forall r in U.r {
        cin.forall k in A.k & C.k {
          cin.assign Z(i,r) += A(i,k) * C(k,r)
        }
      }
    }
  }
  func.return
}

// Near miss: without a tail, the same loops need a list.
// CHECK-LABEL: @no_tail(
// CHECK:      } producing w(r) : dense sorted {
// CHECK-NEXT:   cin.forall k in A.k & C.k {
// CHECK-NEXT:     cin.forall r in C.r {
// CHECK-NEXT:       cin.assign w(r) += A(i,k) * C(k,r)
func.func @no_tail(%A: !csr, %C: !mat) {
  %Z = cin.kernel Z(i,r) of (A(i,k) = %A, C(k,r) = %C) : !csr {
    cin.forall i in A.i & U.i {
      cin.forall k in A.k & C.k {
        cin.forall r in C.r {
          cin.assign Z(i,r) += A(i,k) * C(k,r)
        }
      }
    }
  }
  func.return
}
