// RUN: tamale-opt %s -p insert-conversions{forbid=true} --verify-diagnostics --split-input-file | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!csc = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>

// What needs a conversion is refused, with the conversion that would help.
// CHECK:      concretize: no loop order fits every operand of  Z(i,j) = A(i,j) * B(i,j)
// CHECK:        cycle: i -> j (Z), j -> i (B)
// CHECK-NEXT:   help: {{.*}}, or drop --no-conversions: B would be converted to csr
func.func @opposite(%A: !csr, %B: !csc) -> !csr {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    %b = tin.access %B[%i, %j] : !csc -> f64
    %p = tin.mul %a, %b : f64
    tin.yield %p : f64
  } : !csr
  func.return %Z : !csr
}

// -----

// A result is spoken of as computed in another format.
// CHECK:      concretize: the result Z would be stored as
// CHECK:        help: {{.*}}, or drop --no-conversions: Z would be computed in csr
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!dia = tensor<?x?xf64, #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>>
func.func @result(%A: !csr) -> !dia {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    tin.yield %a : f64
  } : !dia
  func.return %Z : !dia
}

// -----

// Near miss: nothing to convert.
// CHECK-LABEL: @alone
// CHECK:       tin.access %A[
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
func.func @alone(%A: !csr) -> !csr {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    tin.yield %a : f64
  } : !csr
  func.return %Z : !csr
}

// -----

// Padding in a mask: loops would fit, but a zero might be an entry or none.
// CHECK:      concretize: unless(A(i,j), B(i,j)) depends on where B has entries
// CHECK-NEXT:   B is stored as skyline: nothing tells its padding from entries that are 0
// CHECK-NEXT:   help: store it without padding, as csr or csf, or drop --no-conversions: B would be converted to csr
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!skyline = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : banded)>>
func.func @mask(%A: !csr, %B: !skyline) -> !csr {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    %b = tin.access %B[%i, %j] : !skyline -> f64
    %u = tin.map "unless" %a, %b : f64
    tin.yield %u : f64
  } : !csr
  func.return %Z : !csr
}
