// RUN: tamale-opt %s -p iterate-locate | filecheck %s

!vec = tensor<?xf64>
!dense = tensor<?x?xf64>
!colmajor = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : dense)>>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
!rows = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : dense)>>

// The guide's SpGEMM: B stores every row, so A's columns are iterated and B's row is located.
// CHECK-LABEL: @spgemm(
// CHECK:      optimised {
// CHECK-NEXT:   cin.forall i in U.i with A.i = i {
// CHECK-NEXT:     cin.forall j in A.j with B.j = j {
// CHECK-NEXT:       cin.forall k in B.k {
func.func @spgemm(%A: !csr, %B: !csr) {
  %Z = cin.kernel Z(i,k) of (A(i,j) = %A, B(j,k) = %B) : !dense {
    cin.forall i in A.i {
      cin.forall j in A.j & B.j {
        cin.forall k in B.k {
          cin.assign Z(i,k) += A(i,j) * B(j,k)
        }
      }
    }
  }
  func.return
}

// The guide's csr addition: every row is located in both, the columns are merged.
// CHECK-LABEL: @csr_add(
// CHECK:      cin.forall i in U.i with A.i = i, B.i = i {
// CHECK-NEXT:   cin.forall j in A.j | B.j {
func.func @csr_add(%A: !csr, %B: !csr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : !csr {
    cin.forall i in A.i | B.i {
      cin.forall j in A.j | B.j {
        cin.assign Z(i,j) = A(i,j) + B(i,j)
      }
    }
  }
  func.return
}

// In a union with a dense operand the universe drives, and the sparse one selects the case.
// CHECK-LABEL: @csr_plus_dense(
// CHECK:      cin.forall i in U.i with A.i = i, D.i = i {
// CHECK-NEXT:   cin.forall j in A.j | U.j with D.j = j {
func.func @csr_plus_dense(%A: !csr, %D: !dense) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, D(i,j) = %D) : !dense {
    cin.forall i in A.i | D.i {
      cin.forall j in A.j | D.j {
        cin.assign Z(i,j) = A(i,j) + D(i,j)
      }
    }
  }
  func.return
}

// Near miss: nothing of two compressed levels can be computed; they are merged.
// CHECK-LABEL: @compressed(
// CHECK:      optimised {
// CHECK-NEXT:   cin.forall i in A.i & B.i {
// CHECK-NEXT:     cin.forall j in A.j & ~B.j {
func.func @compressed(%A: !dcsr, %B: !dcsr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : !dcsr {
    cin.forall i in A.i & B.i {
      cin.forall j in A.j & ~B.j {
        cin.assign Z(i,j) = unless(A(i,j), B(i,j))
      }
    }
  }
  func.return
}

// D stores j first: the loop of i cannot locate it yet, the loop of j locates both levels.
// CHECK-LABEL: @discordant(
// CHECK:      cin.forall i in a.i {
// CHECK-NEXT:   cin.forall j in U.j with D.j = j, D.i = i {
func.func @discordant(%a: !sv, %D: !colmajor) {
  %Z = cin.kernel Z(i,j) of (a(i) = %a, D(i,j) = %D) : !dense {
    cin.forall i in a.i & D.i {
      cin.forall j in D.j {
        cin.assign Z(i,j) = a(i) * D(i,j)
      }
    }
  }
  func.return
}

// A full level below a compressed one is located, but stays in the domain: its row may be absent.
// CHECK-LABEL: @below_sparse(
// CHECK:      cin.forall i in R.i | a.i {
// CHECK-NEXT:   cin.forall j in R.j | U.j with R.j = j {
func.func @below_sparse(%R: !rows, %a: !sv) {
  %Z = cin.kernel Z(i,j) of (R(i,j) = %R, a(i) = %a) : !dense {
    cin.forall i in R.i | a.i {
      cin.forall j in R.j | U.j {
        cin.assign Z(i,j) = R(i,j) + a(i)
      }
    }
  }
  func.return
}

// Producers and consumers each locate what they use, below what the loops outside have located.
// CHECK-LABEL: @where(
// CHECK:      cin.forall i in U.i with b.i = i, A.i = i {
// CHECK:        } producing t {
// CHECK-NEXT:     cin.forall j in A.j with x.j = j {
func.func @where(%A: !csr, %x: !vec, %b: !vec) {
  %y = cin.kernel y(i) of (A(i,j) = %A, x(j) = %x, b(i) = %b) : !vec {
    cin.forall i in b.i | A.i {
      cin.where {
        cin.assign y(i) = b(i) - t
      } producing t {
        cin.forall j in A.j & x.j {
          cin.assign t += A(i,j) * x(j)
        }
      }
    }
  }
  func.return
}

// An optimised kernel is left alone.
// CHECK-LABEL: @twice(
// CHECK:      cin.forall i in a.i with x.i = i {
func.func @twice(%a: !sv, %x: !vec) {
  %z = cin.kernel z(i) of (a(i) = %a, x(i) = %x) : !sv optimised {
    cin.forall i in a.i with x.i = i {
      cin.assign z(i) = a(i) * x(i)
    }
  }
  func.return
}
