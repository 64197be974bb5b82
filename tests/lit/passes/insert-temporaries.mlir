// RUN: tamale-opt %s -p insert-temporaries | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!csf1 = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!csf = tensor<?x?x?xf64, #format.spec<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>>
!mat = tensor<?x?xf64>
!vec = tensor<?xf64>

// A product of three is a product of two, times the third: T has the rows of A, in its format.
// CHECK-LABEL: @chain(
// CHECK-NEXT:  %T = tin.kernel %i, %l {
// CHECK-NEXT:    tin.sum %k {
// CHECK:           tin.access %A[%i, %k]
// CHECK:           tin.access %B[%k, %l]
// CHECK:       } : {{.*}}(i : dense, j : compressed)>>
// CHECK-NEXT:  %Z = tin.kernel [[I:%\w+]], [[J:%\w+]] {
// CHECK-NEXT:    tin.sum [[L:%\w+]] {
// CHECK:           tin.access %T{{\[}}[[I]], [[L]]]
// CHECK:           tin.access %C{{\[}}[[L]], [[J]]]
// CHECK:       func.return %Z
func.func @chain(%A: !csr, %B: !csr, %C: !csr) -> !csr {
  %Z = tin.kernel %i, %j {
    %s = tin.sum %k, %l {
      %a = tin.access %A[%i, %k] : !csr -> f64
      %a_ = tin.broadcast %a over %l : f64
      %b = tin.access %B[%k, %l] : !csr -> f64
      %b_ = tin.broadcast %b over %i : f64
      %p = tin.mul %a_, %b_ : f64
      %p_ = tin.broadcast %p over %j : f64
      %c = tin.access %C[%l, %j] : !csr -> f64
      %c_ = tin.broadcast %c over %i, %k : f64
      %p2 = tin.mul %p_, %c_ : f64
      tin.yield %p2 : f64
    } : f64
    tin.yield %s : f64
  } : !csr
  func.return %Z : !csr
}

// One nest would run the whole sum for every j.
// CHECK-LABEL: @reduction_inside(
// CHECK-NEXT:  %T = tin.kernel %i, %j {
// CHECK-NEXT:    tin.sum %k {
// CHECK:           tin.access %B[%i, %k]
// CHECK:           tin.access %C[%k, %j]
// CHECK:       } : {{.*}}(i : dense, j : compressed)>>
// CHECK-NEXT:  %Z = tin.kernel
// CHECK-NEXT:    tin.access %A[
// CHECK-NEXT:    tin.access %T[
// CHECK-NEXT:    tin.add
func.func @reduction_inside(%A: !csr, %B: !csr, %C: !csr) -> !csr {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    %s = tin.sum %k {
      %b = tin.access %B[%i, %k] : !csr -> f64
      %b_ = tin.broadcast %b over %j : f64
      %c = tin.access %C[%k, %j] : !csr -> f64
      %c_ = tin.broadcast %c over %i : f64
      %p = tin.mul %b_, %c_ : f64
      tin.yield %p : f64
    } : f64
    %t = tin.add %a, %s : f64
    tin.yield %t : f64
  } : !csr
  func.return %Z : !csr
}

// Near miss: the sum of a row is made once, outside of the loop of j.
// CHECK-LABEL: @once(
// CHECK-NEXT:  %Z = tin.kernel
func.func @once(%D: !csr, %a: !csf1, %X: !mat, %b: !csf1) -> !csr {
  %Z = tin.kernel %i, %j {
    %d = tin.access %D[%i, %j] : !csr -> f64
    %s = tin.sum %k {
      %a2 = tin.access %a[%k] : !csf1 -> f64
      %a2_ = tin.broadcast %a2 over %i : f64
      %x = tin.access %X[%i, %k] : !mat -> f64
      %t = tin.add %a2_, %x : f64
      %b2 = tin.access %b[%k] : !csf1 -> f64
      %one = tin.literal 1.000000e+00 : f64 : f64
      %t2 = tin.add %b2, %one : f64
      %t2_ = tin.broadcast %t2 over %i : f64
      %p = tin.mul %t, %t2_ : f64
      tin.yield %p : f64
    } : f64
    %s_ = tin.broadcast %s over %j : f64
    %p2 = tin.mul %d, %s_ : f64
    tin.yield %p2 : f64
  } : !csr
  func.return %Z : !csr
}

