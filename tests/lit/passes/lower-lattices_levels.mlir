// RUN: tamale-opt %s -p lower-lattices | filecheck %s

!vec = tensor<?xf64>
!matrix = tensor<?x?xf64>
!dia = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dok = tensor<?x?xf64, #format.spec<(i, j) -> (i : hashed, j : hashed)>>
!bitmap = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : bitmap)>>
!blocks = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j : compressed, i % 2 : dense)>>
!skewed = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : dense, i : compressed)>>

// A level that is walked by coordinate is a loop over coordinates, its position is located; a level
// with one child per parent takes no loop.
// CHECK-LABEL: @diagonals(
// CHECK:      scf.for %pA1 = %pA1_begin to %pA1_end
// CHECK-NEXT:   %j_sub_i = cfir.pos_access %A 0(%pA1)
// CHECK-NEXT:   %iA_begin, %iA_end = cfir.coord_bounds %A 1(%pA1) at(%j_sub_i)
// CHECK-NEXT:   scf.for %i = %iA_begin to %iA_end
// CHECK-NEXT:     %pA2, %{{.*}} = cfir.locate %A 1(%pA1, %i) at(%j_sub_i)
// CHECK-NEXT:     %pA3_begin, %pA3_end = cfir.pos_bounds %A 2(%pA2) at(%j_sub_i, %i)
// CHECK-NEXT:     %j = cfir.pos_access %A 2(%pA3_begin) at(%j_sub_i, %i)
// CHECK-NEXT:     %px1, %{{.*}} = cfir.locate %x 0(%{{.*}}, %j)
// CHECK-NEXT:     cfir.load %A(%pA3_begin)
func.func @diagonals(%A: !dia, %x: !vec) -> !vec {
  %y = cfir.kernel y(i) of (A(i,j) = %A, x(j) = %x) : !vec {
    cfir.lattice j_sub_i over A.j_sub_i
    case A.j_sub_i {
      cfir.lattice i over A.i
      case A.i {
        cfir.lattice j over A.j with x.j = j
        case A.j {
          cfir.assign y(i) += A(i,j) * x(j)
        }
      }
    }
  }
  func.return %y : !vec
}

// Diagonals are merged; on one that both have, rows and columns are the same, and one loop serves
// both.
// CHECK-LABEL: @same_diagonals(
// CHECK:      scf.while
// CHECK:        scf.if
// CHECK-NOT:      scf.while
// CHECK:          scf.for %i = %iA_begin to %iA_end
// CHECK-NEXT:       %pA2, %{{.*}} = cfir.locate %A 1(%{{.*}}, %i)
// CHECK-NEXT:       %pB2, %{{.*}} = cfir.locate %B 1(%{{.*}}, %i)
// CHECK-NOT:      scf.while
// CHECK:          arith.addf
func.func @same_diagonals(%A: !dia, %B: !dia) -> !vec {
  %y = cfir.kernel y(i) of (A(i,j) = %A, B(i,j) = %B) : !vec {
    cfir.lattice j_sub_i over A.j_sub_i & B.j_sub_i
    case A.j_sub_i & B.j_sub_i {
      cfir.lattice i over A.i | B.i
      case A.i & B.i {
        cfir.lattice j over A.j | B.j
        case A.j & B.j {
          cfir.assign y(i) += A(i,j) + B(i,j)
        }
        case A.j {
          cfir.assign y(i) += A(i,j)
        }
        case B.j {
          cfir.assign y(i) += B(i,j)
        }
      }
      case A.i {
      }
      case B.i {
      }
    }
  }
  func.return %y : !vec
}

// Places without an entry are passed over.
// CHECK-LABEL: @free_places(
// CHECK:      scf.for %pA1 =
// CHECK:        %[[HERE:.*]] = cfir.pos_found %A 0(%pA1)
// CHECK-NEXT:   scf.if %[[HERE]] {
// CHECK:          scf.for %pA2 =
// CHECK:            %[[THERE:.*]] = cfir.pos_found %A 1(%pA2)
// CHECK-NEXT:       scf.if %[[THERE]] {
func.func @free_places(%A: !dok) -> !vec {
  %y = cfir.kernel y(i) of (A(i,j) = %A) : !vec {
    cfir.lattice i over A.i
    case A.i {
      cfir.lattice j over A.j
      case A.j {
        cfir.assign y(i) += A(i,j)
      }
    }
  }
  func.return %y : !vec
}

