// RUN: tamale-opt %s -p lower-lattices | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!rows = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed(nonordered))>>
!csf = tensor<?x?x?xf64, #format.spec<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>>

// The list is the end of the result: opened once, cleared for each row, filled and sorted. A coordinate that comes for the
// first time is appended; the loop that appends makes room before.
// CHECK-LABEL: @sorted(
// CHECK:      %w = cfir.workspace "dense"(%B_dim2) sorted : tensor<?xf64, #format.spec<(j) -> (j : compressed)>> in %Z :
// CHECK:      scf.for %i{{.*}} to %A_dim1
// CHECK:        cfir.clear %w
// CHECK:        scf.for %pA2
// CHECK:          %[[COUNT:.*]] = arith.subi %pB2_end, %pB2_begin : index
// CHECK-NEXT:     cfir.reserve %Z 1(%[[COUNT]])
// CHECK-NEXT:     scf.for %pB2
// CHECK:            %[[VALUE:.*]] = arith.mulf
// CHECK-NEXT:       %pw, %[[FOUND:.*]], %[[PLACE:.*]] = cfir.find %w(%j)
// CHECK-NEXT:       scf.if %[[FOUND]] {
// CHECK-NEXT:         %[[OLD:.*]] = cfir.load %Z(%pw)
// CHECK-NEXT:         %[[SUM:.*]] = arith.addf %[[OLD]], %[[VALUE]] : f64
// CHECK-NEXT:         cfir.store %[[SUM]] into %Z(%pw)
// CHECK-NEXT:       } else {
// CHECK-NEXT:         cfir.mark %w(%[[PLACE]])
// CHECK-NEXT:         %pZ2 = cfir.position %Z 1
// CHECK-NEXT:         cfir.append_coord %Z 1(%pZ2, %j)
// CHECK-NEXT:         cfir.store %[[VALUE]] into %Z(%pZ2)
// CHECK-NEXT:         cfir.advance %Z 1
// CHECK:        cfir.sort %w
// CHECK-NOT:    cfir.pos_bounds %w
// CHECK:        cfir.append_edges %Z 1(
func.func @sorted(%A: !csr, %B: !csr) -> !csr {
  %Z = cfir.kernel Z(i,j) of (A(i,k) = %A, B(k,j) = %B) : !csr {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.where {
        cfir.lattice j over w.j
        case w.j {
          cfir.append Z(i,j) = w(j)
        }
      } producing w(j) : dense sorted {
        cfir.lattice k over A.k with B.k = k
        case A.k {
          cfir.lattice j over B.j
          case B.j {
            cfir.assign w(j) += A(i,k) * B(k,j)
          }
        }
      }
    }
  }
  func.return %Z : !csr
}

// Near miss: what is appended is not what the list holds. It is read like an operand, and the result gets room for all of its
// entries at once.
// CHECK-LABEL: @scaled(
// CHECK:      %w = cfir.workspace "dense"(%B_dim2) sorted : tensor<?xf64, #format.spec<(j) -> (j : compressed)>>
// CHECK-NOT:  in %Z
// CHECK:            cfir.insert %{{.*}} into %w(%j, %{{.*}})
// CHECK:        cfir.sort %w
// CHECK-NEXT:   %pw1_begin, %pw1_end = cfir.pos_bounds %w 0(
// CHECK-NEXT:   %[[COUNT:.*]] = arith.subi %pw1_end, %pw1_begin : index
// CHECK:        cfir.reserve %Z 1(%{{.*}})
// CHECK-NEXT:   scf.for %pw1 = %pw1_begin to %pw1_end
// CHECK-NEXT:     %j_1 = cfir.pos_access %w 0(%pw1)
// CHECK:          cfir.append_coord %Z 1(%pZ2, %j_1)
func.func @scaled(%A: !csr, %B: !csr) -> !csr {
  %Z = cfir.kernel Z(i,j) of (A(i,k) = %A, B(k,j) = %B) : !csr {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.where {
        cfir.lattice j over w.j
        case w.j {
          cfir.append Z(i,j) = 2 * w(j)
        }
      } producing w(j) : dense sorted {
        cfir.lattice k over A.k with B.k = k
        case A.k {
          cfir.lattice j over B.j
          case B.j {
            cfir.assign w(j) += A(i,k) * B(k,j)
          }
        }
      }
    }
  }
  func.return %Z : !csr
}

// Near miss: a hash table looks into its list. Loops that merge two operands are not walked before.
// What may be absent is inserted if it is present; a list without order is not sorted.
// CHECK-LABEL: @presence(
// CHECK-NOT:  visits
// CHECK:      %w = cfir.workspace "hash"(%X_dim2) : tensor<?xf64, #format.spec<(j) -> (j : compressed(nonordered))>>
// CHECK:      scf.for %pX3
// CHECK:        memref.store %{{.*}}, %t[]
// CHECK-NEXT: }
// CHECK-NEXT: %[[T:.*]] = memref.load %t[]
// CHECK-NEXT: %[[FILLED:.*]] = memref.load %t_filled[]
// CHECK-NEXT: scf.if %[[FILLED]] {
// CHECK-NEXT:   %pw, %{{.*}}, %{{.*}} = cfir.find %w(%j)
// CHECK:        cfir.insert %[[T]] into %w
// CHECK-NOT:  cfir.sort
// CHECK:      func.return
func.func @presence(%A: !csr, %X: !csf) -> !rows {
  %Z = cfir.kernel Z(i,j) of (A(i,k) = %A, X(k,j,l) = %X) : !rows {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.where {
        cfir.lattice j over w.j
        case w.j {
          cfir.append Z(i,j) = w(j)
        }
      } producing w(j) : hash {
        cfir.lattice k over A.k & X.k
        case A.k & X.k {
          cfir.lattice j over X.j
          case X.j {
            cfir.where {
              cfir.assign w(j) += t
            } producing t {
              cfir.lattice l over X.l
              case X.l {
                cfir.assign t += A(i,k) * X(k,j,l)
              }
            }
          }
        }
      }
    }
  }
  func.return %Z : !rows
}
