// RUN: tamale-opt %s -p insert-workspaces | filecheck %s

!vec = tensor<?xf64>
!dense = tensor<?x?xf64>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!csc = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>
!coo = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>>

// A reduction inside the loops of the result gets a scalar, and the result is assigned once.
// CHECK-LABEL: @spmv(
// CHECK:      cin.forall i in A.i {
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     cin.assign y(i) = t
// CHECK-NEXT:   } producing t {
// CHECK-NEXT:     cin.forall j in A.j & x.j {
// CHECK-NEXT:       cin.assign t += A(i,j) * x(j)
func.func @spmv(%A: !csr, %x: !vec) {
  %y = cin.kernel y(i) of (A(i,j) = %A, x(j) = %x) : !vec {
    cin.forall i in A.i {
      cin.forall j in A.j & x.j {
        cin.assign y(i) += A(i,j) * x(j)
      }
    }
  }
  func.return
}

// All reduction loops around the statement are one producer.
// CHECK-LABEL: @total(
// CHECK:      cin.where {
// CHECK-NEXT:   cin.assign z = t
// CHECK-NEXT: } producing t {
// CHECK-NEXT:   cin.forall i in A.i {
// CHECK-NEXT:     cin.forall j in A.j {
// CHECK-NEXT:       cin.assign t max= A(i,j)
func.func @total(%A: !csr) {
  %z = cin.kernel z of (A(i,j) = %A) : tensor<f64> {
    cin.forall i in A.i {
      cin.forall j in A.j {
        cin.assign z max= A(i,j)
      }
    }
  }
  func.return
}

// A reduction outside as well: the inner sum is added to the result; the name is free in the kernel.
// CHECK-LABEL: @partial_sums(
// CHECK:      cin.forall k in B.k {
// CHECK-NEXT:   cin.forall t in B.t {
// CHECK-NEXT:     cin.where {
// CHECK-NEXT:       cin.assign y(t) += t_
// CHECK-NEXT:     } producing t_ {
// CHECK-NEXT:       cin.forall j in x.j {
// CHECK-NEXT:         cin.assign t_ += B(k,t) * x(j)
func.func @partial_sums(%B: !csr, %x: !sv) {
  %y = cin.kernel y(t) of (B(k,t) = %B, x(j) = %x) : !vec {
    cin.forall k in B.k {
      cin.forall t in B.t {
        cin.forall j in x.j {
          cin.assign y(t) += B(k,t) * x(j)
        }
      }
    }
  }
  func.return
}

// A sparse result is assigned once too, and can append.
// CHECK-LABEL: @row_sums(
// CHECK:      cin.assign y(i) = t
// CHECK-NEXT: } producing t {
func.func @row_sums(%A: !csr) {
  %y = cin.kernel y(i) of (A(i,j) = %A) : !sv {
    cin.forall i in A.i {
      cin.forall j in A.j {
        cin.assign y(i) += A(i,j)
      }
    }
  }
  func.return
}

// Near misses. The result's own loop is innermost: y is scattered into.
// CHECK-LABEL: @scatter(
// CHECK-NOT:  cin.where
// CHECK:      cin.assign y(i) += A(i,j) * x(j)
func.func @scatter(%A: !csc, %x: !vec) {
  %y = cin.kernel y(i) of (A(i,j) = %A, x(j) = %x) : !vec {
    cin.forall j in A.j & x.j {
      cin.forall i in A.i {
        cin.assign y(i) += A(i,j) * x(j)
      }
    }
  }
  func.return
}

// Nothing is reduced.
// CHECK-LABEL: @copy(
// CHECK-NOT:  cin.where
// CHECK:      cin.assign Z(i,j) = A(i,j)
func.func @copy(%A: !csr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A) : !csr {
    cin.forall i in A.i {
      cin.forall j in A.j {
        cin.assign Z(i,j) = A(i,j)
      }
    }
  }
  func.return
}

// The reduction has its scalar already.
// CHECK-LABEL: @done(
// CHECK:      cin.assign y(i) = s
// CHECK-NEXT: } producing s {
// CHECK-NEXT:   cin.forall j in A.j {
// CHECK-NEXT:     cin.assign s += A(i,j)
func.func @done(%A: !csr) {
  %y = cin.kernel y(i) of (A(i,j) = %A) : !vec {
    cin.forall i in A.i {
      cin.where {
        cin.assign y(i) = s
      } producing s {
        cin.forall j in A.j {
          cin.assign s += A(i,j)
        }
      }
    }
  }
  func.return
}

// coo visits a row once per entry, and each entry adds its share.
// CHECK-LABEL: @duplicates(
// CHECK-NOT:  cin.where
// CHECK:      cin.assign y(i) += A(i,j)
func.func @duplicates(%A: !coo) {
  %y = cin.kernel y(i) of (A(i,j) = %A) : !vec {
    cin.forall i in A.i {
      cin.forall j in A.j {
        cin.assign y(i) += A(i,j)
      }
    }
  }
  func.return
}

// A maximum does not start from the result's 0, so it needs its scalar all the same.
// CHECK-LABEL: @duplicates_of_a_maximum(
// CHECK:      cin.assign y(i) = t
// CHECK:      cin.assign t max= A(i,j)
func.func @duplicates_of_a_maximum(%A: !coo) {
  %y = cin.kernel y(i) of (A(i,j) = %A) : !vec {
    cin.forall i in A.i {
      cin.forall j in A.j {
        cin.assign y(i) max= A(i,j)
      }
    }
  }
  func.return
}

// A mode that repeats another has no loop: the list is over the other, and binds it.
// CHECK-LABEL: @spread(
// CHECK:      cin.where {
// CHECK-NEXT:   cin.forall i in w.i {
// CHECK-NEXT:     cin.let i_ = i below dim_i_ {
// CHECK-NEXT:       cin.assign Z(i,i_) = w(i)
// CHECK:      } producing w(i) : dense sorted {
// CHECK-NEXT:   cin.forall j in A.j {
// CHECK-NEXT:     cin.forall i in A.i {
// CHECK-NEXT:       cin.let i_ = i below dim_i_ {
// CHECK-NEXT:         cin.assign w(i) += A(i,j)
func.func @spread(%A: !csc) {
  %Z = cin.kernel Z(i,i_) of (A(i,j) = %A) : !csr {
    cin.forall j in A.j {
      cin.forall i in A.i {
        cin.let i_ = i below dim_i_ {
          cin.assign Z(i,i_) += A(i,j)
        }
      }
    }
  }
  func.return
}
