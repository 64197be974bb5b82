// RUN: tamale-opt %s -p insert-temporaries | filecheck %s

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
#wide = #format.statistics<sizes [64, 65536], stored [?, 1048576]>
#tall = #format.statistics<sizes [65536, 64], stored [?, 1048576]>

// A is wide, B tall: their product is small, and comes first.
// CHECK-LABEL: @from_the_left(
// CHECK-NEXT:  %T = tin.kernel %i, %l {
// CHECK:         tin.access %A[%i, %k]
// CHECK:         tin.access %B[%k, %l]
// CHECK:       about(#format.statistics<sizes [64, 64], stored [?, 4096]>)
// CHECK-NEXT:  %Z = tin.kernel
// CHECK:         tin.access %T[
// CHECK:         tin.access %C[
func.func @from_the_left(%A: !csr {format.statistics = #wide}, %B: !csr {format.statistics = #tall},
                         %C: !csr {format.statistics = #wide}) -> !csr {
  %Z = tin.kernel %i, %j {
    %s = tin.sum %k, %l {
      %a = tin.access %A[%i, %k] : !csr -> f64
      %b = tin.access %B[%k, %l] : !csr -> f64
      %p = tin.mul %a, %b : f64
      %c = tin.access %C[%l, %j] : !csr -> f64
      %p2 = tin.mul %p, %c : f64
      tin.yield %p2 : f64
    } : f64
    tin.yield %s : f64
  } : !csr
  func.return %Z : !csr
}

// The other way round, B times C is small.
// CHECK-LABEL: @from_the_right(
// CHECK-NEXT:  %T = tin.kernel
// CHECK:         tin.access %B[
// CHECK:         tin.access %C[
// CHECK:       about(#format.statistics<sizes [64, 64], stored [?, 4096]>)
// CHECK-NEXT:  %Z = tin.kernel
// CHECK-DAG:     tin.access %A[
// CHECK-DAG:     tin.access %T[
func.func @from_the_right(%A: !csr {format.statistics = #tall}, %B: !csr {format.statistics = #wide},
                          %C: !csr {format.statistics = #tall}) -> !csr {
  %Z = tin.kernel %i, %j {
    %s = tin.sum %k, %l {
      %a = tin.access %A[%i, %k] : !csr -> f64
      %b = tin.access %B[%k, %l] : !csr -> f64
      %p = tin.mul %a, %b : f64
      %c = tin.access %C[%l, %j] : !csr -> f64
      %p2 = tin.mul %p, %c : f64
      tin.yield %p2 : f64
    } : f64
    tin.yield %s : f64
  } : !csr
  func.return %Z : !csr
}

// Both are better than one nest. From the right takes two thirds of the steps of from the left: splits
// are compared with each other by their steps alone, and need not be far apart.
// CHECK-LABEL: @somewhat_better(
// CHECK-NEXT:  %T = tin.kernel
// CHECK:         tin.access %B[
// CHECK:         tin.access %C[
// CHECK:       %Z = tin.kernel
func.func @somewhat_better(
    %A: !csr {format.statistics = #format.statistics<sizes [16384, 1024], stored [?, 16384]>},
    %B: !csr {format.statistics = #format.statistics<sizes [1024, 16384], stored [?, 16384]>},
    %C: !csr {format.statistics = #format.statistics<sizes [16384, 4096], stored [?, 65536]>}) -> !csr {
  %Z = tin.kernel %i, %j {
    %s = tin.sum %k, %l {
      %a = tin.access %A[%i, %k] : !csr -> f64
      %b = tin.access %B[%k, %l] : !csr -> f64
      %p = tin.mul %a, %b : f64
      %c = tin.access %C[%l, %j] : !csr -> f64
      %p2 = tin.mul %p, %c : f64
      tin.yield %p2 : f64
    } : f64
    tin.yield %s : f64
  } : !csr
  func.return %Z : !csr
}
