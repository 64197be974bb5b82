// RUN: tamale-opt %s -p lower-lattices --verify-diagnostics --split-input-file

// A value at a coordinate that may hold several entries is not one value.
!multi = tensor<?xf64, #format.spec<(i) -> (i : compressed(nonunique))>>
func.func @several(%a: !multi) -> tensor<?xf64> {
  // expected-error@below {{lower-lattices: a(i) may hold several entries at one coordinate; sum its duplicates first}}
  %z = cfir.kernel z(i) of (a(i) = %a) : tensor<?xf64> {
    cfir.lattice i over a.i
    case a.i {
      cfir.assign z(i) = exp(a(i))
    }
  }
  func.return %z : tensor<?xf64>
}

// -----

// Reductions have loops of their own by now.
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @reduction(%a: !sv) -> tensor<?xf64> {
  // expected-error@below {{lower-lattices: sum(i, a(i)) is a reduction inside a statement; it has to be given loops of its own}}
  %z = cfir.kernel z(i) of (a(i) = %a) : tensor<?xf64> {
    cfir.lattice i over a.i
    case a.i {
      cfir.assign z(i) = sum(i, a(i))
    }
  }
  func.return %z : tensor<?xf64>
}

// -----

// The cases of a merge would each count for themselves.
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @count_in_merge(%a: !sv, %b: !sv) -> tensor<?xf64> {
  // expected-error@below {{lower-lattices: '#' counts the entries of one operand, but the loop of 'i' visits several at once}}
  %z = cfir.kernel z(i) of (a(i) = %a, b(i) = %b) : tensor<?xf64> {
    cfir.lattice i over a.i | b.i
    case a.i & b.i {
      cfir.let k = # {
        cfir.assign z(i) = a(i) + b(i)
      }
    }
    case a.i {
      cfir.assign z(i) = a(i)
    }
    case b.i {
      cfir.assign z(i) = b(i)
    }
  }
  func.return %z : tensor<?xf64>
}

// -----

// Below each of several equal coordinates, a bitmap has coordinates of its own.
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!rows = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique), j : bitmap)>>
func.func @duplicate_parents(%A: !rows, %b: !sv) -> tensor<?x?xf64> {
  // expected-error@below {{lower-lattices: the entries of A(i,j) at one coordinate cannot be walked together: level 2 ('j : bitmap') has coordinates of its own below each of them}}
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A, b(i) = %b) : tensor<?x?xf64> {
    cfir.lattice i over A.i & b.i
    case A.i & b.i {
      cfir.lattice j over A.j
      case A.j {
        cfir.assign Z(i,j) += A(i,j) * b(i)
      }
    }
  }
  func.return %Z : tensor<?x?xf64>
}

// -----

// No loop leads to the entries of b.
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @read_from_nowhere(%a: !sv, %b: !sv) -> tensor<?xf64> {
  // expected-error@below {{lower-lattices: the loops around have not reached level 1 of b(i), whose entries are needed here}}
  %z = cfir.kernel z(i) of (a(i) = %a, b(i) = %b) : tensor<?xf64> {
    cfir.lattice i over a.i
    case a.i {
      cfir.assign z(i) = a(i) + b(i)
    }
  }
  func.return %z : tensor<?xf64>
}

// -----

!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @workers_meet(%a: !sv) -> tensor<f64> {
  // expected-error@below {{lower-lattices: workers that share the loops of i meet in one place of y, but nothing combines what they give}}
  %y = cfir.kernel y of (a(i) = %a) : tensor<f64> partitioned into 2 over i in a.i {
    cfir.lattice i over a.i
    case a.i { cfir.assign y += a(i) }
  }
  func.return %y : tensor<f64>
}

// -----

// Nobody but the function sees w.
func.func @no_size(%b: tensor<f64>, %c: tensor<?xf64>) -> tensor<f64> {
  // expected-error@below {{lower-lattices: no operand tells how large 'i' is}}
  %w = cfir.kernel w(i) of (b = %b) : tensor<?xf64> {
    cfir.lattice i over U.i
    case U.i { cfir.assign w(i) = b }
  }
  %y = cfir.kernel y of (w(i) = %w, c(i) = %c) : tensor<f64> {
    cfir.lattice i over U.i
    case U.i { cfir.assign y += w(i) * c(i) }
  }
  func.return %y : tensor<f64>
}

// -----

!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
func.func @met_nowhere(%A: !dcsr, %B: !dcsr) -> tensor<?x?xf64> {
  // expected-error@below {{lower-lattices: no loop over A.i | B.i, A.j | B.j has all that it asks for in A}}
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : tensor<?x?xf64> partitioned into 4 over i in A.i | B.i, j in A.j | B.j met along A {
    cfir.lattice i over A.i & B.i
    case A.i & B.i {
      cfir.lattice j over A.j & B.j
      case A.j & B.j { cfir.assign Z(i,j) = A(i,j) * B(i,j) }
    }
  }
  func.return %Z : tensor<?x?xf64>
}
