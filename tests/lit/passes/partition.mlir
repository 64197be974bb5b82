// RUN: tamale-opt %s -p 'partition{threads=8}' | filecheck %s
// RUN: tamale-opt %s -p partition | filecheck %s --check-prefix=ONE
// RUN: tamale-opt %s -p 'partition{threads=8}' -o /dev/null --remarks 2>&1 | filecheck %s --check-prefix=REMARK

!vec = tensor<?xf64>
!dense = tensor<?x?xf64>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
!dia = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>>
!rows = tensor<?x?x?xf64, #format.spec<(i, j, k) -> (i : dense, j : compressed, k : compressed)>>
!jumbled = tensor<?xf64, #format.spec<(i) -> (i : compressed(nonordered))>>

// One worker has nothing to share.
// ONE-NOT: partitioned into

// Rows and entries are the work; rows are cut, and their parts added up.
// CHECK-LABEL: @spmv(
// CHECK:       optimised partitioned into 8 over i in U.i, j in A.j combined by add {
// CHECK-NEXT:    cin.forall i in U.i with A.i = i {
// REMARK:      remark: partition: y(i): 8 workers share the loops of i and j; each does 1/8 of the work, the visits of i in U.i and j in A.j; those that meet in one coordinate of i have partial results, combined in the end
func.func @spmv(%A: !csr, %x: !vec) {
  %y = cin.kernel y(i) of (A(i,j) = %A, x(j) = %x) : !vec optimised {
    cin.forall i in U.i with A.i = i {
      cin.where {
        cin.assign y(i) = t
      } producing t {
        cin.forall j in A.j with x.j = j { cin.assign t += A(i,j) * x(j) }
      }
    }
  }
  func.return
}

// A sum of a row, and what uses it: each worker in the row makes the sum, and all share the row.
// CHECK-LABEL: @shares(
// CHECK:       optimised partitioned into 8 over i in U.i, j in A.j {
// REMARK:      remark: partition: B(i,j): 8 workers share the loops of i and j; each does 1/8 of the work, the visits of i in U.i and j in A.j
func.func @shares(%A: !csr) {
  %B = cin.kernel B(i,j) of (A(i,j) = %A, A2(i,k) = %A) : !csr optimised {
    cin.forall i in U.i with A.i = i, A2.i = i {
      cin.where {
        cin.forall j in A.j { cin.assign B(i,j) = A(i,j) / t }
      } producing t {
        cin.forall k in A2.k { cin.assign t += A2(i,k) }
      }
    }
  }
  func.return
}

// Both operands of a merge count; the loop of k costs the same everywhere, and stays whole.
// CHECK-LABEL: @merged(
// CHECK:       partitioned into 8 over i in A.i | B.i, j in A.j | B.j {
// REMARK:      remark: partition: Z(i,j,k): 8 workers share the loops of i and j; each does 1/8 of the work, the visits of i in A.i | B.i and j in A.j | B.j
func.func @merged(%A: !dcsr, %B: !dcsr, %c: !vec) {
  %Z = cin.kernel Z(i,j,k) of (A(i,j) = %A, B(i,j) = %B, c(k) = %c) : tensor<?x?x?xf64> optimised {
    cin.forall i in A.i | B.i {
      cin.forall j in A.j | B.j {
        cin.forall k in U.k with c.k = k { cin.assign Z(i,j,k) = (A(i,j) + B(i,j)) * c(k) }
      }
    }
  }
  func.return
}

// Diagonals write to the same rows: each worker has a result of its own. The offsets, one for each
// row, are left whole.
// CHECK-LABEL: @diagonals(
// CHECK:       partitioned into 8 over j_sub_i in A.j_sub_i, i in A.i combined by add {
// REMARK:      remark: partition: y(i): 8 workers share the loops of j_sub_i and i;{{.*}}; each has a y(i) of its own; they are combined in the end
func.func @diagonals(%A: !dia, %x: !vec) {
  %y = cin.kernel y(i) of (A(i,j) = %A, x(j) = %x) : !vec optimised {
    cin.forall j_sub_i in A.j_sub_i {
      cin.forall i in A.i {
        cin.forall j in A.j with x.j = j { cin.assign y(i) += A(i,j) * x(j) }
      }
    }
  }
  func.return
}

