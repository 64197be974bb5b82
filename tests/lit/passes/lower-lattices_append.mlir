// RUN: tamale-opt %s -p lower-lattices | filecheck %s

!vec = tensor<?xf64>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
!csf = tensor<?x?x?xf64, #format.spec<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>>
!coo = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>>

// An entry is a coordinate and a value; the root's edges are closed at the end.
// CHECK-LABEL: @vector(
// CHECK:      %z = cfir.assemble room(%a1_count)
// CHECK-NEXT: %z1_begin = cfir.position %z 0
// CHECK:      scf.for
// CHECK:        %pz1 = cfir.position %z 0
// CHECK-NEXT:   cfir.append_coord %z 0(%pz1, %i)
// CHECK-NEXT:   cfir.store %{{.*}} into %z(%pz1)
// CHECK-NEXT:   cfir.advance %z 0
// CHECK-NEXT: }
// CHECK-NEXT: %[[END:.*]] = cfir.position %z 0
// CHECK-NEXT: cfir.append_edges %z 0(%{{.*}}, %z1_begin, %[[END]])
// CHECK-NEXT: cfir.finish %z
func.func @vector(%a: !sv) -> !sv {
  %z = cfir.kernel z(i) of (a(i) = %a) : !sv {
    cfir.lattice i over a.i
    case a.i {
      cfir.append z(i) = -a(i)
    }
  }
  func.return %z : !sv
}

// Every row of a csr result is closed, whether or not something came.
// CHECK-LABEL: @rows(
// CHECK:      scf.for %i =
// CHECK:        %Z2_begin = cfir.position %Z 1
// CHECK:          cfir.advance %Z 1
// CHECK-NEXT:   }
// CHECK-NEXT:   %[[END:.*]] = cfir.position %Z 1
// CHECK-NEXT:   %pZ1, %{{.*}} = cfir.locate %Z 0(%{{.*}}, %i)
// CHECK-NEXT:   cfir.append_edges %Z 1(%pZ1, %Z2_begin, %[[END]])
func.func @rows(%A: !csr) -> !csr {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A) : !csr {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.lattice j over A.j
      case A.j {
        cfir.append Z(i,j) = -A(i,j)
      }
    }
  }
  func.return %Z : !csr
}

// Rows that are never visited have no edges of their own: counts are summed up at the end.
// CHECK-LABEL: @skipped_rows(
// CHECK:      cfir.assemble {{.*}}counted
func.func @skipped_rows(%A: !dcsr) -> !csr {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A) : !csr {
    cfir.lattice i over A.i
    case A.i {
      cfir.lattice j over A.j
      case A.j {
        cfir.append Z(i,j) = -A(i,j)
      }
    }
  }
  func.return %Z : !csr
}

// A compressed row is stored only if something came.
// CHECK-LABEL: @compressed_rows(
// CHECK:        cfir.advance %Z 1
// CHECK-NEXT: }
// CHECK-NEXT: %[[END:.*]] = cfir.position %Z 1
// CHECK-NEXT: %[[SOME:.*]] = arith.cmpi sgt, %[[END]], %Z2_begin : index
// CHECK-NEXT: scf.if %[[SOME]] {
// CHECK-NEXT:   %pZ1 = cfir.position %Z 0
// CHECK-NEXT:   cfir.append_coord %Z 0(%pZ1, %i)
// CHECK-NEXT:   cfir.append_edges %Z 1(%pZ1, %Z2_begin, %[[END]])
// CHECK-NEXT:   cfir.advance %Z 0
func.func @compressed_rows(%A: !dcsr) -> !dcsr {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A) : !dcsr {
    cfir.lattice i over A.i
    case A.i {
      cfir.lattice j over A.j
      case A.j {
        cfir.append Z(i,j) = -A(i,j)
      }
    }
  }
  func.return %Z : !dcsr
}

// A singleton shares its parent's position: one entry, two coordinates, one step.
// CHECK-LABEL: @coordinates(
// CHECK:      cfir.append_coord %Z 0(%pZ2, %i)
// CHECK-NEXT: cfir.append_coord %Z 1(%pZ2, %j)
// CHECK-NEXT: cfir.store %{{.*}} into %Z(%pZ2)
// CHECK-NEXT: cfir.advance %Z 0
// CHECK-NOT:  cfir.advance
// CHECK:      func.return
func.func @coordinates(%A: !csr) -> !coo {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A) : !coo {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.lattice j over A.j
      case A.j {
        cfir.append Z(i,j) = -A(i,j)
      }
    }
  }
  func.return %Z : !coo
}

// A sum that met nothing is no entry: the workspace knows whether it was filled.
// CHECK-LABEL: @row_sums(
// CHECK:      %t_filled = memref.alloca() : memref<i1>
// CHECK:      scf.for %pA2
// CHECK:        memref.store %{{.*}}, %t_filled[]
// CHECK:      %[[FILLED:.*]] = memref.load %t_filled[]
// CHECK-NEXT: scf.if %[[FILLED]] {
// CHECK:        cfir.append_coord %z 0
func.func @row_sums(%A: !csr) -> !sv {
  %z = cfir.kernel z(i) of (A(i,j) = %A) : !sv {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.where {
        cfir.append z(i) = t
      } producing t {
        cfir.lattice j over A.j
        case A.j {
          cfir.assign t += A(i,j)
        }
      }
    }
  }
  func.return %z : !sv
}

// Nothing bounds a loop over the universe for each row of A: room is made row by row.
// CHECK-LABEL: @grown(
// CHECK:      scf.for %pA1
// CHECK:        %[[MORE:.*]] = cfir.dim
// CHECK-NEXT:   cfir.reserve %Z 1(%[[MORE]])
func.func @grown(%a: !sv, %x: !vec) -> !dcsr {
  %Z = cfir.kernel Z(i,j) of (A(i) = %a, x(j) = %x) : !dcsr {
    cfir.lattice i over A.i
    case A.i {
      cfir.lattice j over U.j with x.j = j
      case U.j {
        cfir.append Z(i,j) = A(i) * x(j)
      }
    }
  }
  func.return %Z : !dcsr
}

// A mode that repeats another has no loop: the loop around its let makes its entries, and its fiber
// is closed inside of that.
// CHECK-LABEL: @spread(
// CHECK:      cfir.assemble room(%B_dim1, %{{.*}}, %B2_count)
// CHECK:      scf.for %i
// CHECK:        %Z2_begin = cfir.position %Z 1
// CHECK:        %Z3_begin = cfir.position %Z 2
// CHECK:        scf.for %pB2
// CHECK:          cfir.append_coord %Z 2
// CHECK:        cfir.append_coord %Z 1(%{{.*}}, %i)
// CHECK-NEXT:   cfir.append_edges %Z 2
// CHECK:        cfir.append_coord %Z 0(%{{.*}}, %i)
// CHECK-NEXT:   cfir.append_edges %Z 1
func.func @spread(%B: !csr) -> !csf {
  %Z = cfir.kernel Z(i,i_,j) of (B(i,j) = %B) : !csf {
    cfir.lattice i over U.i with B.i = i
    case U.i {
      cfir.let i_ = i below dim_i_ {
        cfir.lattice j over B.j
        case B.j {
          cfir.append Z(i,i_,j) = B(i,j)
        }
      }
    }
  }
  func.return %Z : !csf
}