// Near miss: the loop of k may find nothing, and then there is no entry, for any i.
// CHECK-LABEL: @somewhere(
// CHECK-NEXT:  %T = tin.kernel %i {
// CHECK:       } : tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
// CHECK-NEXT:  %Z = tin.kernel
func.func @somewhere(%D: !csr, %a: !csf1, %X: !mat, %b: !csf1) -> !csr {
  %Z = tin.kernel %i, %j {
    %d = tin.access %D[%i, %j] : !csr -> f64
    %s = tin.sum %k {
      %a2 = tin.access %a[%k] : !csf1 -> f64
      %a2_ = tin.broadcast %a2 over %i : f64
      %x = tin.access %X[%i, %k] : !mat -> f64
      %p = tin.mul %a2_, %x : f64
      %b2 = tin.access %b[%k] : !csf1 -> f64
      %b2_ = tin.broadcast %b2 over %i : f64
      %p2 = tin.mul %p, %b2_ : f64
      tin.yield %p2 : f64
    } : f64
    %s_ = tin.broadcast %s over %j : f64
    %p3 = tin.mul %d, %s_ : f64
    tin.yield %p3 : f64
  } : !csr
  func.return %Z : !csr
}

// To merge six at once takes 3^6 cases; the two halves take 3^3 each.
// CHECK-LABEL: @union_of_many(
// CHECK-NEXT:  %T = tin.kernel
// CHECK-NEXT:    tin.access %a[
// CHECK-NEXT:    tin.access %b[
// CHECK-NEXT:    tin.add
// CHECK-NEXT:    tin.access %c[
// CHECK-NEXT:    tin.add
// CHECK:       %T2 = tin.kernel
// CHECK-NEXT:    tin.access %d[
// CHECK:       %z = tin.kernel
// CHECK-NEXT:    tin.access %T[
// CHECK-NEXT:    tin.access %T2[
// CHECK-NEXT:    tin.add
func.func @union_of_many(%a: !csf1, %b: !csf1, %c: !csf1, %d: !csf1, %e: !csf1, %f: !csf1) -> !csf1 {
  %z = tin.kernel %i {
    %a2 = tin.access %a[%i] : !csf1 -> f64
    %b2 = tin.access %b[%i] : !csf1 -> f64
    %t = tin.add %a2, %b2 : f64
    %c2 = tin.access %c[%i] : !csf1 -> f64
    %t2 = tin.add %t, %c2 : f64
    %d2 = tin.access %d[%i] : !csf1 -> f64
    %t3 = tin.add %t2, %d2 : f64
    %e2 = tin.access %e[%i] : !csf1 -> f64
    %t4 = tin.add %t3, %e2 : f64
    %f2 = tin.access %f[%i] : !csf1 -> f64
    %t5 = tin.add %t4, %f2 : f64
    tin.yield %t5 : f64
  } : !csf1
  func.return %z : !csf1
}