// In a merge, standing at a coordinate is not enough: the last case is tested too, and the cursor
// moves on whether or not there is an entry.
// CHECK-LABEL: @merged_bitmaps(
// CHECK:      %at_A = arith.cmpi eq
// CHECK-NEXT: %pA2, %[[FOUND_A:.*]] = cfir.locate %A 1(%pA1, %jA_{{.*}})
// CHECK-NEXT: %[[HERE_A:.*]] = arith.andi %at_A, %[[FOUND_A]]
// CHECK:      %[[HERE_B:.*]] = arith.andi %at_B, %{{.*}}
// CHECK:      scf.if %[[BOTH:.*]] {
// CHECK:      scf.if %[[HERE_A]] {
// CHECK:      scf.if %[[HERE_B]] {
// CHECK:      arith.index_cast
// CHECK-SAME: i64 to index
func.func @merged_bitmaps(%A: !bitmap, %B: !bitmap) -> !matrix {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : !matrix {
    cfir.lattice i over U.i with A.i = i, B.i = i
    case U.i {
      cfir.lattice j over A.j | B.j
      case A.j & B.j {
        cfir.assign Z(i,j) = A(i,j) + B(i,j)
      }
      case A.j {
        cfir.assign Z(i,j) = A(i,j)
      }
      case B.j {
        cfir.assign Z(i,j) = B(i,j)
      }
    }
  }
  func.return %Z : !matrix
}

// `within` tests what the expression does not already tell; `below` tests nothing. What needs the
// variable is located inside. In a block that is inside as a whole, `i` needs no test, `k` still does.
// CHECK-LABEL: @lets(
// CHECK:      scf.for %i_div =
// CHECK:      scf.for %pA2 =
// CHECK:      %[[LAST:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK-NEXT: %[[WHOLE:.*]] = arith.cmpi slt, %[[LAST]], %{{.*}} : index
// CHECK-NEXT: scf.if %[[WHOLE]] {
// CHECK:        %i = arith.addi %{{.*}}, %i_mod : index
// CHECK-NOT:    arith.cmpi slt, %i,
// CHECK:        arith.cmpi slt, %k,
// CHECK:      } else {
// CHECK:      %i_1 = arith.addi %{{.*}}, %{{.*}} : index
// CHECK-NEXT: %[[SIZE:.*]] = cfir.dim %A 0
// CHECK-NEXT: %[[INSIDE:.*]] = arith.cmpi slt, %i_1, %[[SIZE]] : index
// CHECK-NEXT: scf.if %[[INSIDE]] {
// CHECK-NEXT:   %px1_1, %{{.*}} = cfir.locate %x 0(%{{.*}}, %i_1)
// CHECK-NEXT:   %back_1 = arith.subi %i_1, %j : index
// CHECK-NOT:    scf.if
// CHECK:        %k_1 = arith.
// CHECK-NEXT:   %[[END:.*]] = cfir.dim %A 0
// CHECK-NEXT:   %[[BEFORE:.*]] = arith.cmpi slt, %k_1, %[[END]]
// CHECK-NEXT:   %[[BEHIND:.*]] = arith.cmpi sge, %k_1, %{{.*}}
// CHECK-NEXT:   %[[BETWEEN:.*]] = arith.andi %[[BEHIND]], %[[BEFORE]]
// CHECK-NEXT:   scf.if %[[BETWEEN]] {
func.func @lets(%A: !blocks, %x: !vec) -> !vec {
  %y = cfir.kernel y(j) of (A(i,j) = %A, x(i) = %x) : !vec {
    cfir.lattice i_div_2 over A.i_div_2
    case A.i_div_2 {
      cfir.lattice j over A.j
      case A.j {
        cfir.lattice i_mod_2 over A.i_mod_2
        case A.i_mod_2 {
          cfir.let i = i_div_2 * 2 + i_mod_2 within dim_i with x.i = i {
            cfir.let back = i - j below dim_i {
              cfir.let k = i_mod_2 - j within dim_i {
                cfir.assign y(j) += A(i,j) * x(i)
              }
            }
          }
        }
      }
    }
  }
  func.return %y : !vec
}

