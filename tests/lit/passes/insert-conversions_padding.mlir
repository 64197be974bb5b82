// RUN: tamale-opt %s -p insert-conversions | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!csc = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>
!skyline = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : banded)>>

// Whether B has an entry decides, and nothing tells padding from entries that are 0.
// CHECK-LABEL: @mask
// CHECK-NEXT:  %B_csr = tin.convert %B : {{.*}} -> {{.*}}(i : dense, j : compressed)>>
// CHECK-NEXT:  %Z = tin.kernel
// CHECK-NEXT:  tin.access %A[
// CHECK-NEXT:  tin.access %B_csr[
func.func @mask(%A: !csr, %B: !skyline) -> !csr {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    %b = tin.access %B[%i, %j] : !skyline -> f64
    %u = tin.map "unless" %a, %b : f64
    tin.yield %u : f64
  } : !csr
  func.return %Z : !csr
}

// The other operands tell the order to convert to, so that one conversion is enough.
// CHECK-LABEL: @mask_of_columns
// CHECK-NEXT:  %B_csc = tin.convert %B
// CHECK-NEXT:  %Z = tin.kernel
func.func @mask_of_columns(%A: !csc, %B: !skyline) -> !csc {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csc -> f64
    %b = tin.access %B[%i, %j] : !skyline -> f64
    %u = tin.map "unless" %a, %b : f64
    tin.yield %u : f64
  } : !csc
  func.return %Z : !csc
}

// B is asked for entries, and added: at the same indices, that is one access.
// CHECK-LABEL: @two_uses
// CHECK-NEXT:  %B_csr = tin.convert %B
// CHECK:       tin.access %A[
// CHECK-NEXT:  tin.access %B_csr[
// CHECK:       tin.access %B_csr[
func.func @two_uses(%A: !csr, %B: !skyline) -> tensor<?x?xf64> {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    %b = tin.access %B[%i, %j] : !skyline -> f64
    %u = tin.map "unless" %a, %b : f64
    %c = tin.access %B[%i, %j] : !skyline -> f64
    %s = tin.add %u, %c : f64
    tin.yield %s : f64
  } : tensor<?x?xf64>
  func.return %Z : tensor<?x?xf64>
}

// Near miss: where the padded operand is what is masked, a 0 is as good as none.
// CHECK-LABEL: @masked
// CHECK-NOT:   tin.convert
func.func @masked(%A: !skyline, %B: !csr) -> !csr {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !skyline -> f64
    %b = tin.access %B[%i, %j] : !csr -> f64
    %u = tin.map "unless" %a, %b : f64
    tin.yield %u : f64
  } : !csr
  func.return %Z : !csr
}

// Near miss: no operator asks for entries.
// CHECK-LABEL: @sum
// CHECK-NOT:   tin.convert
func.func @sum(%A: !csr, %B: !skyline) -> !csr {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    %b = tin.access %B[%i, %j] : !skyline -> f64
    %s = tin.sub %a, %b : f64
    tin.yield %s : f64
  } : !csr
  func.return %Z : !csr
}

// Near miss: each element of a dense tensor is an entry.
// CHECK-LABEL: @dense_mask
// CHECK-NOT:   tin.convert
func.func @dense_mask(%A: !csr, %B: tensor<?x?xf64>) -> !csr {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    %b = tin.access %B[%i, %j] : tensor<?x?xf64> -> f64
    %u = tin.map "unless" %a, %b : f64
    tin.yield %u : f64
  } : !csr
  func.return %Z : !csr
}
