// RUN: tamale-opt %s -p rewrite-queries | filecheck %s

!coo = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dense = tensor<?x?xf64>
!multi = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed(nonunique))>>

// reduction-to-assign: both loops index W.
// CHECK-LABEL: @assign(
// CHECK:         cin.assign W(j,i) = map(A(i,j), 1)
func.func @assign(%A: !coo) -> tensor<?x?xi64> {
  %W = cin.kernel W(j,i) of (A(i,j) = %A) : tensor<?x?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j {
      cin.assign W(j,i) |= map(A(i,j), 1)
    } }
  }
  func.return %W : tensor<?x?xi64>
}

// reduction-to-assign: a let that tells the loop is as good.
// CHECK-LABEL: @assign_let(
// CHECK:         cin.assign W(i,k) = map(A(i,j), 1)
func.func @assign_let(%A: !coo) -> tensor<?x?xi64> {
  %W = cin.kernel W(i,k) of (A(i,j) = %A) : tensor<?x?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j {
      cin.let k = j - i + dim_i - 1 below dim_i + dim_j - 1 { cin.assign W(i,k) |= map(A(i,j), 1) }
    } }
  }
  func.return %W : tensor<?x?xi64>
}

// Near miss: the loop of i is a reduction.
// CHECK-LABEL: @assign_reduction(
// CHECK:         cin.assign W(j) |= map(A(i,j), 1)
func.func @assign_reduction(%A: !coo) -> tensor<?xi64> {
  %W = cin.kernel W(j) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j {
      cin.assign W(j) |= map(A(i,j), 1)
    } }
  }
  func.return %W : tensor<?xi64>
}

// Near miss: there may be several entries at (i, j).
// CHECK-LABEL: @assign_duplicates(
// CHECK:         cin.assign W(i,j) += map(A(i,j), 1)
func.func @assign_duplicates(%A: !multi) -> tensor<?x?xi64> {
  %W = cin.kernel W(i,j) of (A(i,j) = %A) : tensor<?x?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j {
      cin.assign W(i,j) += map(A(i,j), 1)
    } }
  }
  func.return %W : tensor<?x?xi64>
}

// Near miss: max(0, e) is e only where e is not negative.
// CHECK-LABEL: @assign_negative(
// CHECK:         cin.assign W(i,j) max= map(A(i,j), -1)
func.func @assign_negative(%A: !csr) -> tensor<?x?xi64> {
  %W = cin.kernel W(i,j) of (A(i,j) = %A) : tensor<?x?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j {
      cin.assign W(i,j) max= map(A(i,j), -1)
    } }
  }
  func.return %W : tensor<?x?xi64>
}

// map-fold: a count other than 0 is an entry; constants.
// CHECK-LABEL: @fold(
// CHECK:         cin.assign Q(j) += map(A(i,j), 6)
func.func @fold(%A: !csr) -> tensor<?xi64> {
  %Q = cin.kernel Q(j) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j {
      cin.assign Q(j) += map(map(map(A(i,j), 3), 2 * 3), map(1, 6)) * 1
    } }
  }
  func.return %Q : tensor<?xi64>
}

// Near miss: 0 would hide what is stored.
// CHECK-LABEL: @fold_zero(
// CHECK:         cin.assign Q(j) += map(map(A(i,j), 0), 5)
func.func @fold_zero(%A: !csr) -> tensor<?xi64> {
  %Q = cin.kernel Q(j) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j {
      cin.assign Q(j) += map(map(A(i,j), 0), 5)
    } }
  }
  func.return %Q : tensor<?xi64>
}

// A let that nothing uses goes, a kernel too.
// CHECK-LABEL: @unused(
// CHECK-NOT:     cin.let
// CHECK-COUNT-1: cin.kernel
// CHECK-NOT:     cin.kernel
// CHECK:         func.return
func.func @unused(%A: !coo) -> tensor<?xi64> {
  %P = cin.kernel P(i) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign P(i) |= map(A(i,j), 1) } }
  }
  %Q = cin.kernel Q(j) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j {
      cin.let k = i / 2 { cin.assign Q(j) += map(A(i,j), 1) }
    } }
  }
  func.return %Q : tensor<?xi64>
}

// Near miss: a let that keeps padding out stays.
// CHECK-LABEL: @unused_within(
// CHECK:         cin.let k = i + j within 5
func.func @unused_within(%A: !dense) -> tensor<?xi64> {
  %Q = cin.kernel Q(j) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j {
      cin.let k = i + j within 5 { cin.assign Q(j) += map(A(i,j), 1) }
    } }
  }
  func.return %Q : tensor<?xi64>
}

// Near miss: what computes other numbers is no query.
// CHECK-LABEL: @no_query(
// CHECK:         cin.assign y(i,j) += A(i,j)
func.func @no_query(%A: !csr) -> tensor<?x?xf64> {
  %y = cin.kernel y(i,j) of (A(i,j) = %A) : tensor<?x?xf64> {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign y(i,j) += A(i,j) } }
  }
  func.return %y : tensor<?x?xf64>
}
