// RUN: tamale-opt %s -p reassociate-sums | filecheck %s

// A row of a dense matrix: its elements follow one another; %a stays the same.
// CHECK-LABEL: @row(
// CHECK:      %after = arith.addf %before, %x fastmath<reassoc> : f64
func.func @row(%vals: memref<?xf64>, %scales: memref<?xf64>, %first: index, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %t = memref.alloca() : memref<f64>
  memref.store %zero, %t[] : memref<f64>
  scf.for %k = %c0 to %n step %c1 {
    %p = arith.addi %first, %k : index
    %v = memref.load %vals[%p] : memref<?xf64>
    %a = memref.load %scales[%first] : memref<?xf64>
    %x = arith.mulf %a, %v : f64
    %before = memref.load %t[] : memref<f64>
    %after = arith.addf %before, %x : f64
    memref.store %after, %t[] : memref<f64>
  }
  %sum = memref.load %t[] : memref<f64>
  func.return %sum : f64
}

// Products, too.
// CHECK-LABEL: @products(
// CHECK:      %after = arith.mulf %before, %x fastmath<reassoc> : f64
func.func @products(%vals: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %t = memref.alloca() : memref<f64>
  memref.store %zero, %t[] : memref<f64>
  scf.for %k = %c0 to %n step %c1 {
    %x = memref.load %vals[%k] : memref<?xf64>
    %before = memref.load %t[] : memref<f64>
    %after = arith.mulf %before, %x : f64
    memref.store %after, %t[] : memref<f64>
  }
  %sum = memref.load %t[] : memref<f64>
  func.return %sum : f64
}

// Near miss: what is added is all over memory.
// CHECK-LABEL: @gathered(
// CHECK:      arith.addf %before, %x : f64
func.func @gathered(%crd: memref<?xindex>, %vals: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %t = memref.alloca() : memref<f64>
  memref.store %zero, %t[] : memref<f64>
  scf.for %k = %c0 to %n step %c1 {
    %j = memref.load %crd[%k] : memref<?xindex>
    %x = memref.load %vals[%j] : memref<?xf64>
    %before = memref.load %t[] : memref<f64>
    %after = arith.addf %before, %x : f64
    memref.store %after, %t[] : memref<f64>
  }
  %sum = memref.load %t[] : memref<f64>
  func.return %sum : f64
}

// Near miss: a column of a matrix that is stored by rows.
// CHECK-LABEL: @column(
// CHECK:      arith.addf %before, %x : f64
func.func @column(%vals: memref<?xf64>, %width: index, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %t = memref.alloca() : memref<f64>
  memref.store %zero, %t[] : memref<f64>
  scf.for %k = %c0 to %n step %c1 {
    %p = arith.muli %k, %width : index
    %x = memref.load %vals[%p] : memref<?xf64>
    %before = memref.load %t[] : memref<f64>
    %after = arith.addf %before, %x : f64
    memref.store %after, %t[] : memref<f64>
  }
  %sum = memref.load %t[] : memref<f64>
  func.return %sum : f64
}

// Near miss: a segment, of a few entries as a rule.
// CHECK-LABEL: @segment(
// CHECK:      arith.addf %before, %x : f64
func.func @segment(%vals: memref<?xf64>, %begin: index, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %t = memref.alloca() : memref<f64>
  memref.store %zero, %t[] : memref<f64>
  scf.for %k = %begin to %n step %c1 {
    %x = memref.load %vals[%k] : memref<?xf64>
    %before = memref.load %t[] : memref<f64>
    %after = arith.addf %before, %x : f64
    memref.store %after, %t[] : memref<f64>
  }
  %sum = memref.load %t[] : memref<f64>
  func.return %sum : f64
}

// Near miss: the sums on the way are wanted.
// CHECK-LABEL: @running(
// CHECK:      arith.addf %before, %x : f64
func.func @running(%vals: memref<?xf64>, %sums: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %t = memref.alloca() : memref<f64>
  memref.store %zero, %t[] : memref<f64>
  scf.for %k = %c0 to %n step %c1 {
    %x = memref.load %vals[%k] : memref<?xf64>
    %before = memref.load %t[] : memref<f64>
    %after = arith.addf %before, %x : f64
    memref.store %after, %t[] : memref<f64>
    memref.store %after, %sums[%k] : memref<?xf64>
  }
  %sum = memref.load %t[] : memref<f64>
  func.return %sum : f64
}

// Near miss: the sum is taken from something; that is no sum.
// CHECK-LABEL: @differences(
// CHECK-NOT:  fastmath
func.func @differences(%vals: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %t = memref.alloca() : memref<f64>
  memref.store %zero, %t[] : memref<f64>
  scf.for %k = %c0 to %n step %c1 {
    %x = memref.load %vals[%k] : memref<?xf64>
    %before = memref.load %t[] : memref<f64>
    %after = arith.subf %x, %before : f64
    memref.store %after, %t[] : memref<f64>
  }
  %sum = memref.load %t[] : memref<f64>
  func.return %sum : f64
}

// Near miss: eight elements are no loop behind the compiler.
// CHECK-LABEL: @block(
// CHECK:      arith.addf %before, %x : f64
func.func @block(%vals: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  %zero = arith.constant 0.0 : f64
  %t = memref.alloca() : memref<f64>
  memref.store %zero, %t[] : memref<f64>
  scf.for %k = %c0 to %n step %c1 {
    %x = memref.load %vals[%k] : memref<?xf64>
    %before = memref.load %t[] : memref<f64>
    %after = arith.addf %before, %x : f64
    memref.store %after, %t[] : memref<f64>
  }
  %sum = memref.load %t[] : memref<f64>
  func.return %sum : f64
}
