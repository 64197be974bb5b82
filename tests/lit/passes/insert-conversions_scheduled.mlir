// RUN: tamale-opt %s -p insert-conversions | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!csf1 = tensor<?xf64, #format.spec<(i) -> (i : compressed)>>
!csf = tensor<?x?x?xf64, #format.spec<(i, j, k) -> (i : compressed, j : compressed, k : compressed)>>
!mat = tensor<?x?xf64>
!vec = tensor<?xf64>

// Rows of Z one by one ask for columns of A: it is turned.
// CHECK-LABEL: @turned(
// CHECK-NEXT:  %A_csc = tin.convert %A
// CHECK-NEXT:  %Z = tin.kernel
// CHECK:         tin.access %A_csc[
// CHECK:         tin.access %B[
// CHECK:       } : {{.*}}(i : dense, j : compressed)>>
// CHECK-NEXT:  func.return %Z
func.func @turned(%A: !csr, %B: !csr) -> !csr {
  %Z = tin.kernel %i, %j {
    %s = tin.sum %k {
      %a = tin.access %A[%k, %i] : !csr -> f64
      %a_ = tin.broadcast %a over %j : f64
      %b = tin.access %B[%k, %j] : !csr -> f64
      %b_ = tin.broadcast %b over %i : f64
      %p = tin.mul %a_, %b_ : f64
      tin.yield %p : f64
    } : f64
    tin.yield %s : f64
  } : !csr
  func.return %Z : !csr
}

// Near miss: rows of A times rows of B are as they should be.
// CHECK-LABEL: @as_stored(
// CHECK-NEXT:  %Z = tin.kernel
// CHECK-NOT:   order
// CHECK:       func.return %Z
func.func @as_stored(%A: !csr, %B: !csr) -> !csr {
  %Z = tin.kernel %i, %j {
    %s = tin.sum %k {
      %a = tin.access %A[%i, %k] : !csr -> f64
      %a_ = tin.broadcast %a over %j : f64
      %b = tin.access %B[%k, %j] : !csr -> f64
      %b_ = tin.broadcast %b over %i : f64
      %p = tin.mul %a_, %b_ : f64
      tin.yield %p : f64
    } : f64
    tin.yield %s : f64
  } : !csr
  func.return %Z : !csr
}

// X comes by i: so does the result, which is converted.
// CHECK-LABEL: @in_the_loops_order(
// CHECK-NEXT:  %Z_csc = tin.kernel
// CHECK:       } : {{.*}}(j : dense, i : compressed)>>
// CHECK-NEXT:  %Z = tin.convert %Z_csc
func.func @in_the_loops_order(%X: !csf) -> !csr {
  %Z = tin.kernel %k, %i {
    %s = tin.sum %j {
      %x = tin.access %X[%i, %j, %k] : !csf -> f64
      tin.yield %x : f64
    } : f64
    tin.yield %s : f64
  } : !csr
  func.return %Z : !csr
}

// Terms come in no order of Z's: a list of them is sorted, and those of equal coordinates are added.
// CHECK-LABEL: @terms(
// CHECK-NEXT:  %Z_ordered = tin.kernel
// CHECK:       } : {{.*}}(i : compressed(nonunique, nonordered), j : singleton(nonunique, nonordered), {{.*}}>>
// CHECK-NEXT:  %Z = tin.convert %Z_ordered
func.func @terms(%X: !csf, %Y: !csf) -> tensor<?x?x?x?xf64, #format.spec<(i, j, k, l) -> (i : compressed, j : compressed, k : compressed, l : compressed)>> {
  %Z = tin.kernel %j, %k, %l, %m {
    %s = tin.sum %i {
      %x = tin.access %X[%i, %j, %k] : !csf -> f64
      %x_ = tin.broadcast %x over %l, %m : f64
      %y = tin.access %Y[%i, %l, %m] : !csf -> f64
      %y_ = tin.broadcast %y over %j, %k : f64
      %p = tin.mul %x_, %y_ : f64
      tin.yield %p : f64
    } : f64
    tin.yield %s : f64
  } : tensor<?x?x?x?xf64, #format.spec<(i, j, k, l) -> (i : compressed, j : compressed, k : compressed, l : compressed)>>
  func.return %Z : tensor<?x?x?x?xf64, #format.spec<(i, j, k, l) -> (i : compressed, j : compressed, k : compressed, l : compressed)>>
}

