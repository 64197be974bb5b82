// RUN: tamale-opt %s | tamale-opt | filecheck %s
// RUN: ROUNDTRIP
// RUN: GENERIC

!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>

// Kernels and reductions bind index variables; any number of them.
// CHECK-LABEL: @reductions(
// CHECK-NEXT:  %y = tin.kernel %i {
// CHECK-NEXT:    %s = tin.sum %j, %k {
// CHECK-NEXT:      %a = tin.access %A[%i, %j] : tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>> -> f64
// CHECK-NEXT:      %b = tin.access %A[%j, %k]
// CHECK-NEXT:      %m = tin.mul %a, %b : f64
// CHECK-NEXT:      tin.yield %m : f64
// CHECK-NEXT:    } : f64
// CHECK-NEXT:    %t = tin.reduce "max" %l {
// CHECK-NEXT:      %c = tin.access %A[%i, %l]
// CHECK-NEXT:      tin.yield %c : f64
// CHECK-NEXT:    } : f64
// CHECK-NEXT:    %d = tin.sub %s, %t : f64
// CHECK-NEXT:    tin.yield %d : f64
// CHECK-NEXT:  } : tensor<?xf64>
// GENERIC-LABEL: "reductions"
// GENERIC:       "tin.kernel"() ({
// GENERIC-NEXT:  ^bb0(%i: index):
// GENERIC-NEXT:    %s = "tin.sum"() ({
// GENERIC-NEXT:    ^bb0(%j: index, %k: index):
// GENERIC:         "tin.access"(%A, %i, %j)
// GENERIC:       "tin.reduce"() <{operator = "max"}> ({
func.func @reductions(%A: !csr) {
  %y = tin.kernel %i {
    %s = tin.sum %j, %k {
      %a = tin.access %A[%i, %j] : !csr -> f64
      %b = tin.access %A[%j, %k] : !csr -> f64
      %m = tin.mul %a, %b : f64
      tin.yield %m : f64
    } : f64
    %t = tin.reduce "max" %l {
      %c = tin.access %A[%i, %l] : !csr -> f64
      tin.yield %c : f64
    } : f64
    %d = tin.sub %s, %t : f64
    tin.yield %d : f64
  } : tensor<?xf64>
  func.return
}

// A kernel without index variables computes a scalar; literals of all kinds of numbers.
// CHECK-LABEL: @scalars(
// CHECK-NEXT:  tin.kernel {
// CHECK-NEXT:    tin.access %s[] : tensor<f64> -> f64
// CHECK-NEXT:    tin.literal 2.500000e+00 : f64 : f64
// CHECK-NEXT:    tin.div %{{.*}}, %{{.*}} : f64
// CHECK-NEXT:    tin.neg %{{.*}} : f64
// CHECK-NEXT:    tin.add
// CHECK:       tin.literal 3 : i32 : i32
// CHECK:       tin.literal [1.000000e+00 : f64, -2.000000e+00 : f64] : complex<f64>
func.func @scalars(%s: tensor<f64>) {
  %x = tin.kernel {
    %a = tin.access %s[] : tensor<f64> -> f64
    %two = tin.literal 2.5 : f64 : f64
    %q = tin.div %a, %two : f64
    %n = tin.neg %q : f64
    %r = tin.add %n, %a : f64
    tin.yield %r : f64
  } : tensor<f64>
  %y = tin.kernel {
    %three = tin.literal 3 : i32 : i32
    tin.yield %three : i32
  } : tensor<i32>
  %z = tin.kernel {
    %c = tin.literal [1.0 : f64, -2.0 : f64] : complex<f64>
    tin.yield %c : complex<f64>
  } : tensor<complex<f64>>
  func.return
}

// Operators by name, and values that are the same along a mode; a wider type than the tensor's.
// CHECK-LABEL: @operators(
// CHECK:       %v = tin.access %b[%i] : tensor<?xf32> -> f64
// CHECK-NEXT:  %w = tin.broadcast %v over %j : f64
// CHECK:       %m = tin.map "max" %a, %w : f64
// CHECK-NEXT:  %e = tin.map "exp" %m : f64
func.func @operators(%A: !csr, %b: tensor<?xf32>) {
  %z = tin.kernel %i, %j {
    %v = tin.access %b[%i] : tensor<?xf32> -> f64
    %w = tin.broadcast %v over %j : f64
    %a = tin.access %A[%i, %j] : !csr -> f64
    %m = tin.map "max" %a, %w : f64
    %e = tin.map "exp" %m : f64
    tin.yield %e : f64
  } : tensor<?x?xf64>
  func.return
}

// Dimension sizes that agree where they are known.
// CHECK-LABEL: @sizes(
// CHECK:       tin.access %A[%i, %j] : tensor<3x?xf64> -> f64
// CHECK:       } : tensor<?x4xf64>
func.func @sizes(%A: tensor<3x?xf64>, %B: tensor<?x4xf64>) {
  %z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : tensor<3x?xf64> -> f64
    %b = tin.access %B[%i, %j] : tensor<?x4xf64> -> f64
    %d = tin.sub %a, %b : f64
    tin.yield %d : f64
  } : tensor<?x4xf64>
  func.return
}

// A result along whose modes a variable is repeated, in an order of its own.
// CHECK-LABEL: @spread(
// CHECK:       %z = tin.kernel %i, %j at (%j, %i, %i) {
func.func @spread(%B: tensor<?x?xf64>) {
  %z = tin.kernel %i, %j at (%j, %i, %i) {
    %b = tin.access %B[%i, %j] : tensor<?x?xf64> -> f64
    tin.yield %b : f64
  } : tensor<?x?x?xf64>
  func.return
}

// Loops that are asked for, outermost first.
// CHECK-LABEL: @order(
// CHECK:       } : tensor<?x?xf64> order(k, i, j)
// GENERIC-LABEL: "order"
// GENERIC:       "tin.kernel"() <{order = ["k", "i", "j"]}> ({
func.func @order(%A: !csr, %B: !csr) {
  %z = tin.kernel %i, %j {
    %s = tin.sum %k {
      %a = tin.access %A[%i, %k] : !csr -> f64
      %b = tin.access %B[%k, %j] : !csr -> f64
      %m = tin.mul %a, %b : f64
      tin.yield %m : f64
    } : f64
    tin.yield %s : f64
  } : tensor<?x?xf64> order(k, i, j)
  func.return
}

// How a list finds entries again, and how large the result will be.
// CHECK-LABEL: @estimated(
// CHECK:       } : tensor<?x?xf64> order(i, j) search(hash) about(#format.statistics<sizes [4, ?], stored [?, 16]>)
// GENERIC-LABEL: "estimated"
// GENERIC:       "tin.kernel"() <{order = ["i", "j"], search = "hash", statistics = #format.statistics<sizes [4, ?], stored [?, 16]>}> ({
func.func @estimated(%A: !csr {format.statistics = #format.statistics<sizes [4, 64]>}) {
  %z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    tin.yield %a : f64
  } : tensor<?x?xf64> order(i, j) search(hash) about(#format.statistics<sizes [4, ?], stored [?, 16]>)
  func.return
}
