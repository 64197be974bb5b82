// RUN: tamale-opt %s -p narrow-queries | filecheck %s

!csc = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>
!wide = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed), pos = i64>>
!blocks = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j : compressed, i % 2 : dense)>>
!ell = tensor<?x?xf64, #format.spec<(i, j) -> (#i : sliced, i : dense, j : singleton)>>

// Positions of 32 bits count all entries, so they hold each count and the largest of them. A number
// by itself takes no memory.
// CHECK-LABEL: @counts(
// CHECK:         %W = cin.kernel W(i) of (A(i,j) = %A) : tensor<?xi32> zeroed
// CHECK:         %Q = cin.kernel Q(k) of (W(i) = %W) : tensor<?xi32> zeroed
// CHECK:         %max_crd = cin.kernel max_crd of (W(i) = %W) : tensor<i64> zeroed
func.func @counts(%A: !csc) {
  %W = cin.kernel W(i) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall j in A.j { cin.forall i in A.i { cin.assign W(i) += map(A(i,j), 1) } }
  }
  %Q = cin.kernel Q(k) of (W(i) = %W) : tensor<?xi64> zeroed {
    cin.forall i in W.i { cin.let k = i / 2 below (dim_i + 1) / 2 { cin.assign Q(k) max= W(i) } }
  }
  %max_crd = cin.kernel max_crd of (W(i) = %W) : tensor<i64> zeroed {
    cin.forall i in W.i { cin.assign max_crd max= W(i) }
  }
  %B = assembly.open of %A using ("0.max_crd" = %max_crd : tensor<i64>) : !csc -> !ell
  func.return
}

// A mark is a byte, and marks are no more than entries.
// CHECK-LABEL: @marks(
// CHECK:         %W = cin.kernel W(i,k) of (A(i,j) = %A) : tensor<?x?xi8> zeroed
// CHECK:         %Q = cin.kernel Q(i) of (W(i,k) = %W) : tensor<?xi32> zeroed
func.func @marks(%A: !csc) {
  %W = cin.kernel W(i,k) of (A(i,j) = %A) : tensor<?x?xi64> zeroed {
    cin.forall j in A.j { cin.let k = j / 2 below (dim_j + 1) / 2 { cin.forall i in A.i {
      cin.assign W(i,k) |= map(A(i,j), 1)
    } } }
  }
  %Q = cin.kernel Q(i) of (W(i,k) = %W) : tensor<?xi64> zeroed {
    cin.forall i in W.i { cin.forall k in W.k { cin.assign Q(i) += map(W(i,k), 1) } }
  }
  func.return
}

// Near miss: positions of 64 bits.
// CHECK-LABEL: @wide_positions(
// CHECK:         cin.kernel W(i) of (A(i,j) = %A) : tensor<?xi64> zeroed
func.func @wide_positions(%A: !wide) {
  %W = cin.kernel W(i) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall j in A.j { cin.forall i in A.i { cin.assign W(i) += map(A(i,j), 1) } }
  }
  func.return
}

// Near miss: each position has a block of entries below it.
// CHECK-LABEL: @blocks(
// CHECK:         cin.kernel W(j) of (A(i,j) = %A) : tensor<?xi64> zeroed
func.func @blocks(%A: !blocks) {
  %W = cin.kernel W(j) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall i_div_2 in A.i_div_2 { cin.forall j in A.j { cin.forall i_mod_2 in A.i_mod_2 {
      cin.assign W(j) += map(A(i,j), 1)
    } } }
  }
  func.return
}

// Near miss: nothing bounds a coordinate.
// CHECK-LABEL: @coordinates(
// CHECK:         cin.kernel Q(j) of (A(i,j) = %A) : tensor<?xi64> zeroed
func.func @coordinates(%A: !csc) {
  %Q = cin.kernel Q(j) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall j in A.j { cin.forall i in A.i { cin.assign Q(j) max= map(A(i,j), i + 1) } }
  }
  func.return
}

// Near miss: what a function returns has the type that its signature says.
// CHECK-LABEL: @returned(
// CHECK:         cin.kernel W(i) of (A(i,j) = %A) : tensor<?xi64> zeroed
func.func @returned(%A: !csc) -> tensor<?xi64> {
  %W = cin.kernel W(i) of (A(i,j) = %A) : tensor<?xi64> zeroed {
    cin.forall j in A.j { cin.forall i in A.i { cin.assign W(i) += map(A(i,j), 1) } }
  }
  func.return %W : tensor<?xi64>
}
