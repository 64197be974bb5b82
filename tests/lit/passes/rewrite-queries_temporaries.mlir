// RUN: tamale-opt %s -p rewrite-queries | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!multi = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed(nonunique))>>

// inline-temporary: who reads W(r,c) may as well read the entry of which it is made.
// CHECK-LABEL: @inline(
// CHECK-NEXT:    %Q = cin.kernel Q(i) of (A(i,j) = %A) : tensor<?xi64> zeroed {
// CHECK-NEXT:      cin.forall i in A.i {
// CHECK-NEXT:        cin.forall j in A.j {
// CHECK-NEXT:          cin.assign Q(i) max= map(A(i,j), j + 1)
func.func @inline(%A: !csr) -> tensor<?xi64> {
  %W = cin.kernel W(i,j) of (A(i,j) = %A) : tensor<?x?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign W(i,j) = map(A(i,j), 1) } }
  }
  %Q = cin.kernel Q(r) of (W(r,c) = %W) : tensor<?xi64> zeroed {
    cin.forall c in W.c { cin.forall r in U.r { cin.let k = c / 2 { cin.assign Q(r) max= map(W(r,c), c + 1) } } }
  }
  func.return %Q : tensor<?xi64>
}

// The consumer's lets come along, in the producer's names; those that are taken change.
// CHECK-LABEL: @inline_lets(
// CHECK:           cin.forall j in A.j {
// CHECK-NEXT:        cin.let j_ = i / 2 below (dim_i - 1) / 2 + 1 {
// CHECK-NEXT:          cin.assign A_(j_) += map(A(i,j), j + 1)
func.func @inline_lets(%A: !csr) -> tensor<?xi64> {
  %W = cin.kernel W(i,j) of (A(i,j) = %A) : tensor<?x?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign W(i,j) = map(A(i,j), 1) } }
  }
  %Q = cin.kernel A(j) of (W(r,c) = %W) : tensor<?xi64> zeroed {
    cin.forall r in W.r { cin.forall c in W.c {
      cin.let j = r / 2 below (dim_r - 1) / 2 + 1 { cin.assign A(j) += map(W(r,c), c + 1) }
    } }
  }
  func.return %Q : tensor<?xi64>
}

// Near miss: W has another use.
// CHECK-LABEL: @two_uses(
// CHECK:         cin.assign W(i,j) = map(A(i,j), 1)
// CHECK:         cin.assign Q(i) += W(i,j)
func.func @two_uses(%A: !csr) -> (tensor<?xi64>, tensor<?x?xi64>) {
  %W = cin.kernel W(i,j) of (A(i,j) = %A) : tensor<?x?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign W(i,j) = map(A(i,j), 1) } }
  }
  %Q = cin.kernel Q(i) of (W(i,j) = %W) : tensor<?xi64> zeroed {
    cin.forall i in W.i { cin.forall j in W.j { cin.assign Q(i) += W(i,j) } }
  }
  func.return %Q, %W : tensor<?xi64>, tensor<?x?xi64>
}

// Near miss: entries with equal coordinates count once.
// CHECK-LABEL: @duplicates(
// CHECK:         cin.assign W(i,j) |= map(A(i,j), 1)
// CHECK:         cin.assign Q(i) += map(W(i,j), 1)
func.func @duplicates(%A: !multi) -> tensor<?xi64> {
  %W = cin.kernel W(i,j) of (A(i,j) = %A) : tensor<?x?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign W(i,j) |= map(A(i,j), 1) } }
  }
  %Q = cin.kernel Q(i) of (W(i,j) = %W) : tensor<?xi64> zeroed {
    cin.forall i in W.i { cin.forall j in W.j { cin.assign Q(i) += map(W(i,j), 1) } }
  }
  func.return %Q : tensor<?xi64>
}

// Near miss: the consumer counts also where W is 0.
// CHECK-LABEL: @not_zero(
// CHECK:         cin.assign W(i,j) = map(A(i,j), 1)
// CHECK:         cin.assign Q(i) += W(i,j) + 1
func.func @not_zero(%A: !csr) -> tensor<?xi64> {
  %W = cin.kernel W(i,j) of (A(i,j) = %A) : tensor<?x?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign W(i,j) = map(A(i,j), 1) } }
  }
  %Q = cin.kernel Q(i) of (W(i,j) = %W) : tensor<?xi64> zeroed {
    cin.forall i in W.i { cin.forall j in W.j { cin.assign Q(i) += W(i,j) + 1 } }
  }
  func.return %Q : tensor<?xi64>
}

// Near miss: of the entries of a column, W has one.
// CHECK-LABEL: @overwritten(
// CHECK:         cin.assign W(j) = map(A(i,j), 1)
// CHECK:         cin.assign Q += map(W(j), 1)
func.func @overwritten(%A: !csr) -> tensor<i64> {
  %W = cin.kernel W(j) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign W(j) = map(A(i,j), 1) } }
  }
  %Q = cin.kernel Q of (W(j) = %W) : tensor<i64> zeroed {
    cin.forall j in W.j { cin.assign Q += map(W(j), 1) }
  }
  func.return %Q : tensor<i64>
}

