// RUN: tamale-opt %s -p build-lattices | filecheck %s

!vec = tensor<?xf64>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>

// Where A has no row, nothing is summed: the scalar is its start, and the statement folds.
// CHECK-LABEL: @residual(
// CHECK:      case b.i & A.i {
// CHECK-NEXT:   cfir.where {
// CHECK-NEXT:     cfir.assign y(i) = b(i) - t
// CHECK-NEXT:   } producing t {
// CHECK-NEXT:     cfir.lattice j over A.j
// CHECK-NEXT:     case A.j {
// CHECK-NEXT:       cfir.assign t += A(i,j)
// CHECK:      case b.i {
// CHECK-NEXT:   cfir.assign y(i) = b(i)
// CHECK-NEXT: }
// CHECK-NEXT: case A.i {
// CHECK-NEXT:   cfir.where {
// CHECK-NEXT:     cfir.assign y(i) = -t
func.func @residual(%A: !dcsr, %b: !sv) {
  %y = cin.kernel y(i) of (b(i) = %b, A(i,j) = %A) : !vec optimised {
    cin.forall i in b.i | A.i {
      cin.where {
        cin.assign y(i) = b(i) - t
      } producing t {
        cin.forall j in A.j {
          cin.assign t += A(i,j)
        }
      }
    }
  }
  func.return
}

// A product with an absent sum is absent: neither the producer nor the workspace is left.
// CHECK-LABEL: @absent_factor(
// CHECK:      case b.i {
// CHECK-NEXT:   cfir.assign y(i) = absent(0)
// CHECK-NEXT: }
func.func @absent_factor(%A: !dcsr, %b: !sv) {
  %y = cin.kernel y(i) of (b(i) = %b, A(i,j) = %A) : !vec optimised {
    cin.forall i in b.i | A.i & b.i {
      cin.where {
        cin.assign y(i) = b(i) * t
      } producing t {
        cin.forall j in A.j {
          cin.assign t += A(i,j)
        }
      }
    }
  }
  func.return
}

// Adding nothing is no work: there is no case for an absent summand.
// CHECK-LABEL: @add_nothing(
// CHECK:      case A.j {
// CHECK-NEXT:   cfir.assign t += A(i,j)
// CHECK-NEXT: }
// CHECK-NEXT: case U.j {
// CHECK-NEXT: }
func.func @add_nothing(%A: !csr) {
  %y = cin.kernel y(i) of (A(i,j) = %A) : !vec optimised {
    cin.forall i in U.i with A.i = i {
      cin.where {
        cin.assign y(i) = t
      } producing t {
        cin.forall j in A.j | U.j {
          cin.assign t += A(i,j)
        }
      }
    }
  }
  func.return
}

// Near miss: an absent value counts in a maximum.
// CHECK-LABEL: @maximum(
// CHECK:      case A.j {
// CHECK-NEXT:   cfir.assign t max= A(i,j)
// CHECK-NEXT: }
// CHECK-NEXT: case U.j {
// CHECK-NEXT:   cfir.assign t max= absent(0)
func.func @maximum(%A: !csr) {
  %y = cin.kernel y(i) of (A(i,j) = %A) : !vec optimised {
    cin.forall i in U.i with A.i = i {
      cin.where {
        cin.assign y(i) = t
      } producing t {
        cin.forall j in A.j | U.j {
          cin.assign t max= A(i,j)
        }
      }
    }
  }
  func.return
}