// With x, the first half runs over everything, and has an entry everywhere: that temporary is dense.
// CHECK-LABEL: @everywhere(
// CHECK-NEXT:  %T = tin.kernel %i {
// CHECK:       } : tensor<?xf64, #format.spec<(i) -> (i : dense)>>
// CHECK-NEXT:  %T2 = tin.kernel
// CHECK:       } : tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
// CHECK-NEXT:  %z = tin.kernel
func.func @everywhere(%x: !vec, %a: !csf1, %b: !csf1, %c: !csf1, %d: !csf1, %e: !csf1) -> !csf1 {
  %z = tin.kernel %i {
    %x2 = tin.access %x[%i] : !vec -> f64
    %a2 = tin.access %a[%i] : !csf1 -> f64
    %t = tin.add %x2, %a2 : f64
    %b2 = tin.access %b[%i] : !csf1 -> f64
    %t2 = tin.add %t, %b2 : f64
    %c2 = tin.access %c[%i] : !csf1 -> f64
    %t3 = tin.add %t2, %c2 : f64
    %d2 = tin.access %d[%i] : !csf1 -> f64
    %t4 = tin.add %t3, %d2 : f64
    %e2 = tin.access %e[%i] : !csf1 -> f64
    %t5 = tin.add %t4, %e2 : f64
    tin.yield %t5 : f64
  } : !csf1
  func.return %z : !csf1
}

// Near miss: the sum of a dense matrix has no entry anywhere if k has size 0; T is sparse.
// CHECK-LABEL: @everywhere_but_summed(
// CHECK-NEXT:  %T = tin.kernel %i {
// CHECK-NEXT:    tin.sum %k {
// CHECK:       } : tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
// CHECK-NEXT:  %T2 = tin.kernel
// CHECK:       } : tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
// CHECK-NEXT:  %z = tin.kernel
func.func @everywhere_but_summed(%X: !mat, %a: !csf1, %b: !csf1, %c: !csf1, %d: !csf1, %e: !csf1) -> !csf1 {
  %z = tin.kernel %i {
    %x2 = tin.sum %k {
      %x = tin.access %X[%i, %k] : !mat -> f64
      tin.yield %x : f64
    } : f64
    %a2 = tin.access %a[%i] : !csf1 -> f64
    %t = tin.add %x2, %a2 : f64
    %b2 = tin.access %b[%i] : !csf1 -> f64
    %t2 = tin.add %t, %b2 : f64
    %c2 = tin.access %c[%i] : !csf1 -> f64
    %t3 = tin.add %t2, %c2 : f64
    %d2 = tin.access %d[%i] : !csf1 -> f64
    %t4 = tin.add %t3, %d2 : f64
    %e2 = tin.access %e[%i] : !csf1 -> f64
    %t5 = tin.add %t4, %e2 : f64
    tin.yield %t5 : f64
  } : !csf1
  func.return %z : !csf1
}

// Near miss: three are merged in one nest.
// CHECK-LABEL: @union_of_few(
// CHECK-NEXT:  %z = tin.kernel
func.func @union_of_few(%a: !csf1, %b: !csf1, %c: !csf1) -> !csf1 {
  %z = tin.kernel %i {
    %a2 = tin.access %a[%i] : !csf1 -> f64
    %b2 = tin.access %b[%i] : !csf1 -> f64
    %t = tin.add %a2, %b2 : f64
    %c2 = tin.access %c[%i] : !csf1 -> f64
    %t2 = tin.add %t, %c2 : f64
    tin.yield %t2 : f64
  } : !csf1
  func.return %z : !csf1
}

// Near miss: the product is only computed where the mask has entries.
// CHECK-LABEL: @masked(
// CHECK-NEXT:  %Z = tin.kernel
func.func @masked(%M: !csr, %A: !mat, %B: !mat) -> !csr {
  %Z = tin.kernel %i, %j {
    %s = tin.sum %k {
      %m = tin.access %M[%i, %j] : !csr -> f64
      %m_ = tin.broadcast %m over %k : f64
      %a = tin.access %A[%i, %k] : !mat -> f64
      %a_ = tin.broadcast %a over %j : f64
      %p = tin.mul %m_, %a_ : f64
      %b = tin.access %B[%k, %j] : !mat -> f64
      %b_ = tin.broadcast %b over %i : f64
      %p2 = tin.mul %p, %b_ : f64
      tin.yield %p2 : f64
    } : f64
    tin.yield %s : f64
  } : !csr
  func.return %Z : !csr
}

