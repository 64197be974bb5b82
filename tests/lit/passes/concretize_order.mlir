// RUN: tamale-opt %s -p concretize | filecheck %s

// The order of the loops: what storage forces, then the tie-breaks.

!scalar = tensor<f64>
!vec = tensor<?xf64>
!sv = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!dense = tensor<?x?xf64>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!csc = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>
!colmajor = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : dense)>>

// y(i) = sum(j, A(i,j) * x(j))
// Storage decides: csc stores j before i.
// CHECK-LABEL: @csc_spmv(
// CHECK:      cin.forall j in A.j & x.j {
// CHECK-NEXT:   cin.forall i in A.i & U.i {
// CHECK-NEXT:     cin.assign y(i) += A(i,j) * x(j)
func.func @csc_spmv(%A: !csc, %x: !vec) {
  %y = tin.kernel %i {
    %s = tin.sum %j {
      %v = tin.access %A[%i, %j] : !csc -> f64
      %v2 = tin.access %x[%j] : !vec -> f64
      %e = tin.mul %v, %v2 : f64
      tin.yield %e : f64
    } : f64
    tin.yield %s : f64
  } : !vec
  func.return
}

// y(i) = sum(j, A(i,j) * x(j))
// Near miss: dense levels could be walked either way; i is written first.
// CHECK-LABEL: @dense_spmv(
// CHECK:      cin.forall i in A.i & U.i {
// CHECK-NEXT:   cin.forall j in A.j & x.j {
// CHECK-NEXT:     cin.assign y(i) += A(i,j) * x(j)
func.func @dense_spmv(%A: !dense, %x: !vec) {
  %y = tin.kernel %i {
    %s = tin.sum %j {
      %v = tin.access %A[%i, %j] : !dense -> f64
      %v2 = tin.access %x[%j] : !vec -> f64
      %e = tin.mul %v, %v2 : f64
      tin.yield %e : f64
    } : f64
    tin.yield %s : f64
  } : !vec
  func.return
}

// C(i,k) = sum(j, A(i,j) * X(j,k))
// An intersection with a sparse level culls work: j before k, though C has no j.
// CHECK-LABEL: @spmm(
// CHECK:      cin.forall i in A.i & U.i {
// CHECK-NEXT:   cin.forall j in A.j & X.j {
// CHECK-NEXT:     cin.forall k in U.k & X.k {
// CHECK-NEXT:       cin.assign C(i,k) += A(i,j) * X(j,k)
func.func @spmm(%A: !csr, %X: !dense) {
  %C = tin.kernel %i, %k {
    %s = tin.sum %j {
      %v = tin.access %A[%i, %j] : !csr -> f64
      %v2 = tin.access %X[%j, %k] : !dense -> f64
      %e = tin.mul %v, %v2 : f64
      tin.yield %e : f64
    } : f64
    tin.yield %s : f64
  } : !dense
  func.return
}

// z = sum(i, sum(j, A(i,j) * b(i) * c(j) * d(j)))
// Two sparse levels cull more than one: j before i, though A is stored i before j.
// CHECK-LABEL: @culls_more(
// CHECK:      cin.forall j in A.j & U.j & c.j & d.j {
// CHECK-NEXT:   cin.forall i in A.i & b.i & U.i {
// CHECK-NEXT:     cin.assign z += A(i,j) * b(i) * c(j) * d(j)
func.func @culls_more(%A: !dense, %b: !sv, %c: !sv, %d: !sv) {
  %z = tin.kernel {
    %s = tin.sum %i {
      %s2 = tin.sum %j {
        %v = tin.access %A[%i, %j] : !dense -> f64
        %v2 = tin.access %b[%i] : !sv -> f64
        %e = tin.mul %v, %v2 : f64
        %v3 = tin.access %c[%j] : !sv -> f64
        %e2 = tin.mul %e, %v3 : f64
        %v4 = tin.access %d[%j] : !sv -> f64
        %e3 = tin.mul %e2, %v4 : f64
        tin.yield %e3 : f64
      } : f64
      tin.yield %s2 : f64
    } : f64
    tin.yield %s : f64
  } : !scalar
  func.return
}

