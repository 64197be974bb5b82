// RUN: tamale-opt %s -p insert-workspaces | filecheck %s
// RUN: tamale-opt %s -p 'insert-workspaces{search=hash}' | filecheck %s --check-prefix=HASH

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!csc = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
!rows = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed(nonordered))>>
!pile = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed(nonunique, nonordered))>>
!csf = tensor<?x?x?xf64, #format.spec<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>>

// A reduction around the loop of the last level scatters into it: a list takes the entries of a row,
// and is sorted because csr promises order.
// CHECK-LABEL: @spgemm(
// CHECK:      cin.forall i in A.i & U.i {
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     cin.forall j in w.j {
// CHECK-NEXT:       cin.assign Z(i,j) = w(j)
// CHECK-NEXT:     }
// CHECK-NEXT:   } producing w(j) : dense sorted {
// CHECK-NEXT:     cin.forall k in A.k & B.k {
// CHECK-NEXT:       cin.forall j in B.j {
// CHECK-NEXT:         cin.assign w(j) += A(i,k) * B(k,j)
// HASH-LABEL:  @spgemm(
// HASH:       } producing w(j) : hash sorted {
func.func @spgemm(%A: !csr, %B: !csr) {
  %Z = cin.kernel Z(i,j) of (A(i,k) = %A, B(k,j) = %B) : !csr {
    cin.forall i in A.i & U.i {
      cin.forall k in A.k & B.k {
        cin.forall j in B.j {
          cin.assign Z(i,j) += A(i,k) * B(k,j)
        }
      }
    }
  }
  func.return
}

// A level without order takes the entries as they came. The name is free in the kernel.
// CHECK-LABEL: @unordered(
// CHECK:      cin.forall j in w_.j {
// CHECK-NEXT:   cin.assign Z(i,j) = w_(j)
// CHECK-NEXT: }
// CHECK-NEXT: } producing w_(j) : dense {
// CHECK-NEXT:   cin.forall k in A.k & w.k {
// CHECK-NEXT:     cin.forall j in w.j {
// CHECK-NEXT:       cin.assign w_(j) += A(i,k) * w(k,j)
// HASH-LABEL:  @unordered(
// HASH:       } producing w_(j) : hash {
func.func @unordered(%A: !csr, %w: !csr) {
  %Z = cin.kernel Z(i,j) of (A(i,k) = %A, w(k,j) = %w) : !rows {
    cin.forall i in A.i {
      cin.forall k in A.k & w.k {
        cin.forall j in w.j {
          cin.assign Z(i,j) += A(i,k) * w(k,j)
        }
      }
    }
  }
  func.return
}

// A vector has no level above its last one: the list lies around all loops.
// CHECK-LABEL: @column_sums(
// CHECK:      cin.where {
// CHECK-NEXT:   cin.forall j in w.j {
// CHECK-NEXT:     cin.assign z(j) = w(j)
// CHECK-NEXT:   }
// CHECK-NEXT: } producing w(j) : dense sorted {
// CHECK-NEXT:   cin.forall i in A.i {
// CHECK-NEXT:     cin.forall j in A.j {
// CHECK-NEXT:       cin.assign w(j) += A(i,j)
func.func @column_sums(%A: !csr) {
  %z = cin.kernel z(j) of (A(i,j) = %A) : !sv {
    cin.forall i in A.i {
      cin.forall j in A.j {
        cin.assign z(j) += A(i,j)
      }
    }
  }
  func.return
}

// The list lies as deep as it can: inside of the loops of all levels but the last.
// CHECK-LABEL: @csf(
// CHECK:      cin.forall i in X.i {
// CHECK-NEXT:   cin.forall j in X.j {
// CHECK-NEXT:     cin.where {
// CHECK-NEXT:       cin.forall l in w.l {
// CHECK-NEXT:         cin.assign Z(i,j,l) = w(l)
// CHECK-NEXT:       }
// CHECK-NEXT:     } producing w(l) : dense sorted {
// CHECK-NEXT:       cin.forall k in X.k & B.k {
func.func @csf(%X: !csf, %B: !csr) {
  %Z = cin.kernel Z(i,j,l) of (X(i,j,k) = %X, B(k,l) = %B) : !csf {
    cin.forall i in X.i {
      cin.forall j in X.j {
        cin.forall k in X.k & B.k {
          cin.forall l in B.l {
            cin.assign Z(i,j,l) += X(i,j,k) * B(k,l)
          }
        }
      }
    }
  }
  func.return
}

// A reduction inside as well: its scalar is added to the list.
// CHECK-LABEL: @scalar_inside(
// CHECK:      cin.assign Z(i,j) = w(j)
// CHECK-NEXT: }
// CHECK-NEXT: } producing w(j) : dense sorted {
// CHECK-NEXT:   cin.forall k in A.k & X.k {
// CHECK-NEXT:     cin.forall j in X.j {
// CHECK-NEXT:       cin.where {
// CHECK-NEXT:         cin.assign w(j) += t
// CHECK-NEXT:       } producing t {
// CHECK-NEXT:         cin.forall l in X.l {
// CHECK-NEXT:           cin.assign t += A(i,k) * X(k,j,l)
func.func @scalar_inside(%A: !dcsr, %X: !csf) {
  %Z = cin.kernel Z(i,j) of (A(i,k) = %A, X(k,j,l) = %X) : !dcsr {
    cin.forall i in A.i {
      cin.forall k in A.k & X.k {
        cin.forall j in X.j {
          cin.forall l in X.l {
            cin.assign Z(i,j) += A(i,k) * X(k,j,l)
          }
        }
      }
    }
  }
  func.return
}

// Near misses. A result that may hold duplicates takes every share as an entry of its own.
// CHECK-LABEL: @piled(
// CHECK-NOT:  cin.where
// CHECK:      cin.forall j in B.j {
// CHECK-NEXT:   cin.assign Z(i,j) += A(i,k) * B(k,j)
func.func @piled(%A: !csr, %B: !csr) {
  %Z = cin.kernel Z(i,j) of (A(i,k) = %A, B(k,j) = %B) : !pile {
    cin.forall i in A.i {
      cin.forall k in A.k & B.k {
        cin.forall j in B.j {
          cin.assign Z(i,j) += A(i,k) * B(k,j)
        }
      }
    }
  }
  func.return
}

// The reduction is innermost: a scalar does.
// CHECK-LABEL: @innermost(
// CHECK-NOT:  producing w
// CHECK:      cin.where {
// CHECK-NEXT:   cin.assign Z(i,j) = t
// CHECK-NEXT: } producing t {
func.func @innermost(%A: !csr, %B: !csc) {
  %Z = cin.kernel Z(i,j) of (A(i,k) = %A, B(k,j) = %B) : !dcsr {
    cin.forall i in A.i {
      cin.forall j in B.j {
        cin.forall k in A.k & B.k {
          cin.assign Z(i,j) += A(i,k) * B(k,j)
        }
      }
    }
  }
  func.return
}

// A kernel may ask for a hash table of its own.
// CHECK-LABEL: @hashed(
// CHECK-NOT:  hashed
// CHECK:      } producing w(j) : hash sorted {
func.func @hashed(%A: !csr) {
  %y = cin.kernel y(j) of (A(i,j) = %A) : !sv hashed {
    cin.forall i in A.i {
      cin.forall j in A.j {
        cin.assign y(j) += A(i,j)
      }
    }
  }
  func.return
}
