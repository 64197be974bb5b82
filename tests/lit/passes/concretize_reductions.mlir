// RUN: tamale-opt %s -p concretize | filecheck %s

// Where reductions go that are only a part of the statement.

!scalar = tensor<f64>
!vec = tensor<?xf64>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!csc = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>

// y(i) = b(i) - sum(j, A(i,j) * x(j))
// Inside the loops of the result, through a scalar.
// CHECK-LABEL: @residual(
// CHECK:      cin.forall i in b.i | A.i & U.i {
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     cin.assign y(i) = b(i) - t
// CHECK-NEXT:   } producing t {
// CHECK-NEXT:     cin.forall j in A.j & x.j {
// CHECK-NEXT:       cin.assign t += A(i,j) * x(j)
func.func @residual(%b: !vec, %A: !csr, %x: !vec) {
  %y = tin.kernel %i {
    %v = tin.access %b[%i] : !vec -> f64
    %s = tin.sum %j {
      %v2 = tin.access %A[%i, %j] : !csr -> f64
      %v3 = tin.access %x[%j] : !vec -> f64
      %e = tin.mul %v2, %v3 : f64
      tin.yield %e : f64
    } : f64
    %e2 = tin.sub %v, %s : f64
    tin.yield %e2 : f64
  } : !vec
  func.return
}

// y(i) = b(i) - sum(j, A(i,j) * x(j))
// Storage forbids that for csc: term by term, the first one assigned.
// CHECK-LABEL: @residual_csc(
// CHECK:      cin.forall i in b.i {
// CHECK-NEXT:   cin.assign y(i) = b(i)
// CHECK:      cin.forall j in A.j & x.j {
// CHECK-NEXT:   cin.forall i in A.i & U.i {
// CHECK-NEXT:     cin.assign y(i) += -(A(i,j) * x(j))
func.func @residual_csc(%b: !vec, %A: !csc, %x: !vec) {
  %y = tin.kernel %i {
    %v = tin.access %b[%i] : !vec -> f64
    %s = tin.sum %j {
      %v2 = tin.access %A[%i, %j] : !csc -> f64
      %v3 = tin.access %x[%j] : !vec -> f64
      %e = tin.mul %v2, %v3 : f64
      tin.yield %e : f64
    } : f64
    %e2 = tin.sub %v, %s : f64
    tin.yield %e2 : f64
  } : !vec
  func.return
}

// y(i) = sum(j, A(i,j) * sum(k, B(j,k) * x(k)))
// A sum in a sum: a scalar for the inner one, in the loops of the outer one.
// CHECK-LABEL: @nested(
// CHECK:      cin.forall i in A.i & U.i {
// CHECK-NEXT:   cin.forall j in A.j & B.j & U.j {
// CHECK-NEXT:     cin.where {
// CHECK-NEXT:       cin.assign y(i) += A(i,j) * tj
// CHECK-NEXT:     } producing tj {
// CHECK-NEXT:       cin.forall k in B.k & x.k {
// CHECK-NEXT:         cin.assign tj += B(j,k) * x(k)
func.func @nested(%A: !csr, %B: !csr, %x: !vec) {
  %y = tin.kernel %i {
    %s = tin.sum %j {
      %v = tin.access %A[%i, %j] : !csr -> f64
      %s2 = tin.sum %k {
        %v2 = tin.access %B[%j, %k] : !csr -> f64
        %v3 = tin.access %x[%k] : !vec -> f64
        %e = tin.mul %v2, %v3 : f64
        tin.yield %e : f64
      } : f64
      %e2 = tin.mul %v, %s2 : f64
      tin.yield %e2 : f64
    } : f64
    tin.yield %s : f64
  } : !vec
  func.return
}

// z = sum(i, sum(j, A(i,j)))
// Sums directly inside each other are one nest.
// CHECK-LABEL: @nested_alike(
// CHECK:      cin.forall i in A.i {
// CHECK-NEXT:   cin.forall j in A.j {
// CHECK-NEXT:     cin.assign z += A(i,j)
func.func @nested_alike(%A: !csr) {
  %z = tin.kernel {
    %s = tin.sum %i {
      %s2 = tin.sum %j {
        %v = tin.access %A[%i, %j] : !csr -> f64
        tin.yield %v : f64
      } : f64
      tin.yield %s2 : f64
    } : f64
    tin.yield %s : f64
  } : !scalar
  func.return
}