// Near miss: what a row does with its whole sum cannot be added up, so that rows stay whole. Their
// entries are work all the same.
// CHECK-LABEL: @of_a_sum(
// CHECK:       partitioned into 8 over i in U.i weighed by j in A.j {
// REMARK:      remark: partition: y(i): 8 workers share the loop of i;{{.*}}; loops inside are whole: what several workers would give to one place of y(i) cannot be combined
func.func @of_a_sum(%A: !csr) {
  %y = cin.kernel y(i) of (A(i,j) = %A) : !vec optimised {
    cin.forall i in U.i with A.i = i {
      cin.where {
        cin.assign y(i) = sqrt(t)
      } producing t {
        cin.forall j in A.j { cin.assign t += A(i,j) }
      }
    }
  }
  func.return
}

// Near miss: the greatest entry is a factor, of which each worker needs all.
// CHECK-LABEL: @factor(
// CHECK:       partitioned into 8 over i in a.i weighed by j in b.j combined by add {
// REMARK:      remark: partition: s: 8 workers share the loop of i;{{.*}}; loops inside are whole: what the loop of j computes is needed by each worker
func.func @factor(%a: !sv, %b: !sv) {
  %s = cin.kernel s of (a(i) = %a, b(j) = %b) : tensor<f64> optimised {
    cin.forall i in a.i {
      cin.where {
        cin.assign s += a(i) * t
      } producing t {
        cin.forall j in b.j { cin.assign t max= b(j) }
      }
    }
  }
  func.return
}

// Near miss: how many entries of B come before a column depends on A's entries.
// CHECK-LABEL: @product(
// CHECK:       partitioned into 8 over i in U.i, j in A.j combined by add {
// REMARK:      loops inside are whole: how many entries of B.k ('j : compressed') come before a coordinate is not known
func.func @product(%A: !csr, %B: !csr) {
  %Z = cin.kernel Z(i,k) of (A(i,j) = %A, B(j,k) = %B) : !dense optimised {
    cin.forall i in U.i with A.i = i {
      cin.forall j in A.j with B.j = j {
        cin.forall k in B.k { cin.assign Z(i,k) += A(i,j) * B(j,k) }
      }
    }
  }
  func.return
}

// Near miss: in no order, no coordinate is before another.
// CHECK-LABEL: @jumbled(
// CHECK:       : tensor<?xf64> optimised {
// REMARK:      remark: partition: y(i) is not parallel, because a.i ('i : compressed(nonordered)') is in no order
func.func @jumbled(%a: !jumbled) {
  %y = cin.kernel y(i) of (a(i) = %a) : !vec optimised {
    cin.forall i in a.i { cin.assign y(i) = a(i) }
  }
  func.return
}

// A sparse result is assembled in parts, at places that may lie inside of a row.
// CHECK-LABEL: @appended(
// CHECK:       partitioned into 8 over i in A.i | B.i, j in A.j | B.j {
// REMARK:      remark: partition: Z(i,j): 8 workers share the loops of i and j; {{.*}}; each assembles a part of Z(i,j); these are joined in the end
func.func @appended(%A: !dcsr, %B: !dcsr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : !dcsr optimised {
    cin.forall i in A.i | B.i {
      cin.forall j in A.j | B.j { cin.assign Z(i,j) = A(i,j) + B(i,j) }
    }
  }
  func.return
}

// A list of entries is opened by each worker; its rows are whole, and weighed by what they multiply:
// the rows of B that they lead to are counted before.
// CHECK-LABEL: @listed(
// CHECK:       partitioned into 8 over i in U.i weighed by j in A.j counting k in B.k {
// REMARK:      remark: partition: Z(i,k): 8 workers share the loop of i;{{.*}}; each assembles a part of Z(i,k); these are joined in the end
func.func @listed(%A: !csr, %B: !csr) {
  %Z = cin.kernel Z(i,k) of (A(i,j) = %A, B(j,k) = %B) : !csr optimised {
    cin.forall i in U.i with A.i = i {
      cin.where {
        cin.forall k in w.k { cin.assign Z(i,k) = w(k) }
      } producing w(k) : dense sorted {
        cin.forall j in A.j with B.j = j {
          cin.forall k in B.k { cin.assign w(k) += A(i,j) * B(j,k) }
        }
      }
    }
  }
  func.return
}

// Near miss: rows that a sparse level has are not counted for all coordinates that they could have.
// CHECK-LABEL: @sparse_rows(
// CHECK:       partitioned into 8 over i in A.i weighed by j in A.j {
func.func @sparse_rows(%A: !dcsr, %B: !csr) {
  %Z = cin.kernel Z(i,k) of (A(i,j) = %A, B(j,k) = %B) : !dcsr optimised {
    cin.forall i in A.i {
      cin.where {
        cin.forall k in w.k { cin.assign Z(i,k) = w(k) }
      } producing w(k) : dense sorted {
        cin.forall j in A.j with B.j = j {
          cin.forall k in B.k { cin.assign w(k) += A(i,j) * B(j,k) }
        }
      }
    }
  }
  func.return
}

