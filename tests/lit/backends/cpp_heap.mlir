// RUN: tamale-opt %s -t cpp | filecheck %s

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
