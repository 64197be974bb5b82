// RUN: tamale-opt %s -p 'plan-assembly{by=count}' | filecheck %s
// RUN: tamale-opt %s -p 'plan-assembly{by=append}' | filecheck %s --check-prefix=APPEND
// RUN: tamale-opt %s -p plan-assembly | filecheck %s --check-prefix=RULE

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
!coo = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>>
!csf = tensor<?x?x?xf64, #format.spec<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>

// Appending is what kernels do by themselves.
// APPEND-NOT: nir
// APPEND-NOT: assembly.scan
// APPEND-NOT: into

// Each row's entries are counted by the loops that merge the rows; the kernel itself stays as it is.
// RULE-LABEL: @add(
// RULE-NOT: assembly.scan
// CHECK-LABEL: @add(
// CHECK:        %Z2_nir = cfir.kernel Z2_nir(i) of (A(i,j) = %A, B(i,j) = %B) : tensor<?xi64> {
// CHECK-NEXT:     cfir.lattice i over U.i with A.i = i, B.i = i
// CHECK-NEXT:     case U.i {
// CHECK-NEXT:       cfir.where {
// CHECK-NEXT:         cfir.assign Z2_nir(i) = count
// CHECK-NEXT:       } producing count {
// CHECK-NEXT:         cfir.lattice j over A.j | B.j
// CHECK-NEXT:         case A.j & B.j {
// CHECK-NEXT:           cfir.assign count += 1
// CHECK-NEXT:         }
// CHECK-NEXT:         case A.j {
// CHECK-NEXT:           cfir.assign count += 1
// CHECK:        %Z = assembly.scan %Z2_nir : tensor<?xi64> -> tensor<?x?xf64,
// CHECK-NEXT:   cfir.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : {{.*}} into %Z {
// CHECK-NEXT:     cfir.lattice i over U.i with A.i = i, B.i = i
// CHECK-NEXT:     case U.i {
// CHECK-NEXT:       cfir.lattice j over A.j | B.j
// CHECK-NEXT:       case A.j & B.j {
// CHECK-NEXT:         cfir.append Z(i,j) = A(i,j) + B(i,j)
func.func @add(%A: !csr, %B: !csr) -> !csr {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : !csr {
    cfir.lattice i over U.i with A.i = i, B.i = i
    case U.i {
      cfir.lattice j over A.j | B.j
      case A.j & B.j { cfir.append Z(i,j) = A(i,j) + B(i,j) }
      case A.j { cfir.append Z(i,j) = A(i,j) }
      case B.j { cfir.append Z(i,j) = B(i,j) }
    }
  }
  func.return %Z : !csr
}

