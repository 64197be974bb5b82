// The loops of STREAM by which the speed of memory is told.

#include <stdint.h>

extern "C" void copy(double *__restrict a, const double *__restrict b, int64_t n, int64_t threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t i = 0; i < n; i++) a[i] = b[i];
}

extern "C" void triad(double *__restrict a, const double *__restrict b, const double *__restrict c,
                      int64_t n, int64_t threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t i = 0; i < n; i++) a[i] = b[i] + 3.0 * c[i];
}
