// RUN: tamale-opt %s -p concretize | filecheck %s

// Operands whose levels store expressions: loops over level variables, lets for the modes.

!dia = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>>
!ell = tensor<?x?xf64, #format.spec<(i, j) -> (#i : sliced, i : dense, j : singleton)>>
!bcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j / 3 : compressed, i % 2 : dense, j % 3 : dense)>>
!sell = tensor<?x?xf64, #format.spec<(i, j) -> (i / 4 : dense, #i : ragged, i % 4 : dense, j : singleton)>>
!rows = tensor<?x?xf64, #format.spec<(i, j) -> (i / 4 : compressed, i % 4 : compressed, j : compressed)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>

// Diagonal by diagonal; every mode is a level.
// CHECK-LABEL: @dia(
// CHECK:         cin.forall j_sub_i in A.j_sub_i & U.j_sub_i {
// CHECK-NEXT:      cin.forall i in A.i & U.i {
// CHECK-NEXT:        cin.forall j in A.j & x.j {
// CHECK-NEXT:          cin.assign y(i) += A(i,j) * x(j)
func.func @dia(%A: !dia, %x: tensor<?xf64>) {
  %y = tin.kernel %i {
    %s = tin.sum %j {
      %a = tin.access %A[%i, %j] : !dia -> f64
      %b = tin.access %x[%j] : tensor<?xf64> -> f64
      %m = tin.mul %a, %b : f64
      tin.yield %m : f64
    } : f64
    tin.yield %s : f64
  } : tensor<?xf64>
  func.return
}

// Blocks: i is known before the loop over the columns of a block; padding is skipped.
// CHECK-LABEL: @bcsr(
// CHECK:         cin.forall i_div_2 in A.i_div_2 & U.i_div_2 {
// CHECK-NEXT:      cin.forall j_div_3 in A.j_div_3 & U.j_div_3 {
// CHECK-NEXT:        cin.forall i_mod_2 in A.i_mod_2 & U.i_mod_2 {
// CHECK-NEXT:          cin.let i = i_div_2 * 2 + i_mod_2 within dim_i {
// CHECK-NEXT:            cin.forall j_mod_3 in A.j_mod_3 & U.j_mod_3 {
// CHECK-NEXT:              cin.let j = j_div_3 * 3 + j_mod_3 within dim_j {
// CHECK-NEXT:                cin.assign y(i) += A(i,j) * x(j)
func.func @bcsr(%A: !bcsr, %x: tensor<?xf64>) {
  %y = tin.kernel %i {
    %s = tin.sum %j {
      %a = tin.access %A[%i, %j] : !bcsr -> f64
      %b = tin.access %x[%j] : tensor<?xf64> -> f64
      %m = tin.mul %a, %b : f64
      tin.yield %m : f64
    } : f64
    tin.yield %s : f64
  } : tensor<?xf64>
  func.return
}

// Nobody asks for the columns here.
// CHECK-LABEL: @row_sums(
// CHECK:       cin.let i =
// CHECK-NOT:   cin.let j =
// CHECK:       cin.assign y(i) += A(i,j)
func.func @row_sums(%A: !bcsr) {
  %y = tin.kernel %i {
    %s = tin.sum %j {
      %a = tin.access %A[%i, %j] : !bcsr -> f64
      tin.yield %a : f64
    } : f64
    tin.yield %s : f64
  } : tensor<?xf64>
  func.return
}

// No padding, so that the row is known to exist.
// CHECK-LABEL: @unpadded(
// CHECK:       cin.let i = i_div_4 * 4 + i_mod_4 below dim_i {
// CHECK-NEXT:    cin.forall j in A.j {
func.func @unpadded(%A: !rows) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !rows -> f64
    tin.yield %a : f64
  } : tensor<?x?xf64>
  func.return
}

// A loop over slots is the tensor's own; slots may repeat a coordinate (in padding), so they are added up.
// CHECK-LABEL: @sell(
// CHECK:         cin.forall i_div_4 in A.i_div_4 {
// CHECK-NEXT:      cin.forall A2 in A.A2 {
// CHECK-NEXT:        cin.forall i_mod_4 in A.i_mod_4 {
// CHECK-NEXT:          cin.let i = i_div_4 * 4 + i_mod_4 within dim_i {
// CHECK-NEXT:            cin.forall j in A.j {
// CHECK-NEXT:              cin.assign Z(i,j) += A(i,j)
func.func @sell(%A: !sell) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !sell -> f64
    tin.yield %a : f64
  } : tensor<?x?xf64>
  func.return
}

