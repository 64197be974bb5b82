// RUN: tamale-opt %s -p insert-workspaces | filecheck %s

// Which loops over levels are those of a reduction.

!dia = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>>
!bcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j / 3 : compressed, i % 2 : dense, j % 3 : dense)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>

// The row is known: its part of a block is summed up, and added to what other blocks gave.
// CHECK-LABEL: @blocks(
// CHECK:       cin.let i = i_div_2 * 2 + i_mod_2 within dim_i {
// CHECK-NEXT:    cin.where {
// CHECK-NEXT:      cin.assign y(i) += t
// CHECK-NEXT:    } producing t {
// CHECK-NEXT:      cin.forall j_mod_3 in A.j_mod_3 {
// CHECK-NEXT:        cin.let j = j_div_3 * 3 + j_mod_3 within dim_j {
// CHECK-NEXT:          cin.assign t += A(i,j) * x(j)
func.func @blocks(%A: !bcsr, %x: tensor<?xf64>) {
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

// No loop of a reduction goes around this one: the row is complete and assigned.
// CHECK-LABEL: @rows_in_parts(
// CHECK:       cin.let i = i_div_2 * 2 + i_mod_2 below dim_i {
// CHECK-NEXT:    cin.where {
// CHECK-NEXT:      cin.assign y(i) = t
func.func @rows_in_parts(%A: tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : compressed, i % 2 : compressed, j : compressed)>>) {
  %y = cin.kernel y(i) of (A(i,j) = %A) : tensor<?xf64> {
    cin.forall i_div_2 in A.i_div_2 {
      cin.forall i_mod_2 in A.i_mod_2 {
        cin.let i = i_div_2 * 2 + i_mod_2 below dim_i {
          cin.forall j in A.j {
            cin.assign y(i) += A(i,j)
          }
        }
      }
    }
  }
  func.return
}

// Near miss: one column per diagonal and row is no sum.
// CHECK-LABEL: @dia(
// CHECK:       cin.forall j in A.j & x.j {
// CHECK-NEXT:    cin.assign y(i) += A(i,j) * x(j)
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

// Near miss: only lets inside of the row.
// CHECK-LABEL: @lets_only(
// CHECK:       cin.let k = j + 1 {
// CHECK-NEXT:    cin.assign y(j) += k
func.func @lets_only(%A: !csr) {
  %y = cin.kernel y(j) of (A(i,j) = %A) : tensor<?xf64> {
    cin.forall i in A.i {
      cin.forall j in A.j {
        cin.let k = j + 1 {
          cin.assign y(j) += k
        }
      }
    }
  }
  func.return
}

// A row's maximum is assigned, unless the result starts from 0: it stays a maximum with that.
// CHECK-LABEL: @from_lowest(
// CHECK:       cin.forall i in A.i {
// CHECK-NEXT:    cin.where {
// CHECK-NEXT:      cin.assign q(i) = t
// CHECK-LABEL: @from_zero(
// CHECK:       cin.forall i in A.i {
// CHECK-NEXT:    cin.where {
// CHECK-NEXT:      cin.assign q(i) max= t
func.func @from_lowest(%A: !csr) {
  %q = cin.kernel q(i) of (A(i,j) = %A) : tensor<?xf64> {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign q(i) max= A(i,j) } }
  }
  func.return
}
func.func @from_zero(%A: !csr) {
  %q = cin.kernel q(i) of (A(i,j) = %A) : tensor<?xf64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign q(i) max= A(i,j) } }
  }
  func.return
}

// A maximum that does not fit a scalar visits every coordinate, unless the result starts from 0.
// CHECK-LABEL: @columns_from_lowest(
// CHECK:       cin.forall i in A.i | U.i {
// CHECK-NEXT:    cin.forall j in A.j | U.j {
// CHECK-LABEL: @columns_from_zero(
// CHECK:       cin.forall i in A.i {
// CHECK-NEXT:    cin.forall j in A.j {
func.func @columns_from_lowest(%A: !csr) {
  %q = cin.kernel q(j) of (A(i,j) = %A) : tensor<?xf64> {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign q(j) max= A(i,j) } }
  }
  func.return
}
func.func @columns_from_zero(%A: !csr) {
  %q = cin.kernel q(j) of (A(i,j) = %A) : tensor<?xf64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign q(j) max= A(i,j) } }
  }
  func.return
}
