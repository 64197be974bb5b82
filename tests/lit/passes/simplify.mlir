// RUN: tamale-opt %s -p simplify | filecheck %s

// What the level functions leave: a multiplication by one, an addition of zero, a product with zero.
// CHECK-LABEL: @identities(%n: index, %i: index)
// CHECK:      "test.op"(%n, %i, %zero) : (index, index, index) -> ()
func.func @identities(%n: index, %i: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rows = arith.muli %one, %n : index
  %first = arith.muli %zero, %n : index
  %p = arith.addi %first, %i : index
  "test.op"(%rows, %p, %first) : (index, index, index) -> ()
  func.return
}

// Equal pure values are shared.
// CHECK-LABEL: @shared
// CHECK:      %[[NEXT:.*]] = arith.addi
// CHECK-NEXT: "test.op"(%[[NEXT]], %[[NEXT]])
func.func @shared(%p: index) {
  %one = arith.constant 1 : index
  %a = arith.addi %p, %one : index
  %other_one = arith.constant 1 : index
  %b = arith.addi %p, %other_one : index
  "test.op"(%a, %b) : (index, index) -> ()
  func.return
}

// What no one needs goes, a load too.
// CHECK-LABEL: @unused
// CHECK-NEXT: func.return
func.func @unused(%m: memref<?xf64>, %p: index) {
  %found = arith.constant true
  %v = memref.load %m[%p] : memref<?xf64>
  func.return
}

// A choice that is decided is no choice.
// CHECK-LABEL: @decided
// CHECK-NOT:  scf.if
// CHECK:      "test.op"() {name = "taken"}
// CHECK-NOT:  skipped
// CHECK:      func.return
func.func @decided() {
  %true = arith.constant true
  scf.if %true {
    "test.op"() {name = "taken"} : () -> ()
  } else {
    "test.op"() {name = "skipped"} : () -> ()
  }
  func.return
}

// Near misses: a store in between may change what is loaded; floats keep their operations.
// CHECK-LABEL: @kept
// CHECK:      %[[FIRST:.*]] = memref.load %m[%p]
// CHECK-NEXT: memref.store
// CHECK-NEXT: %[[SECOND:.*]] = memref.load %m[%p]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[FIRST]], %{{.*}} : f64
// CHECK-NEXT: "test.op"(%[[SUM]], %[[SECOND]])
func.func @kept(%m: memref<?xf64>, %p: index, %v: f64) {
  %zero = arith.constant 0.0 : f64
  %first = memref.load %m[%p] : memref<?xf64>
  memref.store %v, %m[%p] : memref<?xf64>
  %second = memref.load %m[%p] : memref<?xf64>
  %sum = arith.addf %first, %zero : f64
  "test.op"(%sum, %second) : (f64, f64) -> ()
  func.return
}
