// RUN: tamale-opt %s -p iterate-locate | filecheck %s

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!bits = tensor<?xf64, #format.spec<(i) -> (i : bitmap)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
!coo = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
#few = #format.statistics<sizes [1048576], stored [1024]>
#some = #format.statistics<sizes [1048576], stored [8192]>
#many = #format.statistics<sizes [1048576], stored [16384]>

// A row of A has few entries, and all rows of B that are not empty come into question.
// CHECK-LABEL: @rows_of_dcsr(
// CHECK:        cin.forall i in A.i {
// CHECK-NEXT:     cin.forall k in A.k & B.k seeking B.k {
// CHECK-NEXT:       cin.forall j in B.j {
func.func @rows_of_dcsr(%A: !dcsr, %B: !dcsr) {
  %Z = cin.kernel Z(i,j) of (A(i,k) = %A, B(k,j) = %B) : tensor<?x?xf64> {
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

// So it is where coordinates of rows come again.
// CHECK-LABEL: @rows_of_coo(
// CHECK:        cin.forall k in A.k & B.k seeking B.k {
func.func @rows_of_coo(%A: !coo, %B: !coo) {
  %Z = cin.kernel Z(i,j) of (A(i,k) = %A, B(k,j) = %B) : tensor<?x?xf64> {
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

// Near miss: every row is stored, and B is located.
// CHECK-LABEL: @rows_of_csr(
// CHECK:        cin.forall k in A.k with B.k = k {
func.func @rows_of_csr(%A: !csr, %B: !csr) {
  %Z = cin.kernel Z(i,j) of (A(i,k) = %A, B(k,j) = %B) : tensor<?x?xf64> {
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

// What is known of operands decides, whichever is written first; of three, two may be sought.
// CHECK-LABEL: @unequal(
// CHECK:        cin.forall i in a.i & b.i & c.i seeking a.i, c.i {
func.func @unequal(%a: !sv {format.statistics = #many}, %b: !sv {format.statistics = #few},
                   %c: !sv {format.statistics = #many}) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b, c(i) = %c) : !sv {
    cin.forall i in a.i & b.i & c.i { cin.assign z(i) = a(i) * b(i) * c(i) }
  }
  func.return
}

// Near misses: eight times as many are walked; of operands of which nothing is known, as many are
// assumed.
// CHECK-LABEL: @nearly_equal(
// CHECK:        cin.forall i in a.i & b.i {
func.func @nearly_equal(%a: !sv {format.statistics = #some}, %b: !sv {format.statistics = #few}) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cin.forall i in a.i & b.i { cin.assign z(i) = a(i) * b(i) }
  }
  func.return
}

// CHECK-LABEL: @unknown(
// CHECK:        cin.forall i in a.i & b.i {
func.func @unknown(%a: !sv, %b: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cin.forall i in a.i & b.i { cin.assign z(i) = a(i) * b(i) }
  }
  func.return
}

// Near misses: what a union walks is needed in full; a bitmap's coordinates are no positions, and a
// complement's are not stored.
// CHECK-LABEL: @union(
// CHECK:        cin.forall i in a.i | b.i {
func.func @union(%a: !sv {format.statistics = #many}, %b: !sv {format.statistics = #few}) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cin.forall i in a.i | b.i { cin.assign z(i) = a(i) + b(i) }
  }
  func.return
}

// CHECK-LABEL: @part_of_a_union(
// CHECK:        cin.forall i in a.i & b.i | c.i {
func.func @part_of_a_union(%a: !sv {format.statistics = #many},
                           %b: !sv {format.statistics = #few}, %c: !sv) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b, c(i) = %c) : !sv {
    cin.forall i in a.i & b.i | c.i { cin.assign z(i) = a(i) * b(i) + c(i) }
  }
  func.return
}

// CHECK-LABEL: @bitmap(
// CHECK:        cin.forall i in a.i & b.i {
func.func @bitmap(%a: !bits {format.statistics = #many}, %b: !sv {format.statistics = #few}) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cin.forall i in a.i & b.i { cin.assign z(i) = a(i) * b(i) }
  }
  func.return
}

// CHECK-LABEL: @complement(
// CHECK:        cin.forall i in ~a.i & b.i {
func.func @complement(%a: !sv {format.statistics = #many}, %b: !sv {format.statistics = #few}) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : !sv {
    cin.forall i in ~a.i & b.i { cin.assign z(i) = unless(b(i), a(i)) }
  }
  func.return
}
