// RUN: tamale-opt %s -p insert-conversions | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!csc = tensor<?x?xf64, #format.spec<(i, j) -> (j : dense, i : compressed)>>
!dcsr = tensor<?x?xf64, #format.spec<(i, j) -> (i : compressed, j : compressed)>>
!dcsc = tensor<?x?xf64, #format.spec<(i, j) -> (j : compressed, i : compressed)>>
!mat = tensor<?x?xf64>
#small = #format.statistics<sizes [1024, 1024], stored [?, 1024]>
#large = #format.statistics<sizes [1024, 1024], stored [?, 16384]>
#long = #format.statistics<sizes [1024, 1073741824], stored [?, 16384]>
#huge = #format.statistics<sizes [1073741824, 1073741824], stored [?, 1024]>

// Of two that cannot be walked together, the smaller one is converted.
// CHECK-LABEL: @the_smaller_one(
// CHECK-NEXT:  %B_csr = tin.convert %B
// CHECK-NOT:   tin.convert
func.func @the_smaller_one(%A: !csr {format.statistics = #large},
                           %B: !csc {format.statistics = #small}) -> !mat {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    %b = tin.access %B[%i, %j] : !csc -> f64
    %s = tin.mul %a, %b : f64
    tin.yield %s : f64
  } : !mat
  func.return %Z : !mat
}

// The other way round.
// CHECK-LABEL: @the_other(
// CHECK-NEXT:  %A_csc = tin.convert %A
// CHECK-NOT:   tin.convert
func.func @the_other(%A: !csr {format.statistics = #small},
                     %B: !csc {format.statistics = #large}) -> !mat {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    %b = tin.access %B[%i, %j] : !csc -> f64
    %s = tin.mul %a, %b : f64
    tin.yield %s : f64
  } : !mat
  func.return %Z : !mat
}

// Near miss: as large as each other, or nothing known, it is the one that is written last.
// CHECK-LABEL: @the_last(
// CHECK-NEXT:  %B_csr = tin.convert %B
// CHECK-NOT:   tin.convert
func.func @the_last(%A: !csr {format.statistics = #small},
                    %B: !csc {format.statistics = #small}) -> !mat {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    %b = tin.access %B[%i, %j] : !csc -> f64
    %s = tin.mul %a, %b : f64
    tin.yield %s : f64
  } : !mat
  func.return %Z : !mat
}

// Nearly all rows are empty: what is converted has only those that are not.
// CHECK-LABEL: @empty_rows(
// CHECK-NEXT:  %B_dcsr = tin.convert %B
// CHECK-NEXT:  %Z = tin.kernel
func.func @empty_rows(%A: !dcsr {format.statistics = #huge},
                      %B: !dcsc {format.statistics = #huge}) -> !dcsr {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !dcsr -> f64
    %b = tin.access %B[%i, %j] : !dcsc -> f64
    %s = tin.add %a, %b : f64
    tin.yield %s : f64
  } : !dcsr
  func.return %Z : !dcsr
}

// Near miss: most rows have entries.
// CHECK-LABEL: @full_rows(
// CHECK-NEXT:  %B_csr = tin.convert %B
// CHECK-NEXT:  %Z = tin.kernel
func.func @full_rows(%A: !dcsr {format.statistics = #large},
                     %B: !dcsc {format.statistics = #large}) -> !dcsr {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !dcsr -> f64
    %b = tin.access %B[%i, %j] : !dcsc -> f64
    %s = tin.add %a, %b : f64
    tin.yield %s : f64
  } : !dcsr
  func.return %Z : !dcsr
}

// An array over a mode is too long for so few entries: they are found in a hash table.
// CHECK-LABEL: @long_mode(
// CHECK-NEXT:  %Z = tin.kernel
// CHECK:       } : {{.*}}(i : dense, j : compressed)>> search(hash)
func.func @long_mode(%A: !csr {format.statistics = #large},
                     %B: !csr {format.statistics = #long}) -> !csr {
  %Z = tin.kernel %i, %j {
    %s = tin.sum %k {
      %a = tin.access %A[%i, %k] : !csr -> f64
      %b = tin.access %B[%k, %j] : !csr -> f64
      %p = tin.mul %a, %b : f64
      tin.yield %p : f64
    } : f64
    tin.yield %s : f64
  } : !csr
  func.return %Z : !csr
}

// Near miss: a mode that is not as long.
// CHECK-LABEL: @short_mode(
// CHECK-NEXT:  %Z = tin.kernel
// CHECK-NOT:   search
// CHECK:       func.return
func.func @short_mode(%A: !csr {format.statistics = #large},
                      %B: !csr {format.statistics = #large}) -> !csr {
  %Z = tin.kernel %i, %j {
    %s = tin.sum %k {
      %a = tin.access %A[%i, %k] : !csr -> f64
      %b = tin.access %B[%k, %j] : !csr -> f64
      %p = tin.mul %a, %b : f64
      tin.yield %p : f64
    } : f64
    tin.yield %s : f64
  } : !csr
  func.return %Z : !csr
}

// Rows of B cannot be located: coordinates of k that both have are found once, not for each i.
// CHECK-LABEL: @common_first(
// CHECK-NEXT:  %A_dcsc = tin.convert %A
// CHECK-NEXT:  %Z_{{.*}} = tin.kernel
// CHECK-NOT:   search
// CHECK:       %Z = tin.convert
func.func @common_first(%A: !dcsr {format.statistics = #huge},
                        %B: !dcsr {format.statistics = #huge}) -> !dcsr {
  %Z = tin.kernel %i, %j {
    %s = tin.sum %k {
      %a = tin.access %A[%i, %k] : !dcsr -> f64
      %b = tin.access %B[%k, %j] : !dcsr -> f64
      %p = tin.mul %a, %b : f64
      tin.yield %p : f64
    } : f64
    tin.yield %s : f64
  } : !dcsr
  func.return %Z : !dcsr
}