// A loop over all of i inside of the few k that a, b and c share, not the other way round.
// CHECK-LABEL: @estimated(
// CHECK-NEXT:  %t = tin.kernel
// CHECK:       } : {{.*}} order(k, i)
func.func @estimated(%X: !mat, %a: !csf1, %b: !csf1, %c: !csf1) -> !csf1 {
  %t = tin.kernel %i {
    %s = tin.sum %k {
      %x = tin.access %X[%i, %k] : !mat -> f64
      %a2 = tin.access %a[%k] : !csf1 -> f64
      %a2_ = tin.broadcast %a2 over %i : f64
      %p = tin.mul %x, %a2_ : f64
      %b2 = tin.access %b[%k] : !csf1 -> f64
      %b2_ = tin.broadcast %b2 over %i : f64
      %p2 = tin.mul %p, %b2_ : f64
      %c2 = tin.access %c[%k] : !csf1 -> f64
      %c2_ = tin.broadcast %c2 over %i : f64
      %p3 = tin.mul %p2, %c2_ : f64
      tin.yield %p3 : f64
    } : f64
    tin.yield %s : f64
  } : !csf1
  func.return %t : !csf1
}

// Loops that were asked for, in which the operands cannot be walked as they are stored.
// CHECK-LABEL: @elementwise(
// CHECK-NEXT:  %A_csc = tin.convert %A
// CHECK-NEXT:  %B_csc = tin.convert %B
// CHECK-NEXT:  %Z = tin.kernel
// CHECK:       } : tensor<?x?xf64> order(j, i)
func.func @elementwise(%A: !csr, %B: !csr) -> !mat {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    %b = tin.access %B[%i, %j] : !csr -> f64
    %t = tin.add %a, %b : f64
    tin.yield %t : f64
  } : !mat order(j, i)
  func.return %Z : !mat
}

// The same for a product: by inner products.
// CHECK-LABEL: @asked(
// CHECK-NEXT:  %B_csc = tin.convert %B
// CHECK-NEXT:  %Z = tin.kernel
// CHECK:       order(i, j, k)
func.func @asked(%A: !csr, %B: !csr) -> !csr {
  %Z = tin.kernel %i, %j {
    %s = tin.sum %k {
      %a = tin.access %A[%i, %k] : !csr -> f64
      %a_ = tin.broadcast %a over %j : f64
      %b = tin.access %B[%k, %j] : !csr -> f64
      %b_ = tin.broadcast %b over %i : f64
      %p = tin.mul %a_, %b_ : f64
      tin.yield %p : f64
    } : f64
    tin.yield %s : f64
  } : !csr order(i, j, k)
  func.return %Z : !csr
}

// Near miss: loops that fit are asked for.
// CHECK-LABEL: @asked_as_stored(
// CHECK-NEXT:  %Z = tin.kernel
// CHECK:       order(i, k, j)
func.func @asked_as_stored(%A: !csr, %B: !csr) -> !csr {
  %Z = tin.kernel %i, %j {
    %s = tin.sum %k {
      %a = tin.access %A[%i, %k] : !csr -> f64
      %a_ = tin.broadcast %a over %j : f64
      %b = tin.access %B[%k, %j] : !csr -> f64
      %b_ = tin.broadcast %b over %i : f64
      %p = tin.mul %a_, %b_ : f64
      tin.yield %p : f64
    } : f64
    tin.yield %s : f64
  } : !csr order(i, k, j)
  func.return %Z : !csr
}
