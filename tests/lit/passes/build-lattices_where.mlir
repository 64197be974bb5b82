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

// A list belongs to each case that fills it, and to none that inserts nothing.
// CHECK-LABEL: @list(
// CHECK:      case A.i & c.i {
// CHECK-NEXT:   cfir.where {
// CHECK-NEXT:     cfir.lattice j over w.j
// CHECK-NEXT:     case w.j {
// CHECK-NEXT:       cfir.append Z(i,j) = w(j)
// CHECK-NEXT:     }
// CHECK-NEXT:   } producing w(j) : dense sorted {
// CHECK-NEXT:     cfir.lattice k over A.k with B.k = k
// CHECK-NEXT:     case A.k {
// CHECK-NEXT:       cfir.lattice j over B.j
// CHECK-NEXT:       case B.j {
// CHECK-NEXT:         cfir.assign w(j) += A(i,k) * B(k,j)
// CHECK:      case A.i {
// CHECK-NEXT:   cfir.where {
// CHECK:      case c.i {
// CHECK-NEXT: }
func.func @list(%A: !dcsr, %B: !csr, %c: !sv) {
  %Z = cin.kernel Z(i,j) of (A(i,k) = %A, B(k,j) = %B, c(i) = %c) : !dcsr optimised {
    cin.forall i in A.i | c.i {
      cin.where {
        cin.forall j in w.j { cin.assign Z(i,j) = w(j) }
      } producing w(j) : dense sorted {
        cin.forall k in A.k with B.k = k { cin.forall j in B.j { cin.assign w(j) += A(i,k) * B(k,j) } }
      }
    }
  }
  func.return
}

// Adding what is absent inserts nothing; what one operand alone has is inserted.
// CHECK-LABEL: @list_of_a_union(
// CHECK:      } producing w(j) : hash sorted {
// CHECK-NEXT:   cfir.lattice k over A.k | U.k with B.k = k
// CHECK-NEXT:   case A.k {
// CHECK-NEXT:     cfir.lattice j over B.j | U.j
// CHECK-NEXT:     case B.j {
// CHECK-NEXT:       cfir.assign w(j) += A(i,k) + B(k,j)
// CHECK-NEXT:     }
// CHECK-NEXT:     case U.j {
// CHECK-NEXT:       cfir.assign w(j) += A(i,k)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   case U.k {
// CHECK-NEXT:     cfir.lattice j over B.j
// CHECK-NEXT:     case B.j {
// CHECK-NEXT:       cfir.assign w(j) += B(k,j)
func.func @list_of_a_union(%A: !csr, %B: !csr) {
  %Z = cin.kernel Z(i,j) of (A(i,k) = %A, B(k,j) = %B) : !csr optimised {
    cin.forall i in U.i with A.i = i {
      cin.where {
        cin.forall j in w.j { cin.assign Z(i,j) = w(j) }
      } producing w(j) : hash sorted {
        cin.forall k in A.k | U.k with B.k = k { cin.forall j in B.j | U.j { cin.assign w(j) += A(i,k) + B(k,j) } }
      }
    }
  }
  func.return
}

// A product of nothing is 1, not 0: where B has no row, Z keeps its old value.
// CHECK-LABEL: @product_of_nothing(
// CHECK:      case B.i {
// CHECK-NEXT:   cfir.where {
// CHECK:      case U.i {
// CHECK-NEXT:   cfir.assign Z(i) = Z_in(i)
// CHECK-NEXT: }
func.func @product_of_nothing(%Z_in: tensor<?xf64>, %B: tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>) {
  %Z = cin.kernel Z(i) of (Z_in(i) = %Z_in, B(i,j) = %B) : tensor<?xf64> optimised {
    cin.forall i in B.i | U.i with Z_in.i = i {
      cin.where {
        cin.assign Z(i) = Z_in(i) * t
      } producing t {
        cin.forall j in B.j | U.j {
          cin.assign t *= exp(B(i,j))
        }
      }
    }
  }
  func.return
}

// Where A has no column, neither it nor x, which it is multiplied with, is walked: D is left.
// CHECK-LABEL: @annihilated(
// CHECK:        case A.k & D.k {
// CHECK-NEXT:     cfir.lattice i over A.i & x.i | D.i
// CHECK:        case D.k {
// CHECK-NEXT:     cfir.lattice i over D.i
// CHECK-NEXT:     case D.i {
// CHECK-NEXT:       cfir.assign Z(i,k) = D(i,k)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
func.func @annihilated(%A: tensor<?x?x?xf64, #format.spec<(k, i, j) -> (k : compressed, i : compressed, j : compressed)>>, %x: !sv, %D: tensor<?x?xf64, #format.spec<(i, k) -> (k : compressed, i : compressed)>>) {
  %Z = cin.kernel Z(i,k) of (A(k,i,j) = %A, x(i) = %x, D(i,k) = %D) : tensor<?x?xf64> optimised {
    cin.forall k in A.k | D.k {
      cin.forall i in A.i & x.i | D.i {
        cin.where {
          cin.assign Z(i,k) = t * x(i) + D(i,k)
        } producing t {
          cin.forall j in A.j | U.j {
            cin.assign t min= A(k,i,j)
          }
        }
      }
    }
  }
  func.return
}
