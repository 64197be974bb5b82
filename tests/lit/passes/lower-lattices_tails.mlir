// RUN: tamale-opt %s -p lower-lattices | filecheck %s
// RUN: tamale-opt %s -p 'lower-lattices,lower-levels,simplify' -t cpp | filecheck %s --check-prefix=CPP

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
!rows = tensor<?x?xf64, #format.spec<(i, r) -> (i : compressed, r : dense)>>
!csf = tensor<?x?x?xf64, #format.spec<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>>
!fibers = tensor<?x?x?xf64, #format.spec<(i, j, r) -> (i : compressed, j : compressed, r : dense)>>
!mat = tensor<?x?xf64>
!vec = tensor<?xf64>

// The block of the entry that may come next is set to 0, accumulates in place, and is the entry's
// if anything came.
// CHECK-LABEL: @ttm(
// CHECK:       %Z = cfir.assemble room(%X1_count, %X2_count)
// CHECK:           %pZ2 = cfir.position %Z 1
// CHECK-NEXT:      %[[LOW:.*]], %[[HIGH:.*]] = cfir.coord_bounds %Z 2(%pZ2)
// CHECK-NEXT:      scf.for %{{.*}} = %[[LOW]] to %[[HIGH]]
// CHECK:             cfir.store %{{.*}} into %Z(
// CHECK:           %Z_written = memref.alloca() : memref<i1>
// CHECK-NEXT:      memref.store %{{.*}}, %Z_written[]
// CHECK:               memref.store %{{.*}}, %Z_written[]
// CHECK-NEXT:          %[[AT:pZ2.*]] = cfir.position %Z 1 :
// CHECK-NEXT:          %pZ3, %{{.*}} = cfir.locate %Z 2(%[[AT]], %
// CHECK-NEXT:          %{{.*}} = cfir.load %Z(%pZ3)
// CHECK:           memref.load %Z_written[]
// CHECK-NEXT:      scf.if
// CHECK:             cfir.append_coord %Z 1(
// CHECK:             cfir.advance %Z 1
// CPP-LABEL:   int32_t ttm(
// CPP:           Z_vals = (double *)allocate(
// CPP:                 Z_vals[pZ2 * Z_dim3 + r] = 0.0;
// CPP:                   Z_vals[pZ3] += X_vals[pX3] * C_vals[k * C_dim2 + r];
// CPP:               if (Z_written) {
// CPP-NEXT:            Z2_crd[pZ2] = X2_crd[pX2];
// CPP-NEXT:            pZ2++;
func.func @ttm(%X: !csf, %C: !mat) -> !fibers {
  %Z = cfir.kernel Z(i,j,r) of (X(i,j,k) = %X, C(k,r) = %C) : !fibers {
    cfir.lattice i over X.i
    case X.i {
      cfir.lattice j over X.j
      case X.j {
        cfir.lattice k over X.k with C.k = k
        case X.k {
          cfir.lattice r over U.r with C.r = r
          case U.r {
            cfir.assign Z(i,j,r) += X(i,j,k) * C(k,r)
          }
        }
      }
    }
  }
  func.return %Z : !fibers
}

// A block that is assigned as a whole need not start from 0.
// CHECK-LABEL: @whole(
// CHECK-NOT:   cfir.coord_bounds %Z
// CHECK:       cfir.finish %Z
func.func @whole(%X: !dcsr, %b: !vec) -> !fibers {
  %Z = cfir.kernel Z(i,j,r) of (X(i,j) = %X, b(r) = %b) : !fibers {
    cfir.lattice i over X.i
    case X.i {
      cfir.lattice j over X.j
      case X.j {
        cfir.lattice r over U.r with b.r = r
        case U.r { cfir.assign Z(i,j,r) = X(i,j) * b(r) }
      }
    }
  }
  func.return %Z : !fibers
}

// Near miss: a sparse loop leaves some of it out.
// CHECK-LABEL: @in_part(
// CHECK:       cfir.coord_bounds %Z 1(
// CHECK:       cfir.finish %Z
func.func @in_part(%X: !dcsr) -> !rows {
  %Z = cfir.kernel Z(i,r) of (X(i,r) = %X) : !rows {
    cfir.lattice i over X.i
    case X.i {
      cfir.lattice r over X.r
      case X.r { cfir.assign Z(i,r) = X(i,r) }
    }
  }
  func.return %Z : !rows
}

// Workers' entries are joined with their blocks.
// CHECK-LABEL: @joined(
// CHECK:       %[[JOINED:.*]] = cfir.join %Z room(
// CHECK:         cfir.append_coord %[[JOINED]] 0(%[[PLACE:.*]], %
// CHECK-NEXT:    cfir.coord_bounds %[[PART:.*]] 1(%[[P:.*]]) :
// CHECK-NEXT:    scf.for %[[C:.*]] =
// CHECK-NEXT:      %[[FROM:.*]], %{{.*}} = cfir.locate %[[PART]] 1(%[[P]], %[[C]])
// CHECK-NEXT:      %[[TO:.*]], %{{.*}} = cfir.locate %[[JOINED]] 1(%[[PLACE]], %[[C]])
// CHECK-NEXT:      %[[VALUE:.*]] = cfir.load %[[PART]](%[[FROM]])
// CHECK-NEXT:      cfir.store %[[VALUE]] into %[[JOINED]](%[[TO]])
func.func @joined(%X: !dcsr) -> !rows {
  %Z = cfir.kernel Z(i,r) of (X(i,r) = %X) : !rows partitioned into 2 over i in X.i {
    cfir.lattice i over X.i
    case X.i {
      cfir.lattice r over X.r
      case X.r { cfir.assign Z(i,r) = X(i,r) }
    }
  }
  func.return %Z : !rows
}