// Near miss: dense factors are located, so that one nest over X does everything.
// CHECK-LABEL: @khatri_rao(
// CHECK-NEXT:  %Z = tin.kernel
func.func @khatri_rao(%X: !csf, %B: !mat, %C: !mat) -> !mat {
  %Z = tin.kernel %i, %r {
    %s = tin.sum %j, %k {
      %x = tin.access %X[%i, %j, %k] : !csf -> f64
      %x_ = tin.broadcast %x over %r : f64
      %b = tin.access %B[%j, %r] : !mat -> f64
      %b_ = tin.broadcast %b over %i, %k : f64
      %p = tin.mul %x_, %b_ : f64
      %c = tin.access %C[%k, %r] : !mat -> f64
      %c_ = tin.broadcast %c over %i, %j : f64
      %p2 = tin.mul %p, %c_ : f64
      tin.yield %p2 : f64
    } : f64
    tin.yield %s : f64
  } : !mat
  func.return %Z : !mat
}

// Near miss: one sum for every i, inside of its loop.
// CHECK-LABEL: @residual(
// CHECK-NEXT:  %y = tin.kernel
func.func @residual(%b: !vec, %A: !csr, %x: !vec) -> !vec {
  %y = tin.kernel %i {
    %b2 = tin.access %b[%i] : !vec -> f64
    %s = tin.sum %j {
      %a = tin.access %A[%i, %j] : !csr -> f64
      %x2 = tin.access %x[%j] : !vec -> f64
      %x2_ = tin.broadcast %x2 over %i : f64
      %p = tin.mul %a, %x2_ : f64
      tin.yield %p : f64
    } : f64
    %d = tin.sub %b2, %s : f64
    tin.yield %d : f64
  } : !vec
  func.return %y : !vec
}

// Near miss: nothing sparse is contracted.
// CHECK-LABEL: @located(
// CHECK-NEXT:  %Z = tin.kernel
func.func @located(%A: !mat, %B: !mat, %C: !mat) -> !mat {
  %Z = tin.kernel %i, %j {
    %s = tin.sum %k, %l {
      %a = tin.access %A[%i, %k] : !mat -> f64
      %a_ = tin.broadcast %a over %l : f64
      %b = tin.access %B[%k, %l] : !mat -> f64
      %b_ = tin.broadcast %b over %i : f64
      %p = tin.mul %a_, %b_ : f64
      %p_ = tin.broadcast %p over %j : f64
      %c = tin.access %C[%l, %j] : !mat -> f64
      %c_ = tin.broadcast %c over %i, %k : f64
      %p2 = tin.mul %p_, %c_ : f64
      tin.yield %p2 : f64
    } : f64
    tin.yield %s : f64
  } : !mat
  func.return %Z : !mat
}

// Near miss: the loops that were asked for are those of one nest.
// CHECK-LABEL: @asked(
// CHECK-NEXT:  %Z = tin.kernel
// CHECK:       order(i, k, l, j)
func.func @asked(%A: !csr, %B: !csr, %C: !csr) -> !csr {
  %Z = tin.kernel %i, %j {
    %s = tin.sum %k, %l {
      %a = tin.access %A[%i, %k] : !csr -> f64
      %a_ = tin.broadcast %a over %l : f64
      %b = tin.access %B[%k, %l] : !csr -> f64
      %b_ = tin.broadcast %b over %i : f64
      %p = tin.mul %a_, %b_ : f64
      %p_ = tin.broadcast %p over %j : f64
      %c = tin.access %C[%l, %j] : !csr -> f64
      %c_ = tin.broadcast %c over %i, %k : f64
      %p2 = tin.mul %p_, %c_ : f64
      tin.yield %p2 : f64
    } : f64
    tin.yield %s : f64
  } : !csr order(i, k, l, j)
  func.return %Z : !csr
}
