// RUN: tamale-opt %s -p build-lattices --verify-diagnostics --split-input-file

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @not_optimised(%a: !sv) {
  // expected-error@below {{build-lattices: the kernel of z is not optimised; run iterate-locate first}}
  %z = cin.kernel z(i) of (a(i) = %a) : !sv {
    cin.forall i in a.i {
      cin.assign z(i) = a(i)
    }
  }
  func.return
}

// -----

// Merging needs ascending coordinates.
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!unordered = tensor<?xf64, #format.spec<(i) -> (i : compressed(nonordered))>>
func.func @merge_unordered(%a: !sv, %b: !unordered) {
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %b) : tensor<?xf64> optimised {
    // expected-error@below {{b ((i) -> (i : compressed(nonordered))) is not ordered at level 1, but the loop of 'i' over a.i | b.i needs its coordinates in ascending order}}
    cin.forall i in a.i | b.i {
      cin.assign z(i) = a(i) + b(i)
    }
  }
  func.return
}

// -----

// So does appending, even from one operand.
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!unordered = tensor<?xf64, #format.spec<(i) -> (i : compressed(nonordered))>>
func.func @append_unordered(%b: !unordered) {
  %z = cin.kernel z(i) of (b(i) = %b) : !sv optimised {
    // expected-error@below {{is not ordered at level 1, but the loop of 'i' over b.i needs}}
    cin.forall i in b.i {
      cin.assign z(i) = b(i)
    }
  }
  func.return
}

// -----

// Near miss: one operand alone may be walked in any order into a dense result.
!unordered = tensor<?xf64, #format.spec<(i) -> (i : compressed(nonordered))>>
func.func @alone_unordered(%b: !unordered, %D: tensor<?xf64>) {
  %z = cin.kernel z(i) of (b(i) = %b, D(i) = %D) : tensor<?xf64> optimised {
    cin.forall i in b.i with D.i = i {
      cin.assign z(i) = b(i) * D(i)
    }
  }
  func.return
}

// -----

// Nine operands would make 511 cases.
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @too_many(%a: !sv) {
  // expected-error@below {{build-lattices: 9 sparse operands meet in the loop of 'i'; at most 8 are merged at once}}
  %z = cin.kernel z(i) of (a(i) = %a, b(i) = %a, c(i) = %a, d(i) = %a, e(i) = %a, f(i) = %a,
                           g(i) = %a, h(i) = %a, k(i) = %a) : !sv optimised {
    cin.forall i in a.i | b.i | c.i | d.i | e.i | f.i | g.i | h.i | k.i {
      cin.assign z(i) = a(i) + b(i) + c(i) + d(i) + e(i) + f(i) + g(i) + h(i) + k(i)
    }
  }
  func.return
}

// -----

// A list that is not sorted cannot be appended to a level that promises order.
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @unsorted_list(%A: !csr, %B: !csr) {
  %Z = cin.kernel Z(i,j) of (A(i,k) = %A, B(k,j) = %B) : !csr optimised {
    cin.forall i in U.i with A.i = i {
      cin.where {
        // expected-error@below {{build-lattices: w ((j) -> (j : compressed(nonordered))) is not ordered at level 1}}
        cin.forall j in w.j { cin.assign Z(i,j) = w(j) }
      } producing w(j) : dense {
        cin.forall k in A.k with B.k = k {
          cin.forall j in B.j { cin.assign w(j) += A(i,k) * B(k,j) }
        }
      }
    }
  }
  func.return
}