// Near miss: two operands that are merged are not walked along one's entries to count.
// CHECK-LABEL: @merged_factor(
// CHECK:       partitioned into 8 over i in U.i weighed by j in A.j | C.j {
func.func @merged_factor(%A: !csr, %B: !csr, %C: !csr) {
  %Z = cin.kernel Z(i,k) of (A(i,j) = %A, B(j,k) = %B, C(i,j) = %C) : !csr optimised {
    cin.forall i in U.i with A.i = i, C.i = i {
      cin.where {
        cin.forall k in w.k { cin.assign Z(i,k) = w(k) }
      } producing w(k) : dense sorted {
        cin.forall j in A.j | C.j with B.j = j {
          cin.forall k in B.k { cin.assign w(k) += (A(i,j) + C(i,j)) * B(j,k) }
        }
      }
    }
  }
  func.return
}

// Near miss: a sum belongs to one entry of a sparse result, and stays whole.
// CHECK-LABEL: @summed(
// CHECK:       partitioned into 8 over i in A.i weighed by j in A.j {
// REMARK:      remark: partition: y(i): 8 workers share the loop of i;{{.*}}; loops inside are whole: parts of y(i) are joined at coordinates of its levels
func.func @summed(%A: !dcsr, %x: !vec) {
  %y = cin.kernel y(i) of (A(i,j) = %A, x(j) = %x) : !sv optimised {
    cin.forall i in A.i {
      cin.where {
        cin.assign y(i) = t
      } producing t {
        cin.forall j in A.j with x.j = j { cin.assign t += A(i,j) * x(j) }
      }
    }
  }
  func.return
}

// Near miss: below dense rows, what is under one entry of the first sparse level stays whole.
// CHECK-LABEL: @below_rows(
// CHECK:       partitioned into 8 over i in U.i, j in A.j weighed by k in A.k {
// REMARK:      remark: partition: Z(i,j,k): 8 workers share the loops of i and j;{{.*}}; loops inside are whole: what is below one entry of Z's j : compressed belongs to one worker
func.func @below_rows(%A: !rows) {
  %Z = cin.kernel Z(i,j,k) of (A(i,j,k) = %A) : !rows optimised {
    cin.forall i in U.i with A.i = i {
      cin.forall j in A.j { cin.forall k in A.k { cin.assign Z(i,j,k) = A(i,j,k) } }
    }
  }
  func.return
}

// Near miss: a list around all loops is one for all.
// CHECK-LABEL: @one_list(
// CHECK:       optimised {
// REMARK:      remark: partition: y(j) is not parallel, because no loop lies around everything
func.func @one_list(%A: !csr) {
  %y = cin.kernel y(j) of (A(i,j) = %A) : !sv optimised {
    cin.where {
      cin.forall j in w.j { cin.assign y(j) = w(j) }
    } producing w(j) : dense sorted {
      cin.forall i in U.i with A.i = i {
        cin.forall j in A.j { cin.assign w(j) += A(i,j) }
      }
    }
  }
  func.return
}

// Near miss: two nests, neither of which is all of the kernel.
// CHECK-LABEL: @two_nests(
// CHECK:       optimised {
// REMARK:      remark: partition: y(i) is not parallel, because no loop lies around everything
func.func @two_nests(%b: !vec, %a: !sv) {
  %y = cin.kernel y(i) of (b(i) = %b, a(i) = %a) : !vec optimised {
    cin.forall i in U.i with b.i = i { cin.assign y(i) = b(i) }
    cin.forall i in a.i { cin.assign y(i) += a(i) }
  }
  func.return
}

// What is inside of a row is work only where both have it: that is found first, and the loops are cut
// by it.
// CHECK-LABEL: @met(
// CHECK:       partitioned into 8 over i in A.i & B.i, j in A.j & B.j met along A {
// REMARK:      remark: partition: Z(i,j): 8 workers share the loops of i and j;{{.*}}; where the operands meet is found first, along A
func.func @met(%A: !dcsr, %B: !dcsr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : !dense optimised {
    cin.forall i in A.i & B.i {
      cin.forall j in A.j & B.j { cin.assign Z(i,j) = A(i,j) * B(i,j) }
    }
  }
  func.return
}

