// RUN: tamale-opt %s -p convert -t cpp --split-input-file | filecheck %s

// The three conversions of Figure 6 of Chou et al., PLDI 2020: the same passes over the entries, the
// same arrays and temporaries, and no others.

#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>
#dia = #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>

// Marks diagonals in a pass, lists them, places values in a pass; `rperm` leads to them.
// CHECK-LABEL: int32_t csr_to_dia(
// CHECK-NOT:   for (
// CHECK:       nz = (int8_t *)allocate_zeroed(
// CHECK:       for (int64_t i = 0; i < A_dim1; i++)
// CHECK-NEXT:    for (int64_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++)
// CHECK:           nz[{{.*}}] |= 1;
// CHECK-NOT:   {{for \(int64_t [ip]|allocate}}
// CHECK:       for (int64_t c = 0; c <
// CHECK-NOT:   for (
// CHECK:       B1_size = {{.*}}allocate(1 *
// CHECK:       B1_perm = {{.*}}allocate(
// CHECK:       rperm = {{.*}}allocate(
// CHECK-NOT:   {{for \(int64_t [ip]|allocate}}
// CHECK:       for (int64_t c = 0; c <
// CHECK:         B1_perm[place] =
// CHECK-NEXT:    rperm[c] = place;
// CHECK-NOT:   {{for|allocate\(}}
// CHECK:       B_vals = (double *)allocate_zeroed(
// CHECK-NOT:   {{for \(int64_t [cp]|allocate}}
// CHECK:       for (int64_t i = 0; i < A_dim1; i++)
// CHECK-NEXT:    for (int64_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++)
// CHECK-NEXT:      B_vals[rperm[{{.*}}] * A_dim1 + i] = A_vals[pA2];
// CHECK-NOT:   {{for|allocate}}
// CHECK:       return 0;
func.func @csr_to_dia(%A: tensor<?x?xf64, #csr>) -> tensor<?x?xf64, #dia> {
  %B = tin.convert %A : tensor<?x?xf64, #csr> -> tensor<?x?xf64, #dia>
  func.return %B : tensor<?x?xf64, #dia>
}

// -----

#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>
#ell = #format.spec<(i, j) -> (#i : sliced, i : dense, j : singleton)>

// K from `pos` alone, then one pass with a scalar counter per row.
// CHECK-LABEL: int32_t csr_to_ell(
// CHECK:       int64_t max_crd = 0;
// CHECK:       for (int64_t i = 0; i < A_dim1; i++) {
// CHECK-NOT:   for (
// CHECK:         (int64_t)A2_pos[i + 1] - A2_pos[i];
// CHECK-NOT:   for (
// CHECK:       B1_size = (int32_t *)allocate(1 *
// CHECK:       B3_crd = (int32_t *)allocate_zeroed(
// CHECK:       B_vals = (double *)allocate_zeroed(
// CHECK-NOT:   {{for \(int64_t p|allocate}}
// CHECK:       for (int64_t i = 0; i < A_dim1; i++) {
// CHECK-NEXT:    int64_t count = 0;
// CHECK-NEXT:    for (int64_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) {
// CHECK:           B_vals[pB2] = A_vals[pA2];
// CHECK-NOT:   {{for|allocate}}
// CHECK:       return 0;
func.func @csr_to_ell(%A: tensor<?x?xf64, #csr>) -> tensor<?x?xf64, #ell> {
  %B = tin.convert %A : tensor<?x?xf64, #csr> -> tensor<?x?xf64, #ell>
  func.return %B : tensor<?x?xf64, #ell>
}

// -----

#coo = #format.spec<(i, j) -> (i : compressed(nonunique), j : singleton)>
#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>

// A histogram, a prefix sum, one pass that advances `pos`, and a shift back.
// CHECK-LABEL: int32_t coo_to_csr(
// CHECK-NOT:   for (int64_t {{[ijc]}}
// CHECK:       for (int64_t pA1 = A1_pos[0]; pA1 < A1_pos[1]; pA1++) {
// CHECK-NOT:   for (int64_t p
// CHECK:       for (int64_t i = 0; i < A_dim1; i++) {
// CHECK:         total =
// CHECK-NOT:   for (int64_t {{[ijc]}}
// CHECK:       for (int64_t pA1 = A1_pos[0]; pA1 < A1_pos[1]; pA1++) {
// CHECK:         B2_pos[{{.*}}] = pB2 + 1;
// CHECK-NEXT:    B2_crd[pB2] = A2_crd[pA1];
// CHECK-NEXT:    B_vals[pB2] = A_vals[pA1];
// CHECK-NOT:   {{for \(int64_t [ij]|allocate}}
// CHECK:       for (int64_t p = 0; p < A_dim1; p++) {
// CHECK-NOT:   {{for \(|allocate}}
// CHECK:       return 0;
func.func @coo_to_csr(%A: tensor<?x?xf64, #coo>) -> tensor<?x?xf64, #csr> {
  %B = tin.convert %A : tensor<?x?xf64, #coo> -> tensor<?x?xf64, #csr>
  func.return %B : tensor<?x?xf64, #csr>
}
