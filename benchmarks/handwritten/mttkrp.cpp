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

// Sets `sum` to that of positions `first` up to `end` of a level; no fiber is empty.
static void fiber(const Csf *x, int64_t level, int32_t first, int32_t end, double *__restrict sum) {
  const int64_t rank = x->rank;
  const int32_t *__restrict crd = x->crd[level];
  const double *__restrict factor = x->factors[level];
  if (level == x->levels - 1) {
    const double *__restrict vals = x->vals;
    const double *__restrict row = factor + crd[first] * rank;
    for (int64_t r = 0; r < rank; r++) sum[r] = vals[first] * row[r];
    for (int32_t p = first + 1; p < end; p++) {
      const double *__restrict next = factor + crd[p] * rank;
      const double value = vals[p];
      for (int64_t r = 0; r < rank; r++) sum[r] += value * next[r];
    }
    return;
  }
  const int32_t *__restrict pos = x->pos[level + 1];
  double *__restrict below = x->sums[level];
  for (int32_t p = first; p < end; p++) {
    const double *__restrict row = factor + crd[p] * rank;
    fiber(x, level + 1, pos[p], pos[p + 1], below);
    if (p == first) {
      for (int64_t r = 0; r < rank; r++) sum[r] = below[r] * row[r];
    } else {
      for (int64_t r = 0; r < rank; r++) sum[r] += below[r] * row[r];
    }
  }
}

// The first mode stays; `out` has a row for each of its coordinates.
extern "C" void mttkrp(const Csf *x, int64_t rows, double *__restrict out) {
  for (int64_t k = 0; k < rows * x->rank; k++) out[k] = 0;
  for (int32_t p = 0; p < x->pos[0][1]; p++) {
    fiber(x, 1, x->pos[1][p], x->pos[1][p + 1], out + x->crd[0][p] * x->rank);
  }
}
