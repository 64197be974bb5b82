// RUN: tamale-opt %s -p lower-queries | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dia = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>>
!rows = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, i % 2 : dense, j : compressed)>>
!columns = tensor<?x?xf64, #format.spec<(i, j) -> (i % 2 : dense, i / 2 : compressed(nonunique), j : singleton)>>
!bcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j / 3 : compressed, i % 2 : dense, j % 3 : dense)>>
!diagonals = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : compressed, i : compressed)>>

// A diagonal counts from the lowest one: its number is from 0 on, below how many there can be.
// CHECK-LABEL: @diagonals(
// CHECK-NEXT:    %nz = cin.kernel nz(k) of (A(i,j) = %A) : tensor<?xi64> zeroed {
// CHECK-NEXT:      cin.forall i in A.i {
// CHECK-NEXT:        cin.forall j in A.j {
// CHECK-NEXT:          cin.let k = j + dim_i - i - 1 below dim_j + dim_i - 1 {
// CHECK-NEXT:            cin.assign nz(k) |= map(A(i,j), 1)
func.func @diagonals(%A: !csr) -> tensor<?xi64> {
  %nz = query.select "select [k] -> id() as nz" of %A remapped (i, j) -> (k = j - i, i, j) : !csr -> tensor<?xi64>
  func.return %nz : tensor<?xi64>
}

// A let lies as far out as what it needs; marks are per block, not per entry.
// CHECK-LABEL: @blocks(
// CHECK:           cin.forall i in A.i {
// CHECK-NEXT:        cin.let r = i / 4 below (dim_i - 1) / 4 + 1 {
// CHECK-NEXT:          cin.forall j in A.j {
// CHECK-NEXT:            cin.let c = j / 3 below (dim_j - 1) / 3 + 1 {
// CHECK-NEXT:              cin.assign W(r,c) |= map(A(i,j), 1)
// CHECK:           cin.forall r in W.r {
// CHECK-NEXT:        cin.forall c in W.c {
// CHECK-NEXT:          cin.assign n(r) += map(W(r,c), 1)
func.func @blocks(%A: !csr) -> tensor<?xi64> {
  %n = query.select "select [r] -> count(c) as n" of %A remapped (i, j) -> (r = i / 4, c = j / 3) : !csr -> tensor<?xi64>
  func.return %n : tensor<?xi64>
}

// Modes come back from the levels that store something else; of padding, only what is inside.
// CHECK-LABEL: @from_bcsr(
// CHECK:           cin.forall i_div_2 in A.i_div_2 {
// CHECK-NEXT:        cin.forall j_div_3 in A.j_div_3 {
// CHECK-NEXT:          cin.forall i_mod_2 in A.i_mod_2 {
// CHECK-NEXT:            cin.let i = i_div_2 * 2 + i_mod_2 within dim_i {
// CHECK-NEXT:              cin.forall j_mod_3 in A.j_mod_3 {
// CHECK-NEXT:                cin.let j = j_div_3 * 3 + j_mod_3 within dim_j {
// CHECK-NEXT:                  cin.assign n(i) += map(A(i,j), 1)
func.func @from_bcsr(%A: !bcsr) -> tensor<?xi64> {
  %n = query.select "select [i] -> count(*) as n" of %A remapped (i, j) -> (i, j) : !bcsr -> tensor<?xi64>
  func.return %n : tensor<?xi64>
}

// The last rows of a block may lie outside and have no entries: nothing but the row tells.
// CHECK-LABEL: @from_rows_of_blocks(
// CHECK:           cin.forall i_mod_2 in A.i_mod_2 {
// CHECK-NEXT:        cin.let i = i_div_2 * 2 + i_mod_2 within dim_i {
// CHECK-NEXT:          cin.forall j in A.j {
// CHECK-NEXT:            cin.assign n(i) += map(A(i,j), 1)
func.func @from_rows_of_blocks(%A: !rows) -> tensor<?xi64> {
  %n = query.select "select [i] -> count(*) as n" of %A remapped (i, j) -> (i, j) : !rows -> tensor<?xi64>
  func.return %n : tensor<?xi64>
}

// Near miss: an entry has been met when the row is known.
// CHECK-LABEL: @from_columns_of_rows(
// CHECK:           cin.let i = i_div_2 * 2 + i_mod_2 below dim_i {
func.func @from_columns_of_rows(%A: !columns) -> tensor<?xi64> {
  %n = query.select "select [i] -> count(*) as n" of %A remapped (i, j) -> (i, j) : !columns -> tensor<?xi64>
  func.return %n : tensor<?xi64>
}

// Without padding, everything stored is inside.
// CHECK-LABEL: @from_diagonals(
// CHECK:           cin.forall j_sub_i in A.j_sub_i {
// CHECK-NEXT:        cin.forall i in A.i {
// CHECK-NEXT:          cin.let j = j_sub_i + i below dim_j {
// CHECK-NEXT:            cin.assign n(j) += map(A(i,j), 1)
func.func @from_diagonals(%A: !diagonals) -> tensor<?xi64> {
  %n = query.select "select [j] -> count(*) as n" of %A remapped (i, j) -> (i, j) : !diagonals -> tensor<?xi64>
  func.return %n : tensor<?xi64>
}

// A counter is counted once per entry, in the innermost loop.
// CHECK-LABEL: @counter(
// CHECK:           cin.forall j in A.j {
// CHECK-NEXT:        cin.let k = #i {
// CHECK-NEXT:          cin.assign K max= map(A(i,j), k + 1)
func.func @counter(%A: !csr) -> tensor<i64> {
  %K = query.select "select [] -> max(k) as K" of %A remapped (i, j) -> (k = #i, i, j) : !csr -> tensor<i64>
  func.return %K : tensor<i64>
}

// What is made of a counter gets a let of its own, behind it.
// CHECK-LABEL: @halves(
// CHECK:           cin.let n_i = #i {
// CHECK-NEXT:        cin.let k = n_i / 2 below (dim_j - 1) / 2 + 1 {
// CHECK-NEXT:          cin.assign K max= map(A(i,j), k + 1)
func.func @halves(%A: !csr) -> tensor<i64> {
  %K = query.select "select [] -> max(k) as K" of %A remapped (i, j) -> (k = #i / 2, i, j) : !csr -> tensor<i64>
  func.return %K : tensor<i64>
}

// Padding is no nonzero and has no number: entries are counted, not numbered.
// CHECK-LABEL: @counter_among_padding(
// CHECK-NEXT:    %W = cin.kernel W(i) of (A(i,j) = %A) : tensor<?xi64> zeroed {
// CHECK-NOT:     cin.let
// CHECK:           cin.assign W(i) += map(A(i,j), 1)
// CHECK:         %K = cin.kernel K of (W(i) = %W) : tensor<i64> zeroed {
// CHECK-NEXT:      cin.forall i in W.i {
// CHECK-NEXT:        cin.assign K max= W(i)
func.func @counter_among_padding(%A: !dia) -> tensor<i64> {
  %K = query.select "select [] -> max(k) as K" of %A remapped (i, j) -> (k = #i, i, j) : !dia -> tensor<i64>
  func.return %K : tensor<i64>
}
