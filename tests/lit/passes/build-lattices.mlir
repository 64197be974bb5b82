// RUN: tamale-opt %s -p build-lattices | filecheck %s

!vec = tensor<?xf64>
!dense = tensor<?x?xf64>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>

// The guide's addition of two dcsr matrices: in each case only what is there is walked.
// CHECK-LABEL: @dcsr_add(
// CHECK:      cfir.lattice i over A.i | B.i
// CHECK-NEXT: case A.i & B.i {
// CHECK-NEXT:   cfir.lattice j over A.j | B.j
// CHECK-NEXT:   case A.j & B.j {
// CHECK-NEXT:     cfir.append Z(i,j) = A(i,j) + B(i,j)
// CHECK-NEXT:   }
// CHECK-NEXT:   case A.j {
// CHECK-NEXT:     cfir.append Z(i,j) = A(i,j)
// CHECK-NEXT:   }
// CHECK-NEXT:   case B.j {
// CHECK-NEXT:     cfir.append Z(i,j) = B(i,j)
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: case A.i {
// CHECK-NEXT:   cfir.lattice j over A.j
// CHECK-NEXT:   case A.j {
// CHECK-NEXT:     cfir.append Z(i,j) = A(i,j)
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: case B.i {
// CHECK-NEXT:   cfir.lattice j over B.j
// CHECK-NEXT:   case B.j {
// CHECK-NEXT:     cfir.append Z(i,j) = B(i,j)
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func @dcsr_add(%A: !dcsr, %B: !dcsr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : !dcsr optimised {
    cin.forall i in A.i | B.i {
      cin.forall j in A.j | B.j {
        cin.assign Z(i,j) = A(i,j) + B(i,j)
      }
    }
  }
  func.return
}

// Only one point of a product is not empty.
// CHECK-LABEL: @multiply(
// CHECK:      cfir.lattice i over a.i & b.i
// CHECK-NEXT: case a.i & b.i {
// CHECK-NEXT:   cfir.append z(i) = a(i) * b(i)
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func @multiply(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv optimised {
    cin.forall i in a.i & b.i {
      cin.assign z(i) = a(i) * b(i)
    }
  }
  func.return
}

// Three operands, seven points, each before those that need less.
// CHECK-LABEL: @three(
// CHECK:      case a.i & b.i & c.i {
// CHECK-NEXT:   cfir.assign z(i) = a(i) + b(i) - c(i)
// CHECK:      case a.i & b.i {
// CHECK-NEXT:   cfir.assign z(i) = a(i) + b(i)
// CHECK:      case a.i & c.i {
// CHECK-NEXT:   cfir.assign z(i) = a(i) - c(i)
// CHECK:      case a.i {
// CHECK-NEXT:   cfir.assign z(i) = a(i)
// CHECK:      case b.i & c.i {
// CHECK-NEXT:   cfir.assign z(i) = b(i) - c(i)
// CHECK:      case b.i {
// CHECK-NEXT:   cfir.assign z(i) = b(i)
// CHECK:      case c.i {
// CHECK-NEXT:   cfir.assign z(i) = -c(i)
func.func @three(%a: !sv, %b: !sv, %c: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b, c(i) = %c) : !vec optimised {
    cin.forall i in a.i | b.i | c.i {
      cin.assign z(i) = a(i) + b(i) - c(i)
    }
  }
  func.return
}

// When b or c runs out, so does their product; a alone is the only point left.
// CHECK-LABEL: @multiply_add(
// CHECK:      cfir.lattice i over a.i | b.i & c.i
// CHECK-NEXT: case a.i & b.i & c.i {
// CHECK-NEXT:   cfir.append z(i) = a(i) + b(i) * c(i)
// CHECK:      case a.i {
// CHECK-NEXT:   cfir.append z(i) = a(i)
// CHECK:      case b.i & c.i {
// CHECK-NEXT:   cfir.append z(i) = b(i) * c(i)
// CHECK-NOT:  case
func.func @multiply_add(%a: !sv, %b: !sv, %c: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b, c(i) = %c) : !sv optimised {
    cin.forall i in a.i | b.i & c.i {
      cin.assign z(i) = a(i) + b(i) * c(i)
    }
  }
  func.return
}

// Under a universe an operand selects the case; without it, the rest of the sum is left.
// CHECK-LABEL: @csr_plus_vector(
// CHECK:      cfir.lattice i over U.i with A.i = i, b.i = i
// CHECK-NEXT: case U.i {
// CHECK-NEXT:   cfir.lattice j over A.j | U.j
// CHECK-NEXT:   case A.j {
// CHECK-NEXT:     cfir.assign Z(i,j) = A(i,j) + b(i)
// CHECK-NEXT:   }
// CHECK-NEXT:   case U.j {
// CHECK-NEXT:     cfir.assign Z(i,j) = b(i)
func.func @csr_plus_vector(%A: !csr, %b: !vec) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, b(i) = %b) : !dense optimised {
    cin.forall i in U.i with A.i = i, b.i = i {
      cin.forall j in A.j | U.j {
        cin.assign Z(i,j) = A(i,j) + b(i)
      }
    }
  }
  func.return
}

// A universe that only an absent operand asked for goes with it: rows without b(i) are walked as stored.
// CHECK-LABEL: @dcsr_plus_sparse_vector(
// CHECK:      case A.i & b.i {
// CHECK-NEXT:   cfir.lattice j over A.j | U.j
// CHECK:      case A.i {
// CHECK-NEXT:   cfir.lattice j over A.j
// CHECK-NEXT:   case A.j {
// CHECK-NEXT:     cfir.append Z(i,j) = A(i,j)
// CHECK:      case b.i {
// CHECK-NEXT:   cfir.lattice j over U.j
// CHECK-NEXT:   case U.j {
// CHECK-NEXT:     cfir.append Z(i,j) = b(i)
func.func @dcsr_plus_sparse_vector(%A: !dcsr, %b: !sv) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, b(i) = %b) : !dcsr optimised {
    cin.forall i in A.i | b.i {
      cin.forall j in A.j | U.j {
        cin.assign Z(i,j) = A(i,j) + b(i)
      }
    }
  }
  func.return
}

// A function's value at an absent operand is computed here: exp(0) = 1.
// CHECK-LABEL: @exponential(
// CHECK:      case a.i {
// CHECK-NEXT:   cfir.assign z(i) = exp(a(i)) * x(i)
// CHECK:      case U.i {
// CHECK-NEXT:   cfir.assign z(i) = x(i)
func.func @exponential(%a: !sv, %x: !vec) {
  %z = cin.kernel z(i) of (a(i) = %a, x(i) = %x) : !vec optimised {
    cin.forall i in a.i | U.i with x.i = i {
      cin.assign z(i) = exp(a(i)) * x(i)
    }
  }
  func.return
}

// Near miss: a zero that the user wrote stays.
// CHECK-LABEL: @written_zero(
// CHECK:      case a.i {
// CHECK-NEXT:   cfir.append z(i) = a(i) + 0
func.func @written_zero(%a: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a) : !sv optimised {
    cin.forall i in a.i {
      cin.assign z(i) = a(i) + 0
    }
  }
  func.return
}
