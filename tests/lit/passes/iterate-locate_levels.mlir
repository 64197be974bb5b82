// RUN: tamale-opt %s -p iterate-locate | filecheck %s

// Levels that store expressions: who is walked, who is located, and by what.

!dia = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>>
!ell = tensor<?x?xf64, #format.spec<(i, j) -> (#i : sliced, i : dense, j : singleton)>>
!bcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j / 3 : compressed, i % 2 : dense, j % 3 : dense)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>

// Range and offset are walked: their coordinates follow from those above.
// CHECK-LABEL: @dia(
// CHECK:       cin.forall j_sub_i in A.j_sub_i {
// CHECK-NEXT:    cin.forall i in A.i {
// CHECK-NEXT:      cin.forall j in A.j with x.j = j {
func.func @dia(%A: !dia, %x: tensor<?xf64>) {
  %y = cin.kernel y(i) of (A(i,j) = %A, x(j) = %x) : tensor<?xf64> {
    cin.forall j_sub_i in A.j_sub_i {
      cin.forall i in A.i {
        cin.forall j in A.j & x.j {
          cin.assign y(i) += A(i,j) * x(j)
        }
      }
    }
  }
  func.return
}

// Only A knows how many rows its blocks have: full levels are walked. x is located where j is bound.
// CHECK-LABEL: @bcsr(
// CHECK:       cin.forall i_div_2 in A.i_div_2 {
// CHECK-NEXT:    cin.forall j_div_3 in A.j_div_3 {
// CHECK-NEXT:      cin.forall i_mod_2 in A.i_mod_2 {
// CHECK-NEXT:        cin.let i = i_div_2 * 2 + i_mod_2 within dim_i {
// CHECK-NEXT:          cin.forall j_mod_3 in A.j_mod_3 {
// CHECK-NEXT:            cin.let j = j_div_3 * 3 + j_mod_3 within dim_j with x.j = j {
func.func @bcsr(%A: !bcsr, %x: tensor<?xf64>) {
  %y = cin.kernel y(i) of (A(i,j) = %A, x(j) = %x) : tensor<?xf64> {
    cin.forall i_div_2 in A.i_div_2 {
      cin.forall j_div_3 in A.j_div_3 {
        cin.forall i_mod_2 in A.i_mod_2 {
          cin.let i = i_div_2 * 2 + i_mod_2 within dim_i {
            cin.forall j_mod_3 in A.j_mod_3 {
              cin.let j = j_div_3 * 3 + j_mod_3 within dim_j {
                cin.assign y(i) += A(i,j) * x(j)
              }
            }
          }
        }
      }
    }
  }
  func.return
}

// Near miss: two tensors share the loops, so that both can be located; block rows may lack a block.
// CHECK-LABEL: @two_bcsr(
// CHECK:       cin.forall i_div_2 in U.i_div_2 with A.i_div_2 = i_div_2, B.i_div_2 = i_div_2 {
// CHECK-NEXT:    cin.forall j_div_3 in A.j_div_3 | B.j_div_3 {
// CHECK-NEXT:      cin.forall i_mod_2 in A.i_mod_2 | B.i_mod_2 with A.i_mod_2 = i_mod_2, B.i_mod_2 = i_mod_2 {
func.func @two_bcsr(%A: !bcsr, %B: !bcsr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : tensor<?x?xf64> {
    cin.forall i_div_2 in A.i_div_2 | B.i_div_2 {
      cin.forall j_div_3 in A.j_div_3 | B.j_div_3 {
        cin.forall i_mod_2 in A.i_mod_2 | B.i_mod_2 {
          cin.let i = i_div_2 * 2 + i_mod_2 within dim_i {
            cin.forall j_mod_3 in A.j_mod_3 | B.j_mod_3 {
              cin.let j = j_div_3 * 3 + j_mod_3 within dim_j {
                cin.assign Z(i,j) = A(i,j) + B(i,j)
              }
            }
          }
        }
      }
    }
  }
  func.return
}

// A plain full level below slots is located in each of them.
// CHECK-LABEL: @ell(
// CHECK:       cin.forall A1 in A.A1 {
// CHECK-NEXT:    cin.forall i in {{(A|U)}}.i with A.i = i {
// CHECK-NEXT:      cin.forall j in A.j with x.j = j {
func.func @ell(%A: !ell, %x: tensor<?xf64>) {
  %y = cin.kernel y(i) of (A(i,j) = %A, x(j) = %x) : tensor<?xf64> {
    cin.forall A1 in A.A1 {
      cin.forall i in A.i {
        cin.forall j in A.j & x.j {
          cin.assign y(i) += A(i,j) * x(j)
        }
      }
    }
  }
  func.return
}

// Slots inside of rows: the row is located once its slot has a position.
// CHECK-LABEL: @ell_rows_first(
// CHECK:       cin.forall i in U.i {
// CHECK-NEXT:    cin.forall A1 in A.A1 with A.i = i {
// CHECK-NEXT:      cin.forall j in A.j {
func.func @ell_rows_first(%A: !ell) {
  %y = cin.kernel y(i) of (A(i,j) = %A) : tensor<?xf64> {
    cin.forall i in A.i {
      cin.forall A1 in A.A1 {
        cin.forall j in A.j {
          cin.assign y(i) += A(i,j)
        }
      }
    }
  }
  func.return
}

// The let locates B's row, the loop inside walks it.
// CHECK-LABEL: @rows_by_let(
// CHECK:       cin.let j = j_div_3 * 3 + j_mod_3 within dim_j with B.j = j {
// CHECK-NEXT:    cin.forall k in B.k {
func.func @rows_by_let(%A: !bcsr, %B: !csr) {
  %y = cin.kernel y(k) of (A(i,j) = %A, B(j,k) = %B) : tensor<?xf64> {
    cin.forall i_div_2 in A.i_div_2 {
      cin.forall j_div_3 in A.j_div_3 {
        cin.forall i_mod_2 in A.i_mod_2 {
          cin.forall j_mod_3 in A.j_mod_3 {
            cin.let j = j_div_3 * 3 + j_mod_3 within dim_j {
              cin.forall k in B.k {
                cin.assign y(k) += A(i,j) * B(j,k)
              }
            }
          }
        }
      }
    }
  }
  func.return
}
