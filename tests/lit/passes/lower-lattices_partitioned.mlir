// RUN: tamale-opt %s -p lower-lattices | filecheck %s
// RUN: tamale-opt %s -p 'lower-lattices,lower-levels,simplify' -t cpp | filecheck %s --check-prefix=CPP

!vec = tensor<?xf64>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>

// Places are found first; the sum of a row that another worker began is kept apart, and added in
// the end.
// CHECK-LABEL: @spmv(
// CHECK:       %i_begin = memref.alloca() : memref<5xindex>
// CHECK:       %work = arith.addi
// CHECK:       scf.for %worker = %{{.*}} to %{{.*}} step
// CHECK:         cfir.rank %A 0(
// CHECK:         cfir.below %A 1(
// CHECK:         cfir.rank %A 1(
// CHECK:       "scf.parallel"(
// CHECK:         %i_begins = arith.cmpi eq, %i, %{{.*}} : index
// CHECK:         scf.if %i_begins {
// CHECK:           cfir.rank %A 1(
// CHECK:           memref.store %{{.*}}, %y_partial[%{{.*}}] : memref<?xf64>
// CHECK:         } else {
// CHECK:           cfir.store %{{.*}} into %y(%py1) : f64, tensor<?xf64>
// CHECK:       scf.for %worker
// CHECK:         memref.load %y_partial[
// CHECK:         cfir.store %{{.*}} into %y(%py1_1)
// CHECK:       memref.dealloc %y_partial
// CPP-LABEL:   int32_t spmv(
// CPP:           #pragma omp parallel for num_threads(4) schedule(static, 1)
// CPP-NEXT:      for (int64_t worker = 0; worker < 4; worker++) {
// CPP:             y_partial[worker - 1] = t
func.func @spmv(%A: !csr, %x: !vec) -> !vec {
  %y = cfir.kernel y(i) of (A(i,j) = %A, x(j) = %x) : !vec partitioned into 4 over i in U.i, j in A.j combined by add {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.where {
        cfir.assign y(i) = t
      } producing t {
        cfir.lattice j over A.j with x.j = j
        case A.j { cfir.assign t += A(i,j) * x(j) }
      }
    }
  }
  func.return %y : !vec
}

// Near miss: no two workers write one element, so that nothing is kept apart. Zeros are shared out.
// CHECK-LABEL: @copied(
// CHECK:       cfir.assemble fill %{{.*}} : f64 workers 4 : tensor
// CHECK-NOT:   _partial
// CHECK:       "scf.parallel"(
// CHECK-NOT:   _partial
// CPP-LABEL:   int32_t copied(
// CPP:           #pragma omp parallel for num_threads(4) schedule(static, 1)
// CPP-NEXT:      for (int64_t worker = 0; worker < 4; worker++) {
// CPP:               Z_vals[p] = 0.0;
// CPP-NOT:       _partial
func.func @copied(%A: !csr) -> tensor<?x?xf64> {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A) : tensor<?x?xf64> partitioned into 4 over i in U.i, j in A.j {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.lattice j over A.j
      case A.j { cfir.assign Z(i,j) = A(i,j) }
    }
  }
  func.return %Z : tensor<?x?xf64>
}