// Two groups of levels: first the rows that get entries are counted, then the entries of these rows. The counts of the
// second kind are a sparse vector, whose level becomes the first one of the result. What one operand stores is not walked.
// CHECK-LABEL: @two_groups(
// CHECK:        %Z1_nir = cfir.kernel Z1_nir of (A(i,j) = %A, B(i,j) = %B) : tensor<i64> {
// CHECK-NEXT:     cfir.where {
// CHECK-NEXT:       cfir.assign Z1_nir = count_
// CHECK-NEXT:     } producing count_ {
// CHECK-NEXT:       cfir.lattice i over A.i | B.i
// CHECK-NEXT:       case A.i & B.i {
// CHECK-NEXT:         cfir.where {
// CHECK-NEXT:           cfir.assign count_ += count
// CHECK-NEXT:         } producing count {
// CHECK-NEXT:           cfir.lattice j over A.j & B.j
// CHECK-NEXT:           case A.j & B.j {
// CHECK-NEXT:             cfir.assign count = 1
// CHECK:            case A.i {
// CHECK-NEXT:         cfir.where {
// CHECK-NEXT:           cfir.assign count_ += count
// CHECK-NEXT:         } producing count {
// CHECK-NEXT:           cfir.assign count |= map(width(A(i,j)), 1)
// CHECK:        %A_dim1 = cfir.dim %A 0
// CHECK-NEXT:   %[[ROWS:.*]] = assembly.scan %Z1_nir dims(%A_dim1) : tensor<i64> -> tensor<?xi64, #format.spec<(i) -> (i : compressed)>>
// CHECK-NEXT:   %[[COUNTS:.*]] = cfir.kernel Z2_nir(i) of ({{.*}}) : tensor<?xi64, {{.*}}> into %[[ROWS]] {
// CHECK:            cfir.append Z2_nir(i) = count
// CHECK:            cfir.append Z2_nir(i) = count
// CHECK-NEXT:     } producing count {
// CHECK-NEXT:       cfir.assign count += width(A(i,j))
// CHECK:        %Z = assembly.scan %[[COUNTS]] : tensor<?xi64, {{.*}}> -> tensor<?x?xf64,
// CHECK-NEXT:   cfir.kernel Z(i,j) {{.*}} into %Z {
func.func @two_groups(%A: !dcsr, %B: !dcsr) -> !dcsr {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : !dcsr {
    cfir.lattice i over A.i | B.i
    case A.i & B.i {
      cfir.lattice j over A.j & B.j
      case A.j & B.j { cfir.append Z(i,j) = A(i,j) * B(i,j) }
    }
    case A.i {
      cfir.lattice j over A.j
      case A.j { cfir.append Z(i,j) = A(i,j) }
    }
  }
  func.return %Z : !dcsr
}

// A list of entries is as long as the row has different coordinates; for that it need not be sorted, and has no values.
// CHECK-LABEL: @contraction(
// CHECK:        cfir.kernel Z2_nir(i)
// CHECK:          cfir.where {
// CHECK-NEXT:       cfir.assign Z2_nir(i) = count
// CHECK-NEXT:     } producing count {
// CHECK-NEXT:       cfir.where {
// CHECK-NEXT:         cfir.assign count += width(w(j))
// CHECK-NEXT:       } producing w(j) : dense {
// CHECK-NEXT:         cfir.lattice k over A.k with B.k = k
// CHECK-NEXT:         case A.k {
// CHECK-NEXT:           cfir.lattice j over B.j
// CHECK-NEXT:           case B.j {
// CHECK-NEXT:             cfir.assign w(j) = 1
// CHECK:        cfir.kernel Z(i,j) {{.*}} into %Z {
// CHECK:          producing w(j) : dense sorted
func.func @contraction(%A: !csr, %B: !csr) -> !csr {
  %Z = cfir.kernel Z(i,j) of (A(i,k) = %A, B(k,j) = %B) : !csr {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.where {
        cfir.lattice j over w.j
        case w.j { cfir.append Z(i,j) = w(j) }
      } producing w(j) : dense sorted {
        cfir.lattice k over A.k with B.k = k
        case A.k {
          cfir.lattice j over B.j
          case B.j { cfir.assign w(j) += A(i,k) * B(k,j) }
        }
      }
    }
  }
  func.return %Z : !csr
}

// What a scalar decides is counted by a mark: an entry wherever the two rows meet.
// CHECK-LABEL: @marks(
// CHECK:        cfir.kernel Z2_nir(i)
// CHECK:          cfir.lattice j over S.j with B.j = j
// CHECK-NEXT:     case S.j {
// CHECK-NEXT:       cfir.where {
// CHECK-NEXT:         cfir.assign count += t
// CHECK-NEXT:       } producing t {
// CHECK-NEXT:         cfir.lattice k over A.k & B.k
// CHECK-NEXT:         case A.k & B.k {
// CHECK-NEXT:           cfir.assign t = 1
func.func @marks(%S: !csr, %A: !csr, %B: !csr) -> !csr {
  %Z = cfir.kernel Z(i,j) of (S(i,j) = %S, A(i,k) = %A, B(j,k) = %B) : !csr {
    cfir.lattice i over U.i with S.i = i, A.i = i
    case U.i {
      cfir.lattice j over S.j with B.j = j
      case S.j {
        cfir.where {
          cfir.append Z(i,j) = S(i,j) * t
        } producing t {
          cfir.lattice k over A.k & B.k
          case A.k & B.k { cfir.assign t max= A(i,k) * B(j,k) }
        }
      }
    }
  }
  func.return %Z : !csr
}

