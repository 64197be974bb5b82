// RUN: tamale-opt %s -p concretize | filecheck %s

// Accesses that repeat an index variable: every mode has a variable of its own, tied to the first.

!vec = tensor<?xf64>
!dense = tensor<?x?xf64>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!csc = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>
!ucoo = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonunique, nonordered))>>
!dia = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>>
!bcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i / 2 : dense, j / 3 : compressed, i % 2 : dense, j % 3 : dense)>>

// A sparse level is walked, and a guard lets the diagonal pass.
// CHECK-LABEL: @walked(
// CHECK:      %y = cin.kernel y(i) of (A(i,i_) = %A)
// CHECK-NEXT:   cin.forall i in A.i {
// CHECK-NEXT:     cin.forall i_ in A.i_ {
// CHECK-NEXT:       cin.let i_off = i_ - i within 1 {
// CHECK-NEXT:         cin.assign y(i) = A(i,i_)
func.func @walked(%A: !csr) {
  %y = tin.kernel %i {
    %a = tin.access %A[%i, %i] : !csr -> f64
    tin.yield %a : f64
  } : !vec
  func.return
}

// The mode that is stored first keeps the variable.
// CHECK-LABEL: @by_columns(
// CHECK:      %y = cin.kernel y(i) of (A(i_,i) = %A)
// CHECK-NEXT:   cin.forall i in A.i {
// CHECK-NEXT:     cin.forall i_ in A.i_ {
func.func @by_columns(%A: !csc) {
  %y = tin.kernel %i {
    %a = tin.access %A[%i, %i] : !csc -> f64
    tin.yield %a : f64
  } : !vec
  func.return
}

// Near miss: a level that stores every coordinate is located; there is no second loop.
// CHECK-LABEL: @located(
// CHECK:      cin.forall i in A.i {
// CHECK-NEXT:   cin.let i_ = i below dim_i_ {
// CHECK-NEXT:     cin.assign y(i) = A(i,i_)
func.func @located(%A: !dense) {
  %y = tin.kernel %i {
    %a = tin.access %A[%i, %i] : !dense -> f64
    tin.yield %a : f64
  } : !vec
  func.return
}

// A trace binds both.
// CHECK-LABEL: @trace(
// CHECK:      cin.forall i in A.i {
// CHECK-NEXT:   cin.let i_ = i below dim_i_ {
// CHECK-NEXT:     cin.assign z += A(i,i_)
func.func @trace(%A: !dense) {
  %z = tin.kernel {
    %s = tin.sum %i {
      %a = tin.access %A[%i, %i] : !dense -> f64
      tin.yield %a : f64
    } : f64
    tin.yield %s : f64
  } : tensor<f64>
  func.return
}

// Near miss: what has entries without A does not lie inside of its walk, which is a sum of its own.
// CHECK-LABEL: @beside(
// CHECK:      cin.forall i in b.i | A.i {
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     cin.assign y(i) = b(i) + t
// CHECK-NEXT:   } producing t {
// CHECK-NEXT:     cin.forall i_ in A.i_ {
// CHECK-NEXT:       cin.let i_off = i_ - i within 1 {
// CHECK-NEXT:         cin.assign t += A(i,i_)
func.func @beside(%A: !csr, %b: !sv) {
  %y = tin.kernel %i {
    %v = tin.access %b[%i] : !sv -> f64
    %a = tin.access %A[%i, %i] : !csr -> f64
    %s = tin.add %v, %a : f64
    tin.yield %s : f64
  } : !vec
  func.return
}

// Duplicates add up.
// CHECK-LABEL: @duplicates(
// CHECK:      cin.assign y(i) += A(i,i_)
func.func @duplicates(%A: !ucoo) {
  %y = tin.kernel %i {
    %a = tin.access %A[%i, %i] : !ucoo -> f64
    tin.yield %a : f64
  } : !vec
  func.return
}

// A factor without an entry ends it all: the row of B is not even looked at.
// CHECK-LABEL: @scaled(
// CHECK:      cin.forall i in A.i & B.i {
// CHECK-NEXT:   cin.forall i_ in A.i_ & U.i_ {
// CHECK-NEXT:     cin.let i_off = i_ - i within 1 {
// CHECK-NEXT:       cin.forall j in U.j & B.j {
// CHECK-NEXT:         cin.assign Z(i,j) = A(i,i_) * B(i,j)
func.func @scaled(%A: !csr, %B: !csr) {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %i] : !csr -> f64
    %r = tin.broadcast %a over %j : f64
    %b = tin.access %B[%i, %j] : !csr -> f64
    %m = tin.mul %r, %b : f64
    tin.yield %m : f64
  } : !csr
  func.return
}

// Levels that are expressions: the guard is over their variables, as far out as they tell it.
// CHECK-LABEL: @dia(
// CHECK:      cin.forall i__sub_i in A.i__sub_i {
// CHECK-NEXT:   cin.let i_off = i__sub_i within 1 {
// CHECK-NEXT:     cin.forall i in A.i {
func.func @dia(%A: !dia) {
  %y = tin.kernel %i {
    %a = tin.access %A[%i, %i] : !dia -> f64
    tin.yield %a : f64
  } : !vec
  func.return
}

// CHECK-LABEL: @blocks(
// CHECK:      cin.let i = i_div_2 * 2 + i_mod_2 within dim_i {
// CHECK:      cin.let i_off = i__div_3 * 3 + i__mod_3 - (i_div_2 * 2 + i_mod_2) within 1 {
// CHECK-NEXT:   cin.assign y(i) = A(i,i_)
func.func @blocks(%A: !bcsr) {
  %y = tin.kernel %i {
    %a = tin.access %A[%i, %i] : !bcsr -> f64
    tin.yield %a : f64
  } : !vec
  func.return
}

// A result is written where its modes are equal.
// CHECK-LABEL: @written(
// CHECK:      %Z = cin.kernel Z(i_,i) of (b(i) = %b)
// CHECK-NEXT:   cin.forall i in b.i {
// CHECK-NEXT:     cin.let i_ = i below dim_i_ {
// CHECK-NEXT:       cin.assign Z(i_,i) = b(i)
func.func @written(%b: !sv) {
  %Z = tin.kernel %i at (%i, %i) {
    %v = tin.access %b[%i] : !sv -> f64
    tin.yield %v : f64
  } : !csc
  func.return
}
