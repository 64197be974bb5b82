// RUN: tamale-opt %s -p 'plan-assembly{by=count}' | filecheck %s
// RUN: tamale-opt %s -p 'plan-assembly{by=count},lower-lattices,lower-assembly,lower-levels,simplify' -t cpp | filecheck %s --check-prefix=CPP

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>

// Workers count and fill in whole rows, which weigh as much as they have; `pos` tells each where
// its rows begin. What is read off widths has no loop left to weigh rows by.
// CHECK-LABEL: @rows(
// CHECK:       cfir.kernel Z2_nir(i) of (A(i,j) = %A) : tensor<?xi64> partitioned into 4 over i in U.i {
// CHECK:         cfir.assign count += width(A(i,j))
// CHECK:       cfir.kernel Z(i,j) of (A(i,j) = %A) : {{.*}} partitioned into 4 over i in U.i weighed by j in A.j into %Z {
// CPP-LABEL:   int32_t rows(
// CPP:           #pragma omp parallel for num_threads(4) schedule(static, 1)
// CPP:               Z2_nir[i] = count;
// CPP:           #pragma omp parallel for num_threads(4) schedule(static, 1)
// CPP:               int64_t pZ2 = Z2_pos[i];
// CPP-NOT:       _parts
func.func @rows(%A: !csr) -> !csr {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A) : !csr partitioned into 4 over i in U.i, j in A.j {
    cfir.lattice i over U.i with A.i = i
    case U.i {
      cfir.lattice j over A.j
      case A.j { cfir.append Z(i,j) = A(i,j) }
    }
  }
  func.return %Z : !csr
}

// Near miss: in which place a row is stored depends on all rows before it.
// CHECK-LABEL: @stored_rows(
// CHECK-NOT:   partitioned
// CPP-LABEL:   int32_t stored_rows(
// CPP-NOT:       omp
func.func @stored_rows(%A: !dcsr) -> !dcsr {
  %Z = cfir.kernel Z(i,j) of (A(i,j) = %A) : !dcsr partitioned into 4 over i in A.i, j in A.j {
    cfir.lattice i over A.i
    case A.i {
      cfir.lattice j over A.j
      case A.j { cfir.append Z(i,j) = A(i,j) }
    }
  }
  func.return %Z : !dcsr
}