// Near miss: an entry is there whether the scalar is filled or not, so that nobody has to know.
// CHECK-LABEL: @no_marks(
// CHECK:        } producing count {
// CHECK-NEXT:     cfir.assign count += width(S(i,j))
// CHECK:        assembly.scan
func.func @no_marks(%S: !csr, %A: !csr) -> !csr {
  %Z = cfir.kernel Z(i,j) of (S(i,j) = %S, A(i,k) = %A) : !csr {
    cfir.lattice i over U.i with S.i = i, A.i = i
    case U.i {
      cfir.lattice j over S.j
      case S.j {
        cfir.where {
          cfir.append Z(i,j) = S(i,j) + t
        } producing t {
          cfir.lattice k over A.k
          case A.k { cfir.assign t += A(i,k) }
        }
      }
    }
  }
  func.return %Z : !csr
}

// Near miss: where coordinates repeat, positions do not tell how many different ones there are.
// CHECK-LABEL: @repeated(
// CHECK:        cfir.kernel Z2_nir(i)
// CHECK:          cfir.lattice i over A.i
// CHECK:            cfir.lattice j over A.j
// CHECK-NEXT:       case A.j {
// CHECK-NEXT:         cfir.assign count += 1
func.func @repeated(%A: !coo) -> !dcsr {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A) : !dcsr {
    cfir.lattice i over A.i
    case A.i {
      cfir.lattice j over A.j
      case A.j { cfir.append Z(i,j) = A(i,j) }
    }
  }
  func.return %Z : !dcsr
}

// The levels of coo share positions: one number is counted, over all levels of the operand at once.
// CHECK-LABEL: @one_number(
// CHECK:        %Z1_nir = cfir.kernel Z1_nir of (A(i,j) = %A) : tensor<i64> {
// CHECK-NEXT:     cfir.where {
// CHECK-NEXT:       cfir.assign Z1_nir = count
// CHECK-NEXT:     } producing count {
// CHECK-NEXT:       cfir.assign count += width(A(i,j))
// CHECK:        %Z = assembly.scan %Z1_nir : tensor<i64> -> tensor<?x?xf64,
func.func @one_number(%A: !dcsr) -> !coo {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A) : !coo {
    cfir.lattice i over A.i
    case A.i {
      cfir.lattice j over A.j
      case A.j { cfir.append Z(i,j) = A(i,j) }
    }
  }
  func.return %Z : !coo
}

// Three groups: a tensor of counts for each of them.
// CHECK-LABEL: @three_groups(
// CHECK:        cfir.kernel Z1_nir of
// CHECK:        assembly.scan %Z1_nir dims(%A_dim1) : tensor<i64> -> tensor<?xi64, #format.spec<(i) -> (i : compressed)>>
// CHECK:        cfir.kernel Z2_nir(i) of {{.*}} into
// CHECK:        assembly.scan {{.*}} dims({{.*}}) : {{.*}} -> tensor<?x?xi64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
// CHECK:        cfir.kernel Z3_nir(i,j) of {{.*}} into
// CHECK:        %Z = assembly.scan {{.*}} -> tensor<?x?x?xf64,
// CHECK-NEXT:   cfir.kernel Z(i,j,k) of {{.*}} into %Z
func.func @three_groups(%A: !csf) -> !csf {
  %Z = cfir.kernel Z(i,j,k) of (A(i,j,k) = %A) : !csf {
    cfir.lattice i over A.i
    case A.i {
      cfir.lattice j over A.j
      case A.j {
        cfir.lattice k over A.k
        case A.k { cfir.append Z(i,j,k) = 2 * A(i,j,k) }
      }
    }
  }
  func.return %Z : !csf
}