// A counter of the outermost loop's variable is a number that starts anew in each of its
// iterations; one of a variable that only a let tells is an array.
// CHECK-LABEL: @counts(
// CHECK:      %[[SIZE:.*]] = cfir.dim %A 0
// CHECK:      %m_counts = memref.alloc(
// CHECK:      scf.for %i_div =
// CHECK:        %k_count = memref.alloca() : memref<index>
// CHECK-NEXT:   memref.store %{{.*}}, %k_count[]
// CHECK:        scf.for %pA2
// CHECK:          %k = memref.load %k_count[]
// CHECK-NEXT:     %[[NEXT:.*]] = arith.addi %k,
// CHECK-NEXT:     memref.store %[[NEXT]], %k_count[]
// CHECK:          memref.load %m_counts[%
// CHECK:      memref.dealloc %m_counts
func.func @counts(%A: !blocks) -> !vec {
  %y = cfir.kernel y(j) of (A(i,j) = %A) : !vec {
    cfir.lattice i_div_2 over A.i_div_2
    case A.i_div_2 {
      cfir.lattice j over A.j
      case A.j {
        cfir.let k = #i_div_2 {
          cfir.lattice i_mod_2 over A.i_mod_2
          case A.i_mod_2 {
            cfir.let i = i_div_2 * 2 + i_mod_2 within dim_i {
              cfir.let m = #i {
                cfir.assign y(j) += 1
              }
            }
          }
        }
      }
    }
  }
  func.return %y : !vec
}

// The universe of a level that stores an expression begins at the expression's smallest value.
// CHECK-LABEL: @whole_level(
// CHECK:      %[[LOW:.*]] = arith.subi %{{.*}}, %A_dim1 : index
// CHECK:      scf.for %j_sub_i = %[[LOW]] to %A_dim2
// CHECK:        cfir.locate %A 0(%{{.*}}, %j_sub_i)
// CHECK:        cfir.locate %B 0(%{{.*}}, %j_sub_i)
func.func @whole_level(%A: !skewed, %B: !skewed) -> !vec {
  %y = cfir.kernel y(i) of (A(i,j) = %A, B(i,j) = %B) : !vec {
    cfir.lattice j_sub_i over U.j_sub_i with A.j_sub_i = j_sub_i, B.j_sub_i = j_sub_i
    case U.j_sub_i {
      cfir.lattice i over A.i & B.i
      case A.i & B.i {
        cfir.assign y(i) += A(i,j) * B(i,j)
      }
    }
  }
  func.return %y : !vec
}

// A let of a difference within 1 asks whether its sides are equal.
// CHECK-LABEL: @guard(
// CHECK:      %i_ = cfir.pos_access %A 1
// CHECK:      %[[SAME:.*]] = arith.cmpi eq, %i_, %i : index
// CHECK-NEXT: scf.if %[[SAME]] {
func.func @guard(%A: !csr) -> !vec {
  %y = cfir.kernel y(i) of (A(i,i_) = %A) : !vec {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.lattice i_ over A.i_
      case A.i_ {
        cfir.let i_off = i_ - i within 1 {
          cfir.assign y(i) = A(i,i_)
        }
      }
    }
  }
  func.return %y : !vec
}

// Of anything else, whether it is 0.
// CHECK-LABEL: @guard_of_a_level(
// CHECK:      %j_sub_i = cfir.pos_access %A 0
// CHECK:      %[[ZERO:.*]] = arith.cmpi eq, %j_sub_i, %{{.*}} : index
// CHECK-NEXT: scf.if %[[ZERO]] {
func.func @guard_of_a_level(%A: !dia) -> !vec {
  %y = cfir.kernel y(i) of (A(i,j) = %A) : !vec {
    cfir.lattice j_sub_i over A.j_sub_i
    case A.j_sub_i {
      cfir.let i_off = j_sub_i within 1 {
        cfir.lattice i over A.i
        case A.i {
          cfir.lattice j over A.j
          case A.j {
            cfir.assign y(i) = A(i,j)
          }
        }
      }
    }
  }
  func.return %y : !vec
}
