// RUN: tamale-opt %s -t cpp | filecheck %s

// A two-finger merge: mutable scalars are plain variables, single-use values stand where they are
// used, and conditions short-circuit.
// CHECK:      #include <stdint.h>
// CHECK-NOT:  #include
// CHECK-LABEL: extern "C" int32_t dot(
// CHECK:        double sum = 0.0;
// CHECK:        int32_t pA = A_pos[0];
// CHECK:        while (pA < a_end && pB < b_end) {
// CHECK-NEXT:     int32_t iA = A_crd[pA];
// CHECK-NEXT:     int32_t iB = B_crd[pB];
// CHECK-NEXT:     int32_t i = iA < iB ? iA : iB;
// CHECK-NEXT:     bool at_a = iA == i;
// CHECK-NEXT:     bool at_b = iB == i;
// CHECK-NEXT:     if (at_a && at_b) {
// CHECK-NEXT:       sum += A_vals[pA] * B_vals[pB];
// CHECK-NEXT:     }
// CHECK-NEXT:     pA += at_a;
// CHECK-NEXT:     pB += at_b;
// CHECK-NEXT:   }
// CHECK-NEXT:   *r_out = sum;
// CHECK-NEXT:   return 0;
// CHECK-NEXT: }
func.func @dot(%A_pos: memref<?xi32>, %A_crd: memref<?xi32>, %A_vals: memref<?xf64>, %B_pos: memref<?xi32>, %B_crd: memref<?xi32>, %B_vals: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = memref.alloca() : memref<f64>
  memref.store %zero, %sum[] : memref<f64>
  %pA = memref.alloca() : memref<i32>
  %pB = memref.alloca() : memref<i32>
  %a_begin = memref.load %A_pos[%c0] : memref<?xi32>
  %a_end = memref.load %A_pos[%c1] : memref<?xi32>
  %b_begin = memref.load %B_pos[%c0] : memref<?xi32>
  %b_end = memref.load %B_pos[%c1] : memref<?xi32>
  memref.store %a_begin, %pA[] : memref<i32>
  memref.store %b_begin, %pB[] : memref<i32>
  scf.while () : () -> () {
    %a_now = memref.load %pA[] : memref<i32>
    %b_now = memref.load %pB[] : memref<i32>
    %a_left = arith.cmpi slt, %a_now, %a_end : i32
    %b_left = arith.cmpi slt, %b_now, %b_end : i32
    %both_left = arith.andi %a_left, %b_left : i1
    scf.condition(%both_left)
  } do {
    %a_now = memref.load %pA[] : memref<i32>
    %b_now = memref.load %pB[] : memref<i32>
    %a_index = arith.index_cast %a_now : i32 to index
    %b_index = arith.index_cast %b_now : i32 to index
    %iA = memref.load %A_crd[%a_index] : memref<?xi32>
    %iB = memref.load %B_crd[%b_index] : memref<?xi32>
    %i = arith.minsi %iA, %iB : i32
    %at_a = arith.cmpi eq, %iA, %i : i32
    %at_b = arith.cmpi eq, %iB, %i : i32
    %both = arith.andi %at_a, %at_b : i1
    scf.if %both {
      %va = memref.load %A_vals[%a_index] : memref<?xf64>
      %vb = memref.load %B_vals[%b_index] : memref<?xf64>
      %product = arith.mulf %va, %vb : f64
      %old = memref.load %sum[] : memref<f64>
      %new = arith.addf %old, %product : f64
      memref.store %new, %sum[] : memref<f64>
    }
    %da = arith.extui %at_a : i1 to i32
    %db = arith.extui %at_b : i1 to i32
    %a_next = arith.addi %a_now, %da : i32
    %b_next = arith.addi %b_now, %db : i32
    memref.store %a_next, %pA[] : memref<i32>
    memref.store %b_next, %pB[] : memref<i32>
    scf.yield
  }
  %r = memref.load %sum[] : memref<f64>
  func.return %r : f64
}

// Near miss: a value that the loop changes is read before the loop, not inside.
// CHECK-LABEL: extern "C" int32_t first(double *__restrict y, int64_t n) {
// CHECK-NEXT:    double v = y[0];
// CHECK-NEXT:    for (int64_t i = 0; i < n; i++) {
// CHECK-NEXT:      y[i] = v;
// CHECK-NEXT:    }
func.func @first(%y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.load %y[%c0] : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %y[%i] : memref<?xf64>
  }
  func.return
}

// A parallel loop: a thread for each iteration if their number is known to OpenMP.
// CHECK-LABEL: extern "C" int32_t shared(double *__restrict y) {
// CHECK-NEXT:    #pragma omp parallel for num_threads(4) schedule(static, 1)
// CHECK-NEXT:    for (int64_t worker = 0; worker < 4; worker++) {
// CHECK-NEXT:      y[worker] = 1.0;
// CHECK-NEXT:    }
func.func @shared(%y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f64
  "scf.parallel"(%c0, %c4, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%worker: index):
    memref.store %one, %y[%worker] : memref<?xf64>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}

