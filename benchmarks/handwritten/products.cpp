// What an expert would write by hand: products of two matrices in CSR, row by row after Gustavson.

#include <stdint.h>

// How many entries the product has; `seen` has an element per column, all of them -1.
extern "C" int64_t count_product(int64_t rows, const int32_t *__restrict a_pos,
                                 const int32_t *__restrict a_crd, const int32_t *__restrict b_pos,
                                 const int32_t *__restrict b_crd, int32_t *__restrict seen) {
  int64_t count = 0;
  for (int64_t i = 0; i < rows; i++) {
    for (int32_t p = a_pos[i]; p < a_pos[i + 1]; p++) {
      int32_t k = a_crd[p];
      for (int32_t q = b_pos[k]; q < b_pos[k + 1]; q++) {
        int32_t j = b_crd[q];
        count += seen[j] != i;
        seen[j] = i;
      }
    }
  }
  return count;
}

// SPARSKIT's way, its `amub`: sums are kept where the entry stands, and `place` tells where, or -1.
extern "C" void multiply(int64_t rows, const int32_t *__restrict a_pos,
                         const int32_t *__restrict a_crd, const double *__restrict a_vals,
                         const int32_t *__restrict b_pos, const int32_t *__restrict b_crd,
                         const double *__restrict b_vals, int32_t *__restrict c_pos,
                         int32_t *__restrict c_crd, double *__restrict c_vals,
                         int32_t *__restrict place) {
  int32_t end = c_pos[0] = 0;
  for (int64_t i = 0; i < rows; i++) {
    for (int32_t p = a_pos[i]; p < a_pos[i + 1]; p++) {
      int32_t k = a_crd[p];
      double a = a_vals[p];
      for (int32_t q = b_pos[k]; q < b_pos[k + 1]; q++) {
        int32_t j = b_crd[q], at = place[j];
        if (at < 0) {
          place[j] = end;
          c_crd[end] = j;
          c_vals[end++] = a * b_vals[q];
        } else {
          c_vals[at] += a * b_vals[q];
        }
      }
    }
    for (int32_t r = c_pos[i]; r < end; r++) place[c_crd[r]] = -1;
    c_pos[i + 1] = end;
  }
}

static void insertion_sort(int32_t *crd, int64_t count) {
  for (int64_t r = 1; r < count; r++) {
    int32_t own = crd[r];
    int64_t s = r;
    for (; s > 0 && crd[s - 1] > own; s--) crd[s] = crd[s - 1];
    crd[s] = own;
  }
}

// Quicksort by the median of three; insertion sort of what is short.
static void sort(int32_t *crd, int64_t count) {
  while (count > 32) {
    int32_t a = crd[0], b = crd[count / 2], c = crd[count - 1];
    int32_t middle = a < b ? (b < c ? b : (a < c ? c : a)) : (a < c ? a : (b < c ? c : b));
    int64_t low = 0, high = count - 1;
    while (low <= high) {
      while (crd[low] < middle) low++;
      while (crd[high] > middle) high--;
      if (low > high) break;
      int32_t other = crd[low];
      crd[low++] = crd[high];
      crd[high--] = other;
    }
    sort(crd + low, count - low);
    count = high + 1;
  }
  insertion_sort(crd, count);
}

// With sorted rows: coordinates are sorted, then sums taken from a dense row in their order.
extern "C" void multiply_sorted(int64_t rows, const int32_t *__restrict a_pos,
                                const int32_t *__restrict a_crd, const double *__restrict a_vals,
                                const int32_t *__restrict b_pos, const int32_t *__restrict b_crd,
                                const double *__restrict b_vals, int32_t *__restrict c_pos,
                                int32_t *__restrict c_crd, double *__restrict c_vals,
                                int32_t *__restrict seen, double *__restrict sums) {
  int32_t end = c_pos[0] = 0;
  for (int64_t i = 0; i < rows; i++) {
    for (int32_t p = a_pos[i]; p < a_pos[i + 1]; p++) {
      int32_t k = a_crd[p];
      double a = a_vals[p];
      for (int32_t q = b_pos[k]; q < b_pos[k + 1]; q++) {
        int32_t j = b_crd[q];
        if (seen[j] != i) {
          seen[j] = i;
          c_crd[end++] = j;
          sums[j] = a * b_vals[q];
        } else {
          sums[j] += a * b_vals[q];
        }
      }
    }
    sort(c_crd + c_pos[i], end - c_pos[i]);
    for (int32_t r = c_pos[i]; r < end; r++) c_vals[r] = sums[c_crd[r]];
    c_pos[i + 1] = end;
  }
}
