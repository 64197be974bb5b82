// What an expert would write by hand: the matricised tensor times a Khatri-Rao product, over CSF, in
// SPLATT's way: sums of a fiber are multiplied once by the row of the factor above it.

#include <stdint.h>

enum { MOST_LEVELS = 8 };

struct Csf {
  int64_t levels, rank;
  const int32_t *pos[MOST_LEVELS], *crd[MOST_LEVELS];
  const double *vals, *factors[MOST_LEVELS];
  double *sums[MOST_LEVELS];  // A row for each level.
};

// Adds what is below positions `first` up to `end` of a level to `out`.
static void below(const Csf *x, int64_t level, int32_t first, int32_t end, double *__restrict out) {
  const int64_t rank = x->rank;
  const double *__restrict factor = x->factors[level];
  if (level == x->levels - 1) {
    for (int32_t p = first; p < end; p++) {
      const double *__restrict row = factor + x->crd[level][p] * rank;
      const double value = x->vals[p];
      for (int64_t r = 0; r < rank; r++) out[r] += value * row[r];
    }
    return;
  }
  double *__restrict sum = x->sums[level];
  for (int32_t p = first; p < end; p++) {
    for (int64_t r = 0; r < rank; r++) sum[r] = 0;
    below(x, level + 1, x->pos[level + 1][p], x->pos[level + 1][p + 1], sum);
    const double *__restrict row = factor + x->crd[level][p] * rank;
    for (int64_t r = 0; r < rank; r++) out[r] += sum[r] * row[r];
  }
}

// The first mode stays; `out` has a row for each of its coordinates.
extern "C" void mttkrp(const Csf *x, int64_t rows, double *__restrict out) {
  for (int64_t k = 0; k < rows * x->rank; k++) out[k] = 0;
  for (int32_t p = 0; p < x->pos[0][1]; p++) {
    below(x, 1, x->pos[1][p], x->pos[1][p + 1], out + x->crd[0][p] * x->rank);
  }
}