// Equal expressions share loops.
// CHECK-LABEL: @dia_and_dia(
// CHECK:         cin.forall j_sub_i in A.j_sub_i | B.j_sub_i {
// CHECK-NEXT:      cin.forall i in A.i | B.i {
// CHECK-NEXT:        cin.forall j in A.j | B.j {
// CHECK-NEXT:          cin.assign Z(i,j) = A(i,j) + B(i,j)
func.func @dia_and_dia(%A: !dia, %B: !dia) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !dia -> f64
    %b = tin.access %B[%i, %j] : !dia -> f64
    %s = tin.add %a, %b : f64
    tin.yield %s : f64
  } : tensor<?x?xf64>
  func.return
}

// Near miss: a slot of A is not that of B. A sum into a dense result goes term by term.
// CHECK-LABEL: @ell_and_ell(
// CHECK:         cin.forall A1 in A.A1 {
// CHECK:             cin.assign Z(i,j) += A(i,j)
// CHECK:         cin.forall B1 in B.B1 {
// CHECK:             cin.assign Z(i,j) += B(i,j)
func.func @ell_and_ell(%A: !ell, %B: !ell) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !ell -> f64
    %b = tin.access %B[%i, %j] : !ell -> f64
    %s = tin.add %a, %b : f64
    tin.yield %s : f64
  } : tensor<?x?xf64>
  func.return
}

// Near miss: the rows of B are not those of blocks.
// CHECK-LABEL: @bcsr_minus_csr(
// CHECK:         cin.forall i_div_2 in A.i_div_2 {
// CHECK:             cin.assign Z(i,j) += A(i,j)
// CHECK:         cin.forall i in B.i {
// CHECK-NEXT:      cin.forall j in B.j {
// CHECK-NEXT:        cin.assign Z(i,j) += -B(i,j)
func.func @bcsr_minus_csr(%A: !bcsr, %B: !csr) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !bcsr -> f64
    %b = tin.access %B[%i, %j] : !csr -> f64
    %s = tin.sub %a, %b : f64
    tin.yield %s : f64
  } : tensor<?x?xf64>
  func.return
}

// A dense operand of a product is looked up.
// CHECK-LABEL: @bcsr_times_dense(
// CHECK:       cin.let i = i_div_2 * 2 + i_mod_2 within dim_i {
// CHECK:         cin.let j = j_div_3 * 3 + j_mod_3 within dim_j {
// CHECK-NEXT:      cin.assign Z(i,j) = A(i,j) * B(i,j)
func.func @bcsr_times_dense(%A: !bcsr, %B: tensor<?x?xf64>) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !bcsr -> f64
    %b = tin.access %B[%i, %j] : tensor<?x?xf64> -> f64
    %s = tin.mul %a, %b : f64
    tin.yield %s : f64
  } : tensor<?x?xf64>
  func.return
}

// Rows of a csr operand are looked up by the column that blocks tell.
// CHECK-LABEL: @bcsr_times_csr(
// CHECK:       cin.let j = j_div_3 * 3 + j_mod_3 within dim_j {
// CHECK-NEXT:    cin.forall k in U.k & B.k {
// CHECK-NEXT:      cin.assign Z(i,k) += A(i,j) * B(j,k)
func.func @bcsr_times_csr(%A: !bcsr, %B: !csr) {
  %Z = tin.kernel %i, %k {
    %s = tin.sum %j {
      %a = tin.access %A[%i, %j] : !bcsr -> f64
      %b = tin.access %B[%j, %k] : !csr -> f64
      %m = tin.mul %a, %b : f64
      tin.yield %m : f64
    } : f64
    tin.yield %s : f64
  } : tensor<?x?xf64>
  func.return
}

// The sum's loops run inside the row's: rows of ELL are looked up, slots are walked in them.
// CHECK-LABEL: @ell_inside(
// CHECK:         cin.forall i in b.i | A.i {
// CHECK-NEXT:      cin.where {
// CHECK-NEXT:        cin.assign y(i) = b(i) + t
// CHECK-NEXT:      } producing t {
// CHECK-NEXT:        cin.forall A1 in A.A1 {
// CHECK-NEXT:          cin.forall j in A.j {
// CHECK-NEXT:            cin.assign t += A(i,j)
func.func @ell_inside(%A: !ell, %b: tensor<?xf64>) {
  %y = tin.kernel %i {
    %v = tin.access %b[%i] : tensor<?xf64> -> f64
    %s = tin.sum %j {
      %a = tin.access %A[%i, %j] : !ell -> f64
      tin.yield %a : f64
    } : f64
    %e = tin.add %v, %s : f64
    tin.yield %e : f64
  } : tensor<?xf64>
  func.return
}
