// RUN: tamale-opt %s -p concretize | filecheck %s

// The examples of the guide, each printed as there.

!vec = tensor<?xf64>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!dense = tensor<?x?xf64>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>

// z(i) = a(i) + b(i)
// Either operand makes an entry of a sum: the union.
// CHECK-LABEL: @add(
// CHECK:      cin.forall i in a.i | b.i {
// CHECK-NEXT:   cin.assign z(i) = a(i) + b(i)
func.func @add(%a: !sv, %b: !sv) {
  %z = tin.kernel %i {
    %v = tin.access %a[%i] : !sv -> f64
    %v2 = tin.access %b[%i] : !sv -> f64
    %e = tin.add %v, %v2 : f64
    tin.yield %e : f64
  } : !sv
  func.return
}

// z(i) = a(i) * b(i)
// Both are needed for an entry of a product: the intersection.
// CHECK-LABEL: @multiply(
// CHECK:      cin.forall i in a.i & b.i {
// CHECK-NEXT:   cin.assign z(i) = a(i) * b(i)
func.func @multiply(%a: !sv, %b: !sv) {
  %z = tin.kernel %i {
    %v = tin.access %a[%i] : !sv -> f64
    %v2 = tin.access %b[%i] : !sv -> f64
    %e = tin.mul %v, %v2 : f64
    tin.yield %e : f64
  } : !sv
  func.return
}

// z(i) = a(i) + b(i) * c(i)
// The two compose as the expression does.
// CHECK-LABEL: @multiply_add(
// CHECK:      cin.forall i in a.i | b.i & c.i {
// CHECK-NEXT:   cin.assign z(i) = a(i) + b(i) * c(i)
func.func @multiply_add(%a: !sv, %b: !sv, %c: !sv) {
  %z = tin.kernel %i {
    %v = tin.access %a[%i] : !sv -> f64
    %v2 = tin.access %b[%i] : !sv -> f64
    %v3 = tin.access %c[%i] : !sv -> f64
    %e = tin.mul %v2, %v3 : f64
    %e2 = tin.add %v, %e : f64
    tin.yield %e2 : f64
  } : !sv
  func.return
}

// Z(i,j) = A(i,j) + B(i,j)
// One loop per index variable, each over the levels of that variable.
// CHECK-LABEL: @matrix_add(
// CHECK:      cin.forall i in A.i | B.i {
// CHECK-NEXT:   cin.forall j in A.j | B.j {
// CHECK-NEXT:     cin.assign Z(i,j) = A(i,j) + B(i,j)
func.func @matrix_add(%A: !dcsr, %B: !dcsr) {
  %Z = tin.kernel %i, %j {
    %v = tin.access %A[%i, %j] : !dcsr -> f64
    %v2 = tin.access %B[%i, %j] : !dcsr -> f64
    %e = tin.add %v, %v2 : f64
    tin.yield %e : f64
  } : !dcsr
  func.return
}

// Z(i,k) = sum(j, A(i,j) * B(j,k))
// SpGEMM: B is broadcast over i, A over k.
// CHECK-LABEL: @spgemm(
// CHECK:      cin.forall i in A.i & U.i {
// CHECK-NEXT:   cin.forall j in A.j & B.j {
// CHECK-NEXT:     cin.forall k in U.k & B.k {
// CHECK-NEXT:       cin.assign Z(i,k) += A(i,j) * B(j,k)
func.func @spgemm(%A: !csr, %B: !csr) {
  %Z = tin.kernel %i, %k {
    %s = tin.sum %j {
      %v = tin.access %A[%i, %j] : !csr -> f64
      %v2 = tin.access %B[%j, %k] : !csr -> f64
      %e = tin.mul %v, %v2 : f64
      tin.yield %e : f64
    } : f64
    tin.yield %s : f64
  } : !dense
  func.return
}

// Z(k,l) = sum(i, sum(j, P(i,k) * A(i,j) * P(j,l)))
// The Galerkin product P' A P: i comes first, j culls, k and l are free; each use of P is an access.
// CHECK-LABEL: @galerkin(
// CHECK:      cin.forall i in P.i & A.i & U.i {
// CHECK-NEXT:   cin.forall j in U.j & A.j & P2.j {
// CHECK-NEXT:     cin.forall k in P.k & U.k {
// CHECK-NEXT:       cin.forall l in U.l & P2.l {
// CHECK-NEXT:         cin.assign Z(k,l) += P(i,k) * A(i,j) * P2(j,l)
func.func @galerkin(%P: !csr, %A: !csr) {
  %Z = tin.kernel %k, %l {
    %s = tin.sum %i {
      %s2 = tin.sum %j {
        %v = tin.access %P[%i, %k] : !csr -> f64
        %v2 = tin.access %A[%i, %j] : !csr -> f64
        %e = tin.mul %v, %v2 : f64
        %v3 = tin.access %P[%j, %l] : !csr -> f64
        %e2 = tin.mul %e, %v3 : f64
        tin.yield %e2 : f64
      } : f64
      tin.yield %s2 : f64
    } : f64
    tin.yield %s : f64
  } : !dense
  func.return
}

// Z(i,j) = A(i,j) + b(i)
// A vector that is broadcast along j is needed at every j.
// CHECK-LABEL: @broadcast(
// CHECK:      cin.forall i in A.i | b.i {
// CHECK-NEXT:   cin.forall j in A.j | U.j {
// CHECK-NEXT:     cin.assign Z(i,j) = A(i,j) + b(i)
func.func @broadcast(%A: !csr, %b: !sv) {
  %Z = tin.kernel %i, %j {
    %v = tin.access %A[%i, %j] : !csr -> f64
    %v2 = tin.access %b[%i] : !sv -> f64
    %e = tin.add %v, %v2 : f64
    tin.yield %e : f64
  } : !dense
  func.return
}

// y(i) = sum(j, A(i,j) * b(j))
// A reduction makes the result's loops accumulate.
// CHECK-LABEL: @spmv(
// CHECK:      cin.forall i in A.i & U.i {
// CHECK-NEXT:   cin.forall j in A.j & b.j {
// CHECK-NEXT:     cin.assign y(i) += A(i,j) * b(j)
func.func @spmv(%A: !csr, %b: !sv) {
  %y = tin.kernel %i {
    %s = tin.sum %j {
      %v = tin.access %A[%i, %j] : !csr -> f64
      %v2 = tin.access %b[%j] : !sv -> f64
      %e = tin.mul %v, %v2 : f64
      tin.yield %e : f64
    } : f64
    tin.yield %s : f64
  } : !vec
  func.return
}

// What is known of a list that may be needed is handed on.
// CHECK-LABEL: @list(
// CHECK:       cin.kernel y(j) of (A(i,j) = %A) : {{.*}} hashed {
func.func @list(%A: tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>) {
  %y = tin.kernel %j {
    %s = tin.sum %i {
      %a = tin.access %A[%i, %j] : tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>> -> f64
      tin.yield %a : f64
    } : f64
    tin.yield %s : f64
  } : tensor<?xf64, #format.spec<(i) -> (i : compressed)>> search(hash)
  func.return
}