// z = sum(i, sum(j, b(i) * c(j) * A(i,j)))
// Near miss: with one sparse level each, A is walked as it is stored.
// CHECK-LABEL: @culls_alike(
// CHECK:      cin.forall i in b.i & U.i & A.i {
// CHECK-NEXT:   cin.forall j in U.j & c.j & A.j {
// CHECK-NEXT:     cin.assign z += b(i) * c(j) * A(i,j)
func.func @culls_alike(%b: !sv, %c: !sv, %A: !dense) {
  %z = tin.kernel {
    %s = tin.sum %i {
      %s2 = tin.sum %j {
        %v = tin.access %b[%i] : !sv -> f64
        %v2 = tin.access %c[%j] : !sv -> f64
        %e = tin.mul %v, %v2 : f64
        %v3 = tin.access %A[%i, %j] : !dense -> f64
        %e2 = tin.mul %e, %v3 : f64
        tin.yield %e2 : f64
      } : f64
      tin.yield %s2 : f64
    } : f64
    tin.yield %s : f64
  } : !scalar
  func.return
}

// Z(i,j) = a(i) * b(j)
// Nothing culls: the result is walked as it is stored.
// CHECK-LABEL: @result_order(
// CHECK:      cin.forall j in U.j & b.j {
// CHECK-NEXT:   cin.forall i in a.i & U.i {
// CHECK-NEXT:     cin.assign Z(i,j) = a(i) * b(j)
func.func @result_order(%a: !vec, %b: !vec) {
  %Z = tin.kernel %i, %j {
    %v = tin.access %a[%i] : !vec -> f64
    %v2 = tin.access %b[%j] : !vec -> f64
    %e = tin.mul %v, %v2 : f64
    tin.yield %e : f64
  } : !colmajor
  func.return
}

// z = sum(i, sum(j, x(i) * A(j,i)))
// No result variable: the fewest strided walks, j before i.
// CHECK-LABEL: @contiguous(
// CHECK:      cin.forall j in U.j & A.j {
// CHECK-NEXT:   cin.forall i in x.i & A.i {
// CHECK-NEXT:     cin.assign z += x(i) * A(j,i)
func.func @contiguous(%x: !vec, %A: !dense) {
  %z = tin.kernel {
    %s = tin.sum %i {
      %s2 = tin.sum %j {
        %v = tin.access %x[%i] : !vec -> f64
        %v2 = tin.access %A[%j, %i] : !dense -> f64
        %e = tin.mul %v, %v2 : f64
        tin.yield %e : f64
      } : f64
      tin.yield %s2 : f64
    } : f64
    tin.yield %s : f64
  } : !scalar
  func.return
}

// z = sum(j, sum(i, a(j) * b(i)))
// No reason at all: as written.
// CHECK-LABEL: @as_written(
// CHECK:      cin.forall j in a.j & U.j {
// CHECK-NEXT:   cin.forall i in U.i & b.i {
// CHECK-NEXT:     cin.assign z += a(j) * b(i)
func.func @as_written(%a: !vec, %b: !vec) {
  %z = tin.kernel {
    %s = tin.sum %j {
      %s2 = tin.sum %i {
        %v = tin.access %a[%j] : !vec -> f64
        %v2 = tin.access %b[%i] : !vec -> f64
        %e = tin.mul %v, %v2 : f64
        tin.yield %e : f64
      } : f64
      tin.yield %s2 : f64
    } : f64
    tin.yield %s : f64
  } : !scalar
  func.return
}

