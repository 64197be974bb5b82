// RUN: tamale-opt %s -t cpp | filecheck %s

// No two blocks overlap, which compilers are told.
// CHECK: {{^}}{{\[\[}}gnu::__malloc__]] static void *allocate(size_t bytes) {
// CHECK: {{^}}{{\[\[}}gnu::__malloc__]] static void *reallocate(void *block, size_t bytes) {

// Whatever fails, every buffer is freed: owners are declared first, failures go to one place.
// CHECK-LABEL: extern "C" int32_t squares(int64_t n, int64_t **Z_out) {
// CHECK-NEXT:    int64_t *Z = nullptr;
// CHECK-NEXT:    int32_t status = 1;  // out of memory
// CHECK-NEXT:    {
// CHECK-NEXT:      Z = (int64_t *)malloc(1 * sizeof(int64_t));
// CHECK-NEXT:      if (!Z) goto fail;
// CHECK-NEXT:      if (n > 100) {
// CHECK-NEXT:        status = 3;  // size overflow
// CHECK-NEXT:        goto fail;
// CHECK-NEXT:      }
// CHECK-NEXT:      int64_t *grown = (int64_t *)reallocate(Z, n * sizeof(int64_t));
// CHECK-NEXT:      if (!grown) goto fail;
// CHECK-NEXT:      Z = grown;
// CHECK:           *Z_out = Z;
// CHECK-NEXT:      return 0;
// CHECK-NEXT:    }
// CHECK-NEXT:  fail:
// CHECK-NEXT:    free(Z);
// CHECK-NEXT:    return status;
// CHECK-NEXT:  }
// CHECK:       extern "C" void squares_free(void *buffer) {
func.func @squares(%n: index) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %limit = arith.constant 100 : index
  %Z = memref.alloca() : memref<memref<?xi64>>
  %small = memref.alloc() : memref<1xi64>
  %first = "memref.cast"(%small) : (memref<1xi64>) -> memref<?xi64>
  memref.store %first, %Z[] : memref<memref<?xi64>>
  %fits = arith.cmpi sle, %n, %limit : index
  cf.assert %fits, "size overflow"
  %old = memref.load %Z[] : memref<memref<?xi64>>
  %new = memref.realloc %old(%n) : memref<?xi64> to memref<?xi64>
  memref.store %new, %Z[] : memref<memref<?xi64>>
  scf.for %i = %c0 to %n step %c1 {
    %square = arith.muli %i, %i : index
    %value = arith.index_cast %square : index to i64
    memref.store %value, %new[%i] : memref<?xi64>
  }
  %Z_1 = memref.load %Z[] : memref<memref<?xi64>>
  func.return %Z_1 : memref<?xi64>
}

// Near miss: what owns nothing has no label, and cannot fail without an assertion.
// CHECK-LABEL: extern "C" int32_t checked(int64_t n) {
// CHECK-NEXT:    if (n < 0) {
// CHECK-NEXT:      return 4;  // bad argument
// CHECK-NEXT:    }
// CHECK-NEXT:    return 0;
// CHECK-NEXT:  }
func.func @checked(%n: index) {
  %c0 = arith.constant 0 : index
  %ok = arith.cmpi sge, %n, %c0 : index
  cf.assert %ok, "bad argument"
  func.return
}

// A worker that fails frees what it owns and ends its iteration; the function is left behind the
// loop. What workers put into a row of pointers is the function's.
// CHECK-LABEL: extern "C" int32_t by_workers(int64_t n) {
// CHECK-NEXT:    double *parts[4] = {};
// CHECK-NEXT:    int32_t status = 1;  // out of memory
// CHECK-NEXT:    {
// CHECK-NEXT:      int32_t failed = 0;
// CHECK-NEXT:      #pragma omp parallel for num_threads(4) schedule(static, 1)
// CHECK-NEXT:      for (int64_t worker = 0; worker < 4; worker++) {
// CHECK-NEXT:        double *own = nullptr;
// CHECK-NEXT:        double *other = nullptr;
// CHECK-NEXT:        int32_t cause = 1;  // out of memory
// CHECK-NEXT:        {
// CHECK-NEXT:          own = (double *)allocate(n * sizeof(double));
// CHECK-NEXT:          if (!own) goto stop;
// CHECK-NEXT:          other = (double *)allocate(n * sizeof(double));
// CHECK-NEXT:          if (!other) goto stop;
// CHECK-NEXT:          if (worker >= n) {
// CHECK-NEXT:            cause = 2;  // position overflow
// CHECK-NEXT:            goto stop;
// CHECK-NEXT:          }
// CHECK:               free(other);
// CHECK:               parts[worker] = own;
// CHECK-NEXT:          continue;
// CHECK-NEXT:        }
// CHECK-NEXT:        stop:
// CHECK-NEXT:        free(own);
// CHECK-NEXT:        free(other);
// CHECK-NEXT:        #pragma omp atomic write
// CHECK-NEXT:        failed = cause;
// CHECK-NEXT:      }
// CHECK-NEXT:      if (failed) { status = failed; goto fail; }
// CHECK-NEXT:      for (int64_t w = 0; w < 4; w++) {
// CHECK-NEXT:        free(parts[w]);
// CHECK-NEXT:        parts[w] = nullptr;
// CHECK-NEXT:      }
// CHECK-NEXT:      if (n > 100) {
// CHECK:         fail:
// CHECK-NEXT:    for (void *buffer : parts) free(buffer);
// CHECK-NEXT:    return status;
func.func @by_workers(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c100 = arith.constant 100 : index
  %parts = memref.alloca() : memref<4xmemref<?xf64>>
  "scf.parallel"(%c0, %c4, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%worker: index):
    %own = memref.alloca() : memref<memref<?xf64>>
    %block = memref.alloc(%n) : memref<?xf64>
    memref.store %block, %own[] : memref<memref<?xf64>>
    %other = memref.alloc(%n) : memref<?xf64>
    %inside = arith.cmpi slt, %worker, %n : index
    cf.assert %inside, "position overflow"
    memref.dealloc %other : memref<?xf64>
    %made = memref.load %own[] : memref<memref<?xf64>>
    memref.store %made, %parts[%worker] : memref<4xmemref<?xf64>>
    scf.reduce
  }) : (index, index, index) -> ()
  scf.for %w = %c0 to %c4 step %c1 {
    %part = memref.load %parts[%w] : memref<4xmemref<?xf64>>
    memref.dealloc %part : memref<?xf64>
  }
  %few = arith.cmpi sle, %n, %c100 : index
  cf.assert %few, "size overflow"
  func.return
}

// Near miss: what cannot fail inside is left on no other way, and needs no name for one.
// CHECK-LABEL: extern "C" int32_t nothing_fails(int64_t n, double *__restrict y) {
// CHECK-NEXT:    #pragma omp parallel for num_threads(4) schedule(static, 1)
// CHECK-NEXT:    for (int64_t worker = 0; worker < 4; worker++) {
// CHECK-NEXT:      y[worker] = 1.0;
// CHECK-NEXT:    }
// CHECK-NEXT:    if (n > 100) {
// CHECK-NEXT:      return 3;  // size overflow
func.func @nothing_fails(%n: index, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c100 = arith.constant 100 : index
  %one = arith.constant 1.0 : f64
  "scf.parallel"(%c0, %c4, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%worker: index):
    memref.store %one, %y[%worker] : memref<?xf64>
    scf.reduce
  }) : (index, index, index) -> ()
  %few = arith.cmpi sle, %n, %c100 : index
  cf.assert %few, "size overflow"
  func.return
}
