// What an expert would write by hand for two threads: each has as many rows as the other.

#include <stdint.h>

extern "C" void spmv_rows(int64_t threads, int64_t rows, const int32_t *__restrict pos,
                          const int32_t *__restrict crd, const double *__restrict vals,
                          const double *__restrict x, double *__restrict y) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t i = 0; i < rows; i++) {
    double sum = 0;
    for (int32_t p = pos[i]; p < pos[i + 1]; p++) sum += vals[p] * x[crd[p]];
    y[i] = sum;
  }
}

extern "C" void spmm_rows(int64_t threads, int64_t rows, int64_t width,
                          const int32_t *__restrict pos, const int32_t *__restrict crd,
                          const double *__restrict vals, const double *__restrict x,
                          double *__restrict y) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t i = 0; i < rows; i++) {
    double *__restrict row = y + i * width;
    for (int64_t k = 0; k < width; k++) row[k] = 0;
    for (int32_t p = pos[i]; p < pos[i + 1]; p++) {
      for (int64_t k = 0; k < width; k++) row[k] += vals[p] * x[crd[p] * width + k];
    }
  }
}
