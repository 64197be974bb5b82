// RUN: tamale-opt %s -p rewrite-queries | filecheck %s

!coo = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!csf = tensor<?x?x?xf64, #format.spec<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>>

// simplify-width-count: the entries of a row are counted by positions.
// CHECK-LABEL: @row(
// CHECK:         cin.forall i in A.i {
// CHECK-NEXT:      cin.assign Q(i) = width(A(i,j)) * 4
func.func @row(%A: !csr) -> tensor<?xi64> {
  %Q = cin.kernel Q(i) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign Q(i) += map(A(i,j), 4) } }
  }
  func.return %Q : tensor<?xi64>
}

// Over all loops, the count is the number of positions.
// CHECK-LABEL: @all(
// CHECK-NEXT:    %Q = cin.kernel Q of (A(i,j) = %A) : tensor<i64> zeroed {
// CHECK-NEXT:      cin.assign Q = width(A(i,j))
func.func @all(%A: !coo) -> tensor<i64> {
  %Q = cin.kernel Q of (A(i,j) = %A) : tensor<i64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign Q += map(A(i,j), 1) } }
  }
  func.return %Q : tensor<i64>
}

// Over several levels: the positions of the innermost between the first and the last.
// CHECK-LABEL: @several(
// CHECK:         cin.forall i in A.i {
// CHECK-NEXT:      cin.assign Q(i) = width(A(i,j,k))
func.func @several(%A: !csf) -> tensor<?xi64> {
  %Q = cin.kernel Q(i) of (A(i,j,k) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.forall k in A.k {
      cin.assign Q(i) += map(A(i,j,k), 1)
    } } }
  }
  func.return %Q : tensor<?xi64>
}

// Whether there is any.
// CHECK-LABEL: @any(
// CHECK:         cin.forall i in A.i {
// CHECK-NEXT:      cin.assign Q(i) = map(width(A(i,j)), 1)
func.func @any(%A: !csr) -> tensor<?xi64> {
  %Q = cin.kernel Q(i) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign Q(i) |= map(A(i,j), 1) } }
  }
  func.return %Q : tensor<?xi64>
}

// Near miss: each entry has another number.
// CHECK-LABEL: @no_constant(
// CHECK:         cin.assign Q(i) max= map(A(i,j), j + 1)
func.func @no_constant(%A: !csr) -> tensor<?xi64> {
  %Q = cin.kernel Q(i) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign Q(i) max= map(A(i,j), j + 1) } }
  }
  func.return %Q : tensor<?xi64>
}

// Near miss: the innermost loop is no reduction.
// CHECK-LABEL: @column(
// CHECK:         cin.assign Q(j) += map(A(i,j), 1)
func.func @column(%A: !csr) -> tensor<?xi64> {
  %Q = cin.kernel Q(j) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign Q(j) += map(A(i,j), 1) } }
  }
  func.return %Q : tensor<?xi64>
}

// Near miss: nor is it, through a let.
// CHECK-LABEL: @column_block(
// CHECK:         cin.assign Q(b) += map(A(i,j), 1)
func.func @column_block(%A: !csr) -> tensor<?xi64> {
  %Q = cin.kernel Q(b) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j {
      cin.let b = j / 2 below (dim_j - 1) / 2 + 1 { cin.assign Q(b) += map(A(i,j), 1) }
    } }
  }
  func.return %Q : tensor<?xi64>
}

// Near miss: a row of coo has no one position, and one entry below each.
// CHECK-LABEL: @coo_row(
// CHECK:         cin.assign Q(i) += map(A(i,j), 1)
func.func @coo_row(%A: !coo) -> tensor<?xi64> {
  %Q = cin.kernel Q(i) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign Q(i) += map(A(i,j), 1) } }
  }
  func.return %Q : tensor<?xi64>
}

// Near miss: zeros of a dense matrix are no entries.
// CHECK-LABEL: @dense_row(
// CHECK:         cin.assign Q(i) += map(A(i,j), 1)
func.func @dense_row(%A: tensor<?x?xf64>) -> tensor<?xi64> {
  %Q = cin.kernel Q(i) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j { cin.assign Q(i) += map(A(i,j), 1) } }
  }
  func.return %Q : tensor<?xi64>
}

// Near miss: a counter has to be reached at each entry.
// CHECK-LABEL: @counter(
// CHECK:         cin.forall j in A.j {
// CHECK-NEXT:      cin.let k = #i below dim_j {
// CHECK-NEXT:        cin.assign Q(k) += map(A(i,j), 1)
func.func @counter(%A: !csr) -> tensor<?xi64> {
  %Q = cin.kernel Q(k) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i in A.i { cin.forall j in A.j {
      cin.let k = #i below dim_j { cin.assign Q(k) += map(A(i,j), 1) }
    } }
  }
  func.return %Q : tensor<?xi64>
}