// Rows of B alone are no work either; what only selects a case excludes nothing.
// CHECK-LABEL: @met_along_one(
// CHECK:       partitioned into 8 over i in C.i & (A.i | B.i), j in C.j & (A.j | B.j) met along C {
// CHECK-LABEL: @met_without(
// CHECK:       partitioned into 8 over i in A.i & ~B.i, j in A.j & ~B.j met along A {
func.func @met_along_one(%A: !dcsr, %B: !dcsr, %C: !dcsr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B, C(i,j) = %C) : !dense optimised {
    cin.forall i in C.i & (A.i | B.i) {
      cin.forall j in C.j & (A.j | B.j) { cin.assign Z(i,j) = (A(i,j) + B(i,j)) * C(i,j) }
    }
  }
  func.return
}
func.func @met_without(%A: !dcsr, %B: !dcsr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : !dense optimised {
    cin.forall i in A.i & ~B.i {
      cin.forall j in A.j & ~B.j { cin.assign Z(i,j) = unless(A(i,j), B(i,j)) }
    }
  }
  func.return
}

// Rows of B are located where A has one; the others are no work.
// CHECK-LABEL: @met_located(
// CHECK:       partitioned into 8 over i in A.i, j in A.j & B.j met along A {
// CHECK-LABEL: @met_located_row(
// CHECK:       partitioned into 8 over i in a.i, j in A.j met along a combined by add {
func.func @met_located(%A: !dcsr, %B: !csr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : !dense optimised {
    cin.forall i in A.i with B.i = i {
      cin.forall j in A.j & B.j { cin.assign Z(i,j) = A(i,j) * B(i,j) }
    }
  }
  func.return
}
func.func @met_located_row(%a: !sv, %A: !csr) {
  %y = cin.kernel y(i) of (a(i) = %a, A(i,j) = %A) : !vec optimised {
    cin.forall i in a.i with A.i = i {
      cin.forall j in A.j { cin.assign y(i) += a(i) * A(i,j) }
    }
  }
  func.return
}

// Near miss: neither A nor C has all rows at which B is located.
// CHECK-LABEL: @met_located_none(
// CHECK:       partitioned into 8 over i in A.i | C.i {
// REMARK:      remark: partition: Z(i,j): 8 workers share the loop of i;{{.*}}; loops inside are whole: how many entries of B.j ('j : compressed') come before a coordinate is not known
func.func @met_located_none(%A: !dcsr, %B: !csr, %C: !dcsr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B, C(i,j) = %C) : !dense optimised {
    cin.forall i in A.i | C.i with B.i = i {
      cin.forall j in (A.j | C.j) & B.j { cin.assign Z(i,j) = (A(i,j) + C(i,j)) * B(i,j) }
    }
  }
  func.return
}

// Near misses: inside of the innermost loop there is nothing to be found; no operand has all rows that
// are asked for; B would be walked anew in each row of A.
// CHECK-LABEL: @met_innermost(
// CHECK:       partitioned into 8 over i in U.i, j in A.j & B.j {
// CHECK-LABEL: @met_along_none(
// CHECK:       partitioned into 8 over i in (A.i | B.i) & (C.i | D.i), j in (A.j | B.j) & (C.j | D.j) {
// CHECK-LABEL: @met_again(
// CHECK:       partitioned into 8 over i in A.i, j in A.j & B.j, k in B.k combined by add {
func.func @met_innermost(%A: !csr, %B: !csr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : !dense optimised {
    cin.forall i in U.i with A.i = i, B.i = i {
      cin.forall j in A.j & B.j { cin.assign Z(i,j) = A(i,j) * B(i,j) }
    }
  }
  func.return
}
func.func @met_along_none(%A: !dcsr, %B: !dcsr, %C: !dcsr, %D: !dcsr) {
  %Z = cin.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B, C(i,j) = %C, D(i,j) = %D) : !dense optimised {
    cin.forall i in (A.i | B.i) & (C.i | D.i) {
      cin.forall j in (A.j | B.j) & (C.j | D.j) {
        cin.assign Z(i,j) = (A(i,j) + B(i,j)) * (C(i,j) + D(i,j))
      }
    }
  }
  func.return
}
func.func @met_again(%A: !dcsr, %B: !dcsr) {
  %Z = cin.kernel Z(i,k) of (A(i,j) = %A, B(j,k) = %B) : !dense optimised {
    cin.forall i in A.i {
      cin.forall j in A.j & B.j {
        cin.forall k in B.k { cin.assign Z(i,k) += A(i,j) * B(j,k) }
      }
    }
  }
  func.return
}