// Near miss: iterations that start late, or skip, are no numbers of threads.
// CHECK-LABEL: extern "C" int32_t shared_by_twos(double *__restrict y) {
// CHECK-NEXT:    #pragma omp parallel for schedule(static, 1)
// CHECK-NEXT:    for (int64_t w = 0; w < 4; w += 2) {
func.func @shared_by_twos(%y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f64
  "scf.parallel"(%c0, %c4, %c2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%w: index):
    memref.store %one, %y[%w] : memref<?xf64>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}

// A loop that does nothing but accumulate, in any order, may take several steps at a time.
// CHECK-LABEL: extern "C" int32_t in_any_order(
// CHECK:        #pragma omp simd reduction(+ : sum) reduction(* : product)
// CHECK-NEXT:   for (int64_t k = 0; k < n; k++) {
// CHECK-NEXT:     double x = vals[k];
// CHECK-NEXT:     sum += x;
// CHECK-NEXT:     product *= x;
// CHECK-NEXT:   }
func.func @in_any_order(%vals: memref<?xf64>, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %sum = memref.alloca() : memref<f64>
  %product = memref.alloca() : memref<f64>
  memref.store %zero, %sum[] : memref<f64>
  memref.store %one, %product[] : memref<f64>
  scf.for %k = %c0 to %n step %c1 {
    %x = memref.load %vals[%k] : memref<?xf64>
    %s = memref.load %sum[] : memref<f64>
    %s2 = arith.addf %s, %x fastmath<reassoc> : f64
    memref.store %s2, %sum[] : memref<f64>
    %p = memref.load %product[] : memref<f64>
    %p2 = arith.mulf %p, %x fastmath<reassoc> : f64
    memref.store %p2, %product[] : memref<f64>
  }
  %a = memref.load %sum[] : memref<f64>
  %b = memref.load %product[] : memref<f64>
  func.return %a, %b : f64, f64
}

// Near misses: the loop also stores, so its steps may not be taken together; one of two sums keeps its order.
// CHECK-LABEL: extern "C" int32_t in_this_order(
// CHECK-NOT:    #pragma
// CHECK:        for (int64_t k = 0; k < n; k++) {
// CHECK-NOT:    #pragma
// CHECK:        for (int64_t k = 0; k < n; k++) {
func.func @in_this_order(%vals: memref<?xf64>, %out: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = memref.alloca() : memref<f64>
  %other = memref.alloca() : memref<f64>
  memref.store %zero, %sum[] : memref<f64>
  memref.store %zero, %other[] : memref<f64>
  scf.for %k = %c0 to %n step %c1 {
    %x = memref.load %vals[%k] : memref<?xf64>
    %s = memref.load %sum[] : memref<f64>
    %s2 = arith.addf %s, %x fastmath<reassoc> : f64
    memref.store %s2, %sum[] : memref<f64>
    memref.store %x, %out[%k] : memref<?xf64>
  }
  scf.for %k = %c0 to %n step %c1 {
    %x = memref.load %vals[%k] : memref<?xf64>
    %s = memref.load %sum[] : memref<f64>
    %s2 = arith.addf %s, %x fastmath<reassoc> : f64
    memref.store %s2, %sum[] : memref<f64>
    %o = memref.load %other[] : memref<f64>
    %o2 = arith.addf %o, %x : f64
    memref.store %o2, %other[] : memref<f64>
  }
  %a = memref.load %sum[] : memref<f64>
  %b = memref.load %other[] : memref<f64>
  %c = arith.addf %a, %b : f64
  func.return %c : f64
}

// Elements of a local array are variables where loops over all of it are taken apart.
// CHECK-LABEL: extern "C" int32_t by_tiles(
// CHECK:        double tile[4];
// CHECK:        #pragma GCC unroll 4
// CHECK-NEXT:   for (int64_t t = 0; t < 4; t++) {
// CHECK-NEXT:     tile[t] = vals[t];
func.func @by_tiles(%vals: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %tile = memref.alloca() : memref<4xf64>
  scf.for %t = %c0 to %c4 step %c1 {
    %x = memref.load %vals[%t] : memref<?xf64>
    memref.store %x, %tile[%t] : memref<4xf64>
  }
  scf.for %t = %c0 to %c4 step %c1 {
    %x = memref.load %tile[%t] : memref<4xf64>
    %x2 = arith.addf %x, %x : f64
    memref.store %x2, %vals[%t] : memref<?xf64>
  }
  func.return
}

// Near miss: loops over a part of it, or over another array.
// CHECK-LABEL: extern "C" int32_t by_parts(
// CHECK-NOT:    #pragma
// CHECK:        for (int64_t t = 0; t < 3; t++) {
// CHECK-NOT:    #pragma
// CHECK:        for (int64_t t = 0; t < 4; t++) {
// CHECK-NOT:    #pragma
func.func @by_parts(%vals: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %tile = memref.alloca() : memref<4xf64>
  scf.for %t = %c0 to %c3 step %c1 {
    %x = memref.load %vals[%t] : memref<?xf64>
    memref.store %x, %tile[%t] : memref<4xf64>
  }
  %first = memref.load %tile[%c0] : memref<4xf64>
  scf.for %t = %c0 to %c4 step %c1 {
    %x = memref.load %vals[%t] : memref<?xf64>
    %x2 = arith.addf %x, %first : f64
    memref.store %x2, %vals[%t] : memref<?xf64>
  }
  func.return
}