// Z(i,j) = A(i,j) * sum(k, C(i,k) * D(k,j))
// SDDMM: the sum that A selects stays inside, in a scalar.
// CHECK-LABEL: @sddmm(
// CHECK:      cin.forall i in A.i & C.i & U.i {
// CHECK-NEXT:   cin.forall j in A.j & U.j & D.j {
// CHECK-NEXT:     cin.where {
// CHECK-NEXT:       cin.assign Z(i,j) = A(i,j) * t
// CHECK-NEXT:     } producing t {
// CHECK-NEXT:       cin.forall k in C.k & D.k {
// CHECK-NEXT:         cin.assign t += C(i,k) * D(k,j)
func.func @sddmm(%A: !csr, %C: !dense, %D: !colmajor) {
  %Z = tin.kernel %i, %j {
    %v = tin.access %A[%i, %j] : !csr -> f64
    %s = tin.sum %k {
      %v2 = tin.access %C[%i, %k] : !dense -> f64
      %v3 = tin.access %D[%k, %j] : !colmajor -> f64
      %e = tin.mul %v2, %v3 : f64
      tin.yield %e : f64
    } : f64
    %e2 = tin.mul %v, %s : f64
    tin.yield %e2 : f64
  } : !csr
  func.return
}

// Z(i,j) = sum(k, A(i,k) * D(k,j))
// A result that appends is not scattered into where that can be avoided: k culls, but goes last.
// CHECK-LABEL: @append_in_order(
// CHECK:      cin.forall i in A.i & U.i {
// CHECK-NEXT:   cin.forall j in U.j & D.j {
// CHECK-NEXT:     cin.forall k in A.k & D.k {
// CHECK-NEXT:       cin.assign Z(i,j) += A(i,k) * D(k,j)
func.func @append_in_order(%A: !csr, %D: !dense) {
  %Z = tin.kernel %i, %j {
    %s = tin.sum %k {
      %v = tin.access %A[%i, %k] : !csr -> f64
      %v2 = tin.access %D[%k, %j] : !dense -> f64
      %e = tin.mul %v, %v2 : f64
      tin.yield %e : f64
    } : f64
    tin.yield %s : f64
  } : !csr
  func.return
}

// Z(i,r) = sum(k, A(i,k) * C(k,r))
// A result that is appended to row by row, with dense rows: only i has to be outside of the sum.
// CHECK-LABEL: @dense_rows(
// CHECK:      cin.forall i in A.i & U.i {
// CHECK-NEXT:   cin.forall k in A.k & C.k {
// CHECK-NEXT:     cin.forall r in U.r & C.r {
// CHECK-NEXT:       cin.assign Z(i,r) += A(i,k) * C(k,r)
func.func @dense_rows(%A: !csr, %C: !dense) {
  %Z = tin.kernel %i, %r {
    %s = tin.sum %k {
      %a = tin.access %A[%i, %k] : !csr -> f64
      %a_ = tin.broadcast %a over %r : f64
      %c = tin.access %C[%k, %r] : !dense -> f64
      %c_ = tin.broadcast %c over %i : f64
      %e = tin.mul %a_, %c_ : f64
      tin.yield %e : f64
    } : f64
    tin.yield %s : f64
  } : tensor<?x?xf64, #format.spec<(i, r) -> (i : compressed, r : dense)>>
  func.return
}

// The same. Near miss: rows that are appended to entry by entry are outside as a whole.
// CHECK-LABEL: @sparse_rows(
// CHECK:      cin.forall i in A.i & U.i {
// CHECK-NEXT:   cin.forall r in U.r & C.r {
// CHECK-NEXT:     cin.forall k in A.k & C.k {
func.func @sparse_rows(%A: !csr, %C: !dense) {
  %Z = tin.kernel %i, %r {
    %s = tin.sum %k {
      %a = tin.access %A[%i, %k] : !csr -> f64
      %a_ = tin.broadcast %a over %r : f64
      %c = tin.access %C[%k, %r] : !dense -> f64
      %c_ = tin.broadcast %c over %i : f64
      %e = tin.mul %a_, %c_ : f64
      tin.yield %e : f64
    } : f64
    tin.yield %s : f64
  } : !csr
  func.return
}
