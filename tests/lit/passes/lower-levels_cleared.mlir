// RUN: tamale-opt %s -p lower-levels | filecheck %s
// RUN: tamale-opt %s -p 'lower-levels,simplify' -t cpp | filecheck %s --check-prefix=CPP

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!bits = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : bitmap)>>

// Values that start from 0 are cleared by the workers, each an equal share.
// CHECK-LABEL: @cleared(
// CHECK:       %B_vals = memref.alloc(
// CHECK:       "scf.parallel"(
// CHECK:         scf.for %[[P:.*]] = %
// CHECK-NEXT:      memref.store %{{.*}}, %B_vals[%[[P]]]
// CPP-LABEL:   int32_t cleared(
// CPP:           B_vals = (double *)allocate(
// CPP:           #pragma omp parallel for num_threads(3) schedule(static, 1)
// CPP:             B_vals[p] = 0.0;
func.func @cleared(%A: !csr) -> !bits {
  %B = assembly.open of %A workers 3 : !csr -> !bits
  assembly.init_coords %B 1 : !bits
  assembly.init_values %B zeroed : !bits
  %F = assembly.finish %B : !bits
  func.return %F : !bits
}

// Near miss: one worker asks for a block that is clear.
// CHECK-LABEL: @fresh(
// CHECK-NOT:   "scf.parallel"
// CHECK:       func.return
// CPP-LABEL:   int32_t fresh(
// CPP:           B_vals = (double *)allocate_zeroed(
// CPP-NOT:       omp
func.func @fresh(%A: !csr) -> !bits {
  %B = assembly.open of %A : !csr -> !bits
  assembly.init_coords %B 1 : !bits
  assembly.init_values %B zeroed : !bits
  %F = assembly.finish %B : !bits
  func.return %F : !bits
}
