// RUN: tamale-opt %s -p build-lattices | filecheck %s

// Lets stay where they are; a case without operands below them loses them.

!bcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j / 3 : compressed, i % 2 : dense, j % 3 : dense)>>
!bitmap = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : bitmap)>>
!skyline = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : banded)>>

// A full level that only A has is a case like any other.
// CHECK-LABEL: @blocks(
// CHECK:         cfir.lattice i_mod_2 over A.i_mod_2
// CHECK-NEXT:    case A.i_mod_2 {
// CHECK-NEXT:      cfir.let i = i_div_2 * 2 + i_mod_2 within dim_i {
// CHECK-NEXT:        cfir.lattice j_mod_3 over A.j_mod_3
// CHECK-NEXT:        case A.j_mod_3 {
// CHECK-NEXT:          cfir.let j = j_div_3 * 3 + j_mod_3 below dim_j with x.j = j {
// CHECK-NEXT:            cfir.assign y(i) += A(i,j) * x(j)
func.func @blocks(%A: !bcsr, %x: tensor<?xf64>) {
  %y = cin.kernel y(i) of (A(i,j) = %A, x(j) = %x) : tensor<?xf64> optimised {
    cin.forall i_div_2 in A.i_div_2 {
      cin.forall j_div_3 in A.j_div_3 {
        cin.forall i_mod_2 in A.i_mod_2 {
          cin.let i = i_div_2 * 2 + i_mod_2 within dim_i {
            cin.forall j_mod_3 in A.j_mod_3 {
              cin.let j = j_div_3 * 3 + j_mod_3 below dim_j with x.j = j {
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

// In a block that only A has, B is neither walked nor located.
// CHECK-LABEL: @two(
// CHECK:       case A.j_div_3 {
// CHECK-NEXT:    cfir.lattice i_mod_2 over U.i_mod_2 with A.i_mod_2 = i_mod_2
// CHECK-NEXT:    case U.i_mod_2 {
// CHECK-NEXT:      cfir.let i = i_div_2 * 2 + i_mod_2 within dim_i {
// CHECK-NEXT:        cfir.lattice j_mod_3 over U.j_mod_3 with A.j_mod_3 = j_mod_3
// CHECK:               cfir.assign Z(i,j) = A(i,j)
// CHECK:       case B.j_div_3 {
func.func @two(%A: !bcsr, %B: !bcsr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : tensor<?x?xf64> optimised {
    cin.forall i_div_2 in U.i_div_2 with A.i_div_2 = i_div_2, B.i_div_2 = i_div_2 {
      cin.forall j_div_3 in A.j_div_3 | B.j_div_3 {
        cin.forall i_mod_2 in A.i_mod_2 | B.i_mod_2 with A.i_mod_2 = i_mod_2, B.i_mod_2 = i_mod_2 {
          cin.let i = i_div_2 * 2 + i_mod_2 within dim_i {
            cin.forall j_mod_3 in A.j_mod_3 | B.j_mod_3 with A.j_mod_3 = j_mod_3, B.j_mod_3 = j_mod_3 {
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

// A product has nothing to do in a block that only one of them has: its loops and lets go.
// CHECK-LABEL: @product(
// CHECK:       case A.j_div_3 & B.j_div_3 {
// CHECK:         cfir.assign Z(i,j) = A(i,j) * B(i,j)
// CHECK-NOT:   cfir.let
// CHECK:       func.return
func.func @product(%A: !bcsr, %B: !bcsr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : tensor<?x?xf64> optimised {
    cin.forall i_div_2 in U.i_div_2 with A.i_div_2 = i_div_2, B.i_div_2 = i_div_2 {
      cin.forall j_div_3 in A.j_div_3 | B.j_div_3 {
        cin.forall i_mod_2 in U.i_mod_2 with A.i_mod_2 = i_mod_2, B.i_mod_2 = i_mod_2 {
          cin.let i = i_div_2 * 2 + i_mod_2 within dim_i {
            cin.forall j_mod_3 in U.j_mod_3 with A.j_mod_3 = j_mod_3, B.j_mod_3 = j_mod_3 {
              cin.let j = j_div_3 * 3 + j_mod_3 within dim_j {
                cin.assign Z(i,j) = A(i,j) * B(i,j)
              }
            }
          }
        }
      }
    }
  }
  func.return
}

// Levels that are walked by coordinate merge as those that are walked by position.
// CHECK-LABEL: @bits_and_bands(
// CHECK:         cfir.lattice j over A.j | B.j
// CHECK-NEXT:    case A.j & B.j {
// CHECK:         case A.j {
// CHECK:         case B.j {
func.func @bits_and_bands(%A: !bitmap, %B: !skyline) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : tensor<?x?xf64> optimised {
    cin.forall i in U.i with A.i = i, B.i = i {
      cin.forall j in A.j | B.j {
        cin.assign Z(i,j) = A(i,j) + B(i,j)
      }
    }
  }
  func.return
}

// A maximum that starts from 0 need not visit what is not stored, and says so below.
// CHECK-LABEL: @zeroed(
// CHECK:       : tensor<?xi64> zeroed {
// CHECK-NEXT:    cfir.lattice i over U.i with A.i = i
// CHECK:           cfir.lattice j over A.j
// CHECK-NEXT:      case A.j {
// CHECK-NEXT:        cfir.assign Q(i) max= j
func.func @zeroed(%A: !bitmap) {
  %Q = cin.kernel Q(i) of (A(i,j) = %A) : tensor<?xi64> zeroed optimised {
    cin.forall i in U.i with A.i = i {
      cin.forall j in A.j {
        cin.assign Q(i) max= j
      }
    }
  }
  func.return
}