// The rows of B that a row of A leads to are counted, by the workers, before the search for places.
// CHECK-LABEL: @counting(
// CHECK:       %Z_visits = cfir.assemble fill %{{.*}} : i64 workers 4 dims(%A_dim1) : tensor<?xi64>
// CHECK:       "scf.parallel"(
// CHECK:         cfir.store %{{.*}} into %Z_visits(
// CHECK:       %Z_visits_before = memref.alloc(
// CHECK:       scf.for %[[P:.*]] = %{{.*}} to %A_dim1
// CHECK:         memref.store %{{.*}}, %Z_visits_before[%[[P]]]
// CHECK:       %[[MIDDLE:i_middle.*]] = arith.subi
// CHECK:         memref.load %Z_visits_before[%[[MIDDLE]]]
// CHECK:       "scf.parallel"(
// CHECK:       memref.dealloc %Z_visits_before
// CPP-LABEL:   int32_t counting(
// CPP:           Z_visits[i] += (int64_t)B2_pos[j + 1] - B2_pos[j];
// CPP:             int64_t t_{{[0-9]+}} = i_middle + Z_visits_before[i_middle] + ((int64_t)A2_pos[
func.func @counting(%A: !csr, %B: !csr) -> tensor<?x?xf64> {
  %Z = cfir.kernel Z(i,k) of (A(i,j) = %A, B(j,k) = %B) : tensor<?x?xf64> partitioned into 4 over i in U.i weighed by j in A.j counting k in B.k {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.lattice j over A.j with B.j = j
      case A.j {
        cfir.lattice k over B.k
        case B.k { cfir.assign Z(i,k) += A(i,j) * B(j,k) }
      }
    }
  }
  func.return %Z : tensor<?x?xf64>
}

// Near miss: what levels tell is not counted.
// CHECK-LABEL: @weighed(
// CHECK-NOT:   _visits
// CHECK:       func.return
func.func @weighed(%A: !csr, %B: !csr) -> tensor<?x?xf64> {
  %Z = cfir.kernel Z(i,k) of (A(i,j) = %A, B(j,k) = %B) : tensor<?x?xf64> partitioned into 4 over i in U.i weighed by j in A.j {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.lattice j over A.j with B.j = j
      case A.j {
        cfir.lattice k over B.k
        case B.k { cfir.assign Z(i,k) += A(i,j) * B(j,k) }
      }
    }
  }
  func.return %Z : tensor<?x?xf64>
}

// Where rows meet is found first, by workers that are cut by rows alone: a row of A has the entries
// below it as its number if B has it, too. The search then subtracts sums of these.
// CHECK-LABEL: @met(
// CHECK:       %A1_inside = memref.alloc(%{{.*}}) : memref<?xindex>
// CHECK:       "scf.parallel"(
// CHECK:         %i = memref.load %A1_next[
// CHECK:         %[[BOTH:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK-NEXT:    scf.if %[[BOTH]] {
// CHECK:           cfir.below %A 1(
// CHECK:           cfir.below %B 1(
// CHECK:           memref.store %{{.*}}, %A1_inside[
// CHECK:       %before = memref.alloca() : memref<index>
// CHECK:       %work_1 = arith.addi
// CHECK:       "scf.parallel"(
// CHECK:       memref.dealloc %A1_inside
func.func @met(%A: !dcsr, %B: !dcsr) -> tensor<?x?xf64> {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : tensor<?x?xf64> partitioned into 4 over i in A.i & B.i, j in A.j & B.j met along A {
    cfir.lattice i over A.i & B.i
    case A.i & B.i {
      cfir.lattice j over A.j & B.j
      case A.j & B.j { cfir.assign Z(i,j) = A(i,j) * B(i,j) }
    }
  }
  func.return %Z : tensor<?x?xf64>
}

// Near miss: all entries are the measure where nobody asks for more.
// CHECK-LABEL: @unmet(
// CHECK-NOT:   _inside = memref.alloc(
func.func @unmet(%A: !dcsr, %B: !dcsr) -> tensor<?x?xf64> {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : tensor<?x?xf64> partitioned into 4 over i in A.i & B.i, j in A.j & B.j {
    cfir.lattice i over A.i & B.i
    case A.i & B.i {
      cfir.lattice j over A.j & B.j
      case A.j & B.j { cfir.assign Z(i,j) = A(i,j) * B(i,j) }
    }
  }
  func.return %Z : tensor<?x?xf64>
}

// Near miss: one worker needs no places.
// CHECK-LABEL: @serial(
// CHECK-NOT:   "scf.parallel"
// CPP-LABEL:   int32_t serial(
// CPP-NOT:       omp
func.func @serial(%A: !csr) -> tensor<?x?xf64> {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A) : tensor<?x?xf64> {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.lattice j over A.j
      case A.j { cfir.assign Z(i,j) = A(i,j) }
    }
  }
  func.return %Z : tensor<?x?xf64>
}