// What is not bounded by the operands' counts would have to grow. Where positions tell how much it will be, the rule is to
// count it; where loops would have to be run twice, as for all of the kernels above, it is not.
// RULE-LABEL: @outer_product(
// RULE:        cfir.assign count += width(y(j))
// RULE:        assembly.scan
func.func @outer_product(%x: !sv, %y: !sv) -> !csr {
  %Z = cfir.kernel Z(i,j) of (x(i) = %x, y(j) = %y) : !csr {
    cfir.lattice i over x.i
    case x.i {
      cfir.lattice j over y.j
      case y.j { cfir.append Z(i,j) = x(i) * y(j) }
    }
  }
  func.return %Z : !csr
}

// Near miss: the operand is walked once for each row, but how many of its entries are met is not known.
// RULE-LABEL: @outer_intersection(
// RULE-NOT:    assembly.scan
func.func @outer_intersection(%x: !sv, %y: !sv, %B: !csr) -> !csr {
  %Z = cfir.kernel Z(i,j) of (x(i) = %x, y(j) = %y, B(i,j) = %B) : !csr {
    cfir.lattice i over x.i with B.i = i
    case x.i {
      cfir.lattice j over y.j | B.j
      case y.j & B.j { cfir.append Z(i,j) = x(i) * y(j) + B(i,j) }
      case y.j { cfir.append Z(i,j) = x(i) * y(j) }
    }
  }
  func.return %Z : !csr
}

// Near miss: a dense result has a place for each element.
// CHECK-LABEL: @dense(
// CHECK-NEXT:   %y = cfir.kernel y(i) of (A(i,j) = %A) : tensor<?xf64> {
func.func @dense(%A: !csr) -> tensor<?xf64> {
  %y = cfir.kernel y(i) of (A(i,j) = %A) : tensor<?xf64> {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.lattice j over A.j
      case A.j { cfir.assign y(i) += A(i,j) }
    }
  }
  func.return %y : tensor<?xf64>
}

// On a diagonal the second coordinate is the first again: counts have no use for it, nor for the size of its mode,
// which is the result's alone.
// CHECK-LABEL: @diagonal(
// CHECK:        %Z2_nir = cfir.kernel Z2_nir(i) of (a(i) = %a) : tensor<?xi64> {
// CHECK-NEXT:     cfir.lattice i over a.i
// CHECK-NEXT:     case a.i {
// CHECK-NEXT:       cfir.where {
// CHECK-NEXT:         cfir.assign Z2_nir(i) = count
// CHECK-NEXT:       } producing count {
// CHECK-NEXT:         cfir.assign count += 1
func.func @diagonal(%a: !sv) -> !csr {
  %Z = cfir.kernel Z(i,i_) of (a(i) = %a) : !csr {
    cfir.lattice i over a.i
    case a.i {
      cfir.let i_ = i below dim_i_ {
        cfir.append Z(i,i_) = a(i)
      }
    }
  }
  func.return %Z : !csr
}

// Near miss: a let that is a test decides what is counted.
// CHECK-LABEL: @tested(
// CHECK:        %Z2_nir = cfir.kernel Z2_nir(i) of (A(i,i_) = %A)
// CHECK:          cfir.lattice i_ over A.i_
// CHECK-NEXT:     case A.i_ {
// CHECK-NEXT:       cfir.let i_off = i_ - i within 1 {
// CHECK-NEXT:         cfir.assign count += 1
func.func @tested(%A: !dcsr) -> !csr {
  %Z = cfir.kernel Z(i,i_) of (A(i,i_) = %A) : !csr {
    cfir.lattice i over A.i
    case A.i {
      cfir.lattice i_ over A.i_
      case A.i_ {
        cfir.let i_off = i_ - i within 1 {
          cfir.append Z(i,i_) = A(i,i_)
        }
      }
    }
  }
  func.return %Z : !csr
}
