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

// What each step stores again is stored behind the loop, if there was a step.
// CHECK-LABEL: @stored_again(
// CHECK:      scf.for
// CHECK-NOT:    memref.store
// CHECK:        "test.op"(%k)
// CHECK:      %[[RAN:.*]] = arith.cmpi slt, %{{.*}}, %n : index
// CHECK-NEXT: scf.if %[[RAN]] {
// CHECK-NEXT:   memref.store %true, %filled[] : memref<i1>
// CHECK-NEXT: }
func.func @stored_again(%n: index) -> i1 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %false = arith.constant false
  %true = arith.constant true
  %filled = memref.alloca() : memref<i1>
  memref.store %false, %filled[] : memref<i1>
  scf.for %k = %zero to %n step %one {
    "test.op"(%k) : (index) -> ()
    memref.store %true, %filled[] : memref<i1>
  }
  %after = memref.load %filled[] : memref<i1>
  func.return %after : i1
}

// Near miss: a step looks at what the one before it has stored.
// CHECK-LABEL: @looked_at(
// CHECK:      scf.for
// CHECK-NEXT:   %before = memref.load %filled[] : memref<i1>
// CHECK-NEXT:   "test.op"(%before) : (i1) -> ()
// CHECK-NEXT:   memref.store %true, %filled[] : memref<i1>
// CHECK-NEXT: }
func.func @looked_at(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %false = arith.constant false
  %true = arith.constant true
  %filled = memref.alloca() : memref<i1>
  memref.store %false, %filled[] : memref<i1>
  scf.for %k = %zero to %n step %one {
    %before = memref.load %filled[] : memref<i1>
    "test.op"(%before) : (i1) -> ()
    memref.store %true, %filled[] : memref<i1>
  }
  func.return
}

// Near miss: each step stores something else, or decides by itself.
// CHECK-LABEL: @something_else(
// CHECK:      scf.for
// CHECK-NEXT:   memref.store %k, %last[] : memref<index>
// CHECK-NEXT:   %maybe = "test.op"(%k)
// CHECK-NEXT:   scf.if %maybe {
// CHECK-NEXT:     memref.store %{{.*}}, %other[] : memref<index>
func.func @something_else(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = memref.alloca() : memref<index>
  %other = memref.alloca() : memref<index>
  memref.store %zero, %last[] : memref<index>
  memref.store %zero, %other[] : memref<index>
  scf.for %k = %zero to %n step %one {
    memref.store %k, %last[] : memref<index>
    %maybe = "test.op"(%k) : (index) -> i1
    scf.if %maybe {
      memref.store %one, %other[] : memref<index>
    }
  }
  %l = memref.load %last[] : memref<index>
  %o = memref.load %other[] : memref<index>
  "test.op"(%l, %o) : (index, index) -> ()
  func.return
}

// One condition decides of all steps: what inner loops leave behind moves on outwards.
// CHECK-LABEL: @stored_by_inner_steps(
// CHECK:      [[RUNS:%\w+]] = arith.cmpi slt, %zero, %m : index
// CHECK-NEXT: scf.for %j = %zero to %n step
// CHECK-NEXT:   scf.for %k = %zero to %m step
// CHECK-NEXT:     "test.op"(%j, %k)
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: [[ANY:%\w+]] = arith.cmpi slt, %zero, %n : index
// CHECK-NEXT: scf.if [[ANY]] {
// CHECK-NEXT:   scf.if [[RUNS]] {
// CHECK-NEXT:     memref.store
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: memref.load %filled[]
func.func @stored_by_inner_steps(%n: index, %m: index) -> i1 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %false = arith.constant false
  %true = arith.constant true
  %filled = memref.alloca() : memref<i1>
  memref.store %false, %filled[] : memref<i1>
  scf.for %j = %zero to %n step %one {
    scf.for %k = %zero to %m step %one {
      "test.op"(%j, %k) : (index, index) -> ()
      memref.store %true, %filled[] : memref<i1>
    }
  }
  %after = memref.load %filled[] : memref<i1>
  func.return %after : i1
}

// Near miss: how many inner steps there are differs.
// CHECK-LABEL: @stored_by_some_inner_steps(
// CHECK:      scf.for %j =
// CHECK-NEXT:   scf.for %k = %{{.*}} to %j step
// CHECK-NEXT:     "test.op"(%j, %k)
// CHECK-NEXT:   }
// CHECK-NEXT:   [[RUNS:%\w+]] = arith.cmpi slt, %{{.*}}, %j : index
// CHECK-NEXT:   scf.if [[RUNS]] {
// CHECK-NEXT:     memref.store
func.func @stored_by_some_inner_steps(%n: index) -> i1 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %false = arith.constant false
  %true = arith.constant true
  %filled = memref.alloca() : memref<i1>
  memref.store %false, %filled[] : memref<i1>
  scf.for %j = %zero to %n step %one {
    scf.for %k = %zero to %j step %one {
      "test.op"(%j, %k) : (index, index) -> ()
      memref.store %true, %filled[] : memref<i1>
    }
  }
  %after = memref.load %filled[] : memref<i1>
  func.return %after : i1
}
