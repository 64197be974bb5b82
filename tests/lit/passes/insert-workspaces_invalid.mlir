// RUN: tamale-opt %s -p insert-workspaces --verify-diagnostics --split-input-file | filecheck %s

// Outer products scatter over both modes of Z; a list takes the entries of its last level only.
// CHECK:      insert-workspaces: the sparse result of  Z(i,k) += A(i,j) * B(j,k)  would be scattered
// CHECK-SAME:   into by the loops j, i, k; Z ((i, j) -> (i : dense, j : compressed)) can only append
// CHECK-NEXT:   help: store the result dense, or the operands so that the reduction is innermost
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!csc = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>
func.func @outer_products(%A: !csc, %B: !csr) {
  %Z = cin.kernel Z(i,k) of (A(i,j) = %A, B(j,k) = %B) : !csr {
    cin.forall j in A.j & B.j {
      cin.forall i in A.i {
        cin.forall k in B.k {
          cin.assign Z(i,k) += A(i,j) * B(j,k)
        }
      }
    }
  }
  func.return
}

// -----

// A level that exists in full cannot be appended to between two that do not.
// CHECK:      insert-workspaces: level 2 ('j : dense') of the result Z cannot be appended to
// CHECK-SAME:   below a sparse level, in the format (i, j, k) -> (i : compressed, j : dense, k : compressed)
// CHECK-NEXT:   help: compute into csr, csf or coo, and convert
!mid = tensor<?x?x?xf64, #format.spec<(i, j, k) -> (i : compressed, j : dense, k : compressed)>>
func.func @between(%A: !mid) {
  %Z = cin.kernel Z(i,j,k) of (A(i,j,k) = %A) : !mid {
    cin.forall i in A.i {
      cin.forall j in A.j {
        cin.forall k in A.k {
          cin.assign Z(i,j,k) = A(i,j,k)
        }
      }
    }
  }
  func.return
}

// -----

// A reduction outside of an appended level would come to an entry again, block and all.
// CHECK:      insert-workspaces: the sparse result of  Z(i,r) += A(k,i) * C(k,r)  would be scattered
// CHECK-SAME:   into by the loops k, i, r; Z ((i, r) -> (i : compressed, r : dense)) can only append
!rows = tensor<?x?xf64, #format.spec<(i, r) -> (i : compressed, r : dense)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @outside(%A: !csr, %C: tensor<?x?xf64>) {
  %Z = cin.kernel Z(i,r) of (A(k,i) = %A, C(k,r) = %C) : !rows {
    cin.forall k in A.k & C.k {
      cin.forall i in A.i {
        cin.forall r in C.r {
          cin.assign Z(i,r) += A(k,i) * C(k,r)
        }
      }
    }
  }
  func.return
}

// -----

// A block starts from 0, which is no maximum of negative numbers.
// CHECK:      insert-workspaces: the sparse result of  Z(i,r) max= A(i,k) * C(k,r)  would be scattered
// CHECK-SAME:   into by the loops i, k, r; Z (
!rows = tensor<?x?xf64, #format.spec<(i, r) -> (i : compressed, r : dense)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @maximum_in_tail(%A: !csr, %C: tensor<?x?xf64>) {
  %Z = cin.kernel Z(i,r) of (A(i,k) = %A, C(k,r) = %C) : !rows {
    cin.forall i in A.i {
      cin.forall k in A.k | U.k {
        cin.forall r in C.r {
          cin.assign Z(i,r) max= A(i,k) * C(k,r)
        }
      }
    }
  }
  func.return
}

// -----

// Entries that are absent count in a maximum, and a list does not see them.
// CHECK:      insert-workspaces: the sparse result of  Z(i,j) max= A(i,k) * B(k,j)  would be
// CHECK-SAME:   scattered into by the loops i, k, j; Z (
// CHECK-NEXT:   a list of entries does not serve: absent ones count under 'max'
// CHECK-NEXT:   help: store the result dense
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @maximum(%A: !csr, %B: !csr) {
  %Z = cin.kernel Z(i,j) of (A(i,k) = %A, B(k,j) = %B) : !csr {
    cin.forall i in A.i {
      cin.forall k in A.k & B.k | U.k {
        cin.forall j in B.j | U.j {
          cin.assign Z(i,j) max= A(i,k) * B(k,j)
        }
      }
    }
  }
  func.return
}