// Near miss: the consumer numbers all elements, also those where nothing is stored.
// CHECK-LABEL: @numbered(
// CHECK:         cin.assign W(i,j) = map(A(i,j), 1)
// CHECK:         cin.assign Q(i) += map(W(i,j), k)
func.func @numbered(%A: !csr) -> tensor<?xi64> {
  %W = cin.kernel W(i,j) of (A(i,j) = %A) : tensor<?x?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign W(i,j) = map(A(i,j), 1) } }
  }
  %Q = cin.kernel Q(i) of (W(i,j) = %W) : tensor<?xi64> zeroed {
    cin.forall i in W.i { cin.forall j in W.j { cin.let k = #i { cin.assign Q(i) += map(W(i,j), k) } } }
  }
  func.return %Q : tensor<?xi64>
}

// Near miss: the consumer does not read all of W.
// CHECK-LABEL: @diagonal_only(
// CHECK:         cin.assign W(i,j) = map(A(i,j), 1)
// CHECK:         cin.assign Q(i) = map(W(i,j), 1)
func.func @diagonal_only(%A: !csr) -> tensor<?xi64> {
  %W = cin.kernel W(i,j) of (A(i,j) = %A) : tensor<?x?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign W(i,j) = map(A(i,j), 1) } }
  }
  %Q = cin.kernel Q(i) of (W(i,j) = %W) : tensor<?xi64> zeroed {
    cin.forall i in W.i { cin.let j = i within dim_j { cin.assign Q(i) += map(W(i,j), 1) } }
  }
  func.return %Q : tensor<?xi64>
}

// counter-to-histogram: the number of the last entry of a row is their count.
// CHECK-LABEL: @histogram(
// CHECK:         %W = cin.kernel W(i) of (A(i,j) = %A) : tensor<?xi64> zeroed {
// CHECK:           cin.assign W(i) += map(A(i,j), 1)
// CHECK:         %Q = cin.kernel Q of (W(i) = %W) : tensor<i64> zeroed {
// CHECK-NEXT:      cin.forall i in W.i {
// CHECK-NEXT:        cin.assign Q max= W(i)
func.func @histogram(%A: tensor<?x?xf64>) -> tensor<i64> {
  %Q = cin.kernel Q of (A(i,j) = %A) : tensor<i64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j {
      cin.let k = #i { cin.assign Q max= map(A(i,j), k + 1) }
    } }
  }
  func.return %Q : tensor<i64>
}

// A group that follows from the row is found again behind the histogram.
// CHECK-LABEL: @histogram_of_slices(
// CHECK:           cin.forall i in A.i {
// CHECK-NEXT:        cin.let s = i / 4 below (dim_i - 1) / 4 + 1 {
// CHECK-NEXT:          cin.assign Q(s) max= width(A(i,j))
func.func @histogram_of_slices(%A: !csr) -> tensor<?xi64> {
  %Q = cin.kernel Q(s) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.let s = i / 4 below (dim_i - 1) / 4 + 1 { cin.forall j in A.j {
      cin.let k = #i { cin.assign Q(s) max= map(A(i,j), k + 1) }
    } } }
  }
  func.return %Q : tensor<?xi64>
}

// Near miss: an entry's number in its row says nothing about its column.
// CHECK-LABEL: @other_group(
// CHECK:           cin.let k = #i {
// CHECK-NEXT:        cin.assign Q(j) max= map(A(i,j), k + 1)
func.func @other_group(%A: !csr) -> tensor<?xi64> {
  %Q = cin.kernel Q(j) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j {
      cin.let k = #i { cin.assign Q(j) max= map(A(i,j), k + 1) }
    } }
  }
  func.return %Q : tensor<?xi64>
}

// Near miss: the histogram of rows does not know how many columns there are.
// CHECK-LABEL: @other_size(
// CHECK:         cin.let s = i + dim_j
// CHECK:         cin.assign Q(s) max= map(A(i,j), k + 1)
func.func @other_size(%A: !csr) -> tensor<?xi64> {
  %Q = cin.kernel Q(s) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.let s = i + dim_j below dim_i + dim_j { cin.forall j in A.j {
      cin.let k = #i { cin.assign Q(s) max= map(A(i,j), k + 1) }
    } } }
  }
  func.return %Q : tensor<?xi64>
}

// Near miss: a sum of numbers is no count.
// CHECK-LABEL: @sum_of_numbers(
// CHECK:         cin.assign Q += map(A(i,j), k + 1)
func.func @sum_of_numbers(%A: !csr) -> tensor<i64> {
  %Q = cin.kernel Q of (A(i,j) = %A) : tensor<i64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j {
      cin.let k = #i { cin.assign Q += map(A(i,j), k + 1) }
    } }
  }
  func.return %Q : tensor<i64>
}
