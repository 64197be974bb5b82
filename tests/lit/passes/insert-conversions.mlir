// RUN: tamale-opt %s -p insert-conversions | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!csc = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>
!dia = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>>
!ell = tensor<?x?xf64, #format.spec<(i, j) -> (#i : sliced, i : dense, j : singleton)>>
!dok = tensor<?x?xf64, #format.spec<(i, j) -> (i : hashed, j : hashed)>>

// Both are compressed, in opposite orders: one has to be turned, and Z tells which.
// CHECK-LABEL: @opposite
// CHECK-NEXT:  %B_csr = tin.convert %B : {{.*}} -> {{.*}}(i : dense, j : compressed)>>
// CHECK-NEXT:  %Z = tin.kernel
// CHECK-NEXT:  tin.access %A[
// CHECK-NEXT:  tin.access %B_csr[
func.func @opposite(%A: !csr, %B: !csc) -> !csr {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    %b = tin.access %B[%i, %j] : !csc -> f64
    %p = tin.mul %a, %b : f64
    tin.yield %p : f64
  } : !csr
  func.return %Z : !csr
}

// Near miss: the same operands into a dense result, term by term.
// CHECK-LABEL: @term_by_term
// CHECK-NOT:   tin.convert
func.func @term_by_term(%A: !csr, %B: !csc) -> tensor<?x?xf64> {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    %b = tin.access %B[%i, %j] : !csc -> f64
    %s = tin.add %a, %b : f64
    tin.yield %s : f64
  } : tensor<?x?xf64>
  func.return %Z : tensor<?x?xf64>
}

// One tensor, used in both orders: only one of its uses is converted.
// CHECK-LABEL: @with_its_transpose
// CHECK-NEXT:  %A_csc = tin.convert %A
// CHECK-NEXT:  %Z = tin.kernel
// CHECK-NEXT:  tin.access %A[%i
// CHECK-NEXT:  tin.access %A_csc[%j
func.func @with_its_transpose(%A: !csr) -> !csr {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    %b = tin.access %A[%j, %i] : !csr -> f64
    %s = tin.add %a, %b : f64
    tin.yield %s : f64
  } : !csr
  func.return %Z : !csr
}

// Levels that store expressions are not merged with others: the diagonals are.
// CHECK-LABEL: @diagonals
// CHECK-NEXT:  %A_csr = tin.convert %A
func.func @diagonals(%A: !dia, %B: !csr) -> tensor<?x?xf64> {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !dia -> f64
    %b = tin.access %B[%i, %j] : !csr -> f64
    %m = tin.map "min" %a, %b : f64
    tin.yield %m : f64
  } : tensor<?x?xf64>
  func.return %Z : tensor<?x?xf64>
}

// Near miss: alone, they are walked as they are.
// CHECK-LABEL: @diagonals_alone
// CHECK-NOT:   tin.convert
func.func @diagonals_alone(%A: !dia, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.kernel %i {
    %s = tin.sum %j {
      %a = tin.access %A[%i, %j] : !dia -> f64
      %b = tin.access %x[%j] : tensor<?xf64> -> f64
      %p = tin.mul %a, %b : f64
      tin.yield %p : f64
    } : f64
    tin.yield %s : f64
  } : tensor<?xf64>
  func.return %y : tensor<?xf64>
}

// A hash table has no order in which its entries could be appended.
// CHECK-LABEL: @unordered
// CHECK-NEXT:  %A_csr = tin.convert %A
func.func @unordered(%A: !dok) -> !csr {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !dok -> f64
    tin.yield %a : f64
  } : !csr
  func.return %Z : !csr
}

// Slots of a result cannot be appended to: it is computed in rows, and converted.
// CHECK-LABEL: @result
// CHECK-NEXT:  %Z_csr = tin.kernel
// CHECK:       %Z = tin.convert %Z_csr
// CHECK-NEXT:  func.return %Z
func.func @result(%A: !csr) -> !ell {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    tin.yield %a : f64
  } : !ell
  func.return %Z : !ell
}
