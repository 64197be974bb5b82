// RUN: tamale-opt %s -p 'plan-assembly{by=count}' --verify-diagnostics --split-input-file | filecheck %s

// Counts are stored by modes.
// CHECK:      plan-assembly: Z(i,j) ((i, j) -> (i / 2 : dense, i % 2 : dense, j : compressed)) cannot be
// CHECK-SAME:   assembled by count, scan and fill: level 1 ('i / 2 : dense') stores no mode, but an expression
// CHECK-NEXT:   help: assemble it by append
!blocks = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, i % 2 : dense, j : compressed)>>
func.func @expressions(%A: !blocks) -> !blocks {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A) : !blocks {
    cfir.lattice i_div_2 over U.i_div_2 with A.i_div_2 = i_div_2
    case U.i_div_2 {
      cfir.lattice i_mod_2 over U.i_mod_2 with A.i_mod_2 = i_mod_2
      case U.i_mod_2 {
        cfir.lattice j over A.j
        case A.j { cfir.append Z(i,j) = A(i,j) }
      }
    }
  }
  func.return %Z : !blocks
}

// -----

// The caller says how many rows there are, but to the kernel that fills them in.
// CHECK:      plan-assembly: Z(i,j) ((i, j) -> (i : dense, j : compressed)) cannot be
// CHECK-SAME:   no operand tells the size of 'i', which the loops that count need
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
func.func @rows(%b: !sv) -> !csr {
  %Z = cfir.kernel Z(i,j) of (b(j) = %b) : !csr {
    cfir.lattice i over U.i
    case U.i {
      cfir.lattice j over b.j
      case b.j { cfir.append Z(i,j) = b(j) }
    }
  }
  func.return %Z : !csr
}