// y(i) = sum(j, A(i,j)) * sum(j, B(i,j))
// Two sums side by side have a scalar and a variable each.
// CHECK-LABEL: @two_sums(
// CHECK:      cin.forall i in A.i & B.i {
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     cin.where {
// CHECK-NEXT:       cin.assign y(i) = t1 * t2
// CHECK-NEXT:     } producing t2 {
// CHECK-NEXT:       cin.forall j2 in B.j2 {
// CHECK-NEXT:         cin.assign t2 += B(i,j2)
// CHECK:        } producing t1 {
// CHECK-NEXT:     cin.forall j in A.j {
// CHECK-NEXT:       cin.assign t1 += A(i,j)
func.func @two_sums(%A: !csr, %B: !csr) {
  %y = tin.kernel %i {
    %s = tin.sum %j {
      %v = tin.access %A[%i, %j] : !csr -> f64
      tin.yield %v : f64
    } : f64
    %s2 = tin.sum %j {
      %v2 = tin.access %B[%i, %j] : !csr -> f64
      tin.yield %v2 : f64
    } : f64
    %e = tin.mul %s, %s2 : f64
    tin.yield %e : f64
  } : !vec
  func.return
}

// y(i) = b(i) * sum(j, A(i,j))
// A factor outside stays outside of the sum.
// CHECK-LABEL: @factor(
// CHECK:      cin.forall i in b.i & A.i {
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     cin.assign y(i) = b(i) * t
// CHECK-NEXT:   } producing t {
// CHECK-NEXT:     cin.forall j in A.j {
// CHECK-NEXT:       cin.assign t += A(i,j)
func.func @factor(%b: !sv, %A: !csr) {
  %y = tin.kernel %i {
    %v = tin.access %b[%i] : !sv -> f64
    %s = tin.sum %j {
      %v2 = tin.access %A[%i, %j] : !csr -> f64
      tin.yield %v2 : f64
    } : f64
    %e = tin.mul %v, %s : f64
    tin.yield %e : f64
  } : !vec
  func.return
}

// y(i) = b(i) + reduce(max, j, A(i,j))
// Another operator than + accumulates as well.
// CHECK-LABEL: @maximum(
// CHECK:      cin.forall i in b.i | A.i {
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     cin.assign y(i) = b(i) + t
// CHECK-NEXT:   } producing t {
// CHECK-NEXT:     cin.forall j in A.j | U.j {
// CHECK-NEXT:       cin.assign t max= A(i,j)
func.func @maximum(%b: !sv, %A: !csr) {
  %y = tin.kernel %i {
    %v = tin.access %b[%i] : !sv -> f64
    %s = tin.reduce "max" %j {
      %v2 = tin.access %A[%i, %j] : !csr -> f64
      tin.yield %v2 : f64
    } : f64
    %e = tin.add %v, %s : f64
    tin.yield %e : f64
  } : !vec
  func.return
}

// z = a * b
// No loops at all.
// CHECK-LABEL: @scalars(
// CHECK:      cin.assign z = a * b
func.func @scalars(%a: !scalar, %b: !scalar) {
  %z = tin.kernel {
    %v = tin.access %a[] : !scalar -> f64
    %v2 = tin.access %b[] : !scalar -> f64
    %e = tin.mul %v, %v2 : f64
    tin.yield %e : f64
  } : !scalar
  func.return
}

// B(i,j) = A(i,j) / sum(k, A(i,k)) * sum((l,m), A(l,m))
// Each sum outside of the loops that it does not need: of a row once for the row, of all once.
// CHECK-LABEL: @shares(
// CHECK:      cin.kernel
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     cin.forall i in
// CHECK-NEXT:       cin.where {
// CHECK-NEXT:         cin.forall j in A.j & U.j {
// CHECK-NEXT:           cin.assign B(i,j) = A(i,j) / t1 * t2
// CHECK-NEXT:         }
// CHECK-NEXT:       } producing t1 {
// CHECK-NEXT:         cin.forall k in A2.k {
// CHECK-NEXT:           cin.assign t1 += A2(i,k)
// CHECK:        } producing t2 {
// CHECK-NEXT:     cin.forall l in A3.l {
// CHECK-NEXT:       cin.forall m in A3.m {
// CHECK-NEXT:         cin.assign t2 += A3(l,m)
func.func @shares(%A: !csr) {
  %B = tin.kernel %i, %j {
    %v = tin.access %A[%i, %j] : !csr -> f64
    %s = tin.sum %k {
      %v2 = tin.access %A[%i, %k] : !csr -> f64
      tin.yield %v2 : f64
    } : f64
    %all = tin.sum %l, %m {
      %v3 = tin.access %A[%l, %m] : !csr -> f64
      tin.yield %v3 : f64
    } : f64
    %e = tin.div %v, %s : f64
    %e2 = tin.mul %e, %all : f64
    tin.yield %e2 : f64
  } : !csr
  func.return
}

// B(i,j) = A(i,j) * sum(k, x(k) * A(k,j))
// Near miss: what the innermost loop walks is needed.
// CHECK-LABEL: @columns(
// CHECK:      cin.forall i in
// CHECK-NEXT:   cin.forall j in
// CHECK-NEXT:     cin.where {
// CHECK-NEXT:       cin.assign B(i,j) = A(i,j) * t
func.func @columns(%A: tensor<?x?xf64>, %x: !vec) {
  %B = tin.kernel %i, %j {
    %v = tin.access %A[%i, %j] : tensor<?x?xf64> -> f64
    %s = tin.sum %k {
      %v2 = tin.access %x[%k] : !vec -> f64
      %v3 = tin.access %A[%k, %j] : tensor<?x?xf64> -> f64
      %e = tin.mul %v2, %v3 : f64
      tin.yield %e : f64
    } : f64
    %e2 = tin.mul %v, %s : f64
    tin.yield %e2 : f64
  } : tensor<?x?xf64>
  func.return
}

// y(i) = b(i) * sum(k, x(k) * sum(l, x(l)))
// A sum in a sum, both outside of all other loops: each has a name of its own.
// CHECK-LABEL: @sums_of_sums(
// CHECK:      } producing t {
// CHECK-NEXT:   cin.where {
// CHECK-NEXT:     cin.forall k in
// CHECK-NEXT:       cin.assign t += x(k) * tk
// CHECK-NEXT:     }
// CHECK-NEXT:   } producing tk {
// CHECK-NEXT:     cin.forall l in
// CHECK-NEXT:       cin.assign tk += x2(l)
func.func @sums_of_sums(%b: !vec, %x: !vec) {
  %y = tin.kernel %i {
    %v = tin.access %b[%i] : !vec -> f64
    %s = tin.sum %k {
      %v2 = tin.access %x[%k] : !vec -> f64
      %s2 = tin.sum %l {
        %v3 = tin.access %x[%l] : !vec -> f64
        tin.yield %v3 : f64
      } : f64
      %e = tin.mul %v2, %s2 : f64
      tin.yield %e : f64
    } : f64
    %e2 = tin.mul %v, %s : f64
    tin.yield %e2 : f64
  } : !vec
  func.return
}
