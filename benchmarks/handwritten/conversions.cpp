// What an expert would write by hand where no library has a conversion; the caller allocates.

#include <stdint.h>

// How many entries the longest row has.
extern "C" int64_t csr_width(int64_t rows, const int32_t *pos) {
  int64_t width = 0;
  for (int64_t i = 0; i < rows; i++) {
    int64_t own = pos[i + 1] - pos[i];
    if (own > width) width = own;
  }
  return width;
}

// ELL, column by column; `ell_crd` and `ell_vals` are zeroed.
extern "C" void csr_ell(int64_t rows, const int32_t *__restrict pos, const int32_t *__restrict crd,
                        const double *__restrict vals, int32_t *__restrict ell_crd,
                        double *__restrict ell_vals) {
  for (int64_t i = 0; i < rows; i++) {
    int64_t place = i;
    for (int32_t p = pos[i]; p < pos[i + 1]; p++, place += rows) {
      ell_crd[place] = crd[p];
      ell_vals[place] = vals[p];
    }
  }
}

// Numbers the diagonals with entries in `ranks`, which has a zeroed element per diagonal, and writes
// them to `diagonals`, as far as `room` goes; returns how many there are.
extern "C" int64_t csr_diagonals(int64_t rows, int64_t columns, const int32_t *__restrict pos,
                                 const int32_t *__restrict crd, int32_t *__restrict ranks,
                                 int32_t *__restrict diagonals, int64_t room) {
  for (int64_t i = 0; i < rows; i++) {
    for (int32_t p = pos[i]; p < pos[i + 1]; p++) ranks[crd[p] - i + rows - 1] = 1;
  }
  int32_t count = 0;
  for (int64_t d = 0; d < rows + columns - 1; d++) {
    if (!ranks[d]) continue;
    if (count < room) diagonals[count] = d - rows + 1;
    ranks[d] = count++;
  }
  return count;
}

// DIA, by rows; `dia_vals` is zeroed.
extern "C" void csr_dia(int64_t rows, const int32_t *__restrict pos, const int32_t *__restrict crd,
                        const double *__restrict vals, const int32_t *__restrict ranks,
                        double *__restrict dia_vals) {
  for (int64_t i = 0; i < rows; i++) {
    for (int32_t p = pos[i]; p < pos[i + 1]; p++) {
      dia_vals[(int64_t)ranks[crd[p] - i + rows - 1] * rows + i] = vals[p];
    }
  }
}
