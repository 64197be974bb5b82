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

// A level that exists in full cannot be appended to below one that does not.
// CHECK:      insert-workspaces: level 2 ('j : dense') of the result Z cannot be appended to
// CHECK-SAME:   below a sparse level, in the format (i, j) -> (i : compressed, j : dense)
// CHECK-NEXT:   help: compute into csr, csf or coo, and convert
!rows = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : dense)>>
func.func @rows(%A: !rows) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A) : !rows {
    cin.forall i in A.i {
      cin.forall j in A.j {
        cin.assign Z(i,j) = A(i,j)
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
