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
