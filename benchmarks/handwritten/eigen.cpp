// Eigen on arrays that exist. What is made is Eigen's own, and belongs to the caller as a pointer.

#include <Eigen/SparseCore>
#include <cstdint>

namespace {
using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor, int32_t>;
using Columns = Eigen::SparseMatrix<double, Eigen::ColMajor, int32_t>;
using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A matrix as its owner keeps it.
struct Csr {
  int64_t rows, columns, entries;
  const int32_t *pos, *crd;
  const double *vals;

  Eigen::Map<const Rows> map() const { return {rows, columns, entries, pos, crd, vals}; }
};

// An iterator over three arrays, as `setFromTriplets` wants it.
struct Entry {
  const int32_t *i, *j;
  const double *x;
  int32_t row() const { return *i; }
  int32_t col() const { return *j; }
  double value() const { return *x; }
  const Entry *operator->() const { return this; }
  Entry &operator++() { return ++i, ++j, ++x, *this; }
  bool operator!=(const Entry &other) const { return i != other.i; }
};
}  // namespace

extern "C" void spmv(const Csr *a, const double *x, double *y) {
  Eigen::Map<Eigen::VectorXd>(y, a->rows).noalias() =
      a->map() * Eigen::Map<const Eigen::VectorXd>(x, a->columns);
}

extern "C" void spmm(const Csr *a, int64_t width, const double *x, double *y) {
  Eigen::Map<Dense>(y, a->rows, width).noalias() =
      a->map() * Eigen::Map<const Dense>(x, a->columns, width);
}

extern "C" Rows *add(const Csr *a, const Csr *b) { return new Rows(a->map() + b->map()); }

extern "C" Rows *multiply(const Csr *a, const Csr *b) {
  return new Rows(a->map().cwiseProduct(b->map()));
}

extern "C" Rows *product(const Csr *a, const Csr *b) { return new Rows(a->map() * b->map()); }

// The second operand is in CSC: its arrays are those of its transpose in CSR.
extern "C" Rows *add_csc(const Csr *a, const Csr *b_transposed) {
  return new Rows(a->map() + Rows(b_transposed->map().transpose()));
}

extern "C" Rows *galerkin(const Csr *p, const Csr *a) {
  return new Rows(p->map().transpose() * Rows(a->map() * p->map()));
}

extern "C" Columns *csr_csc(const Csr *a) { return new Columns(a->map()); }

extern "C" Rows *coo_csr(int64_t rows, int64_t columns, int64_t entries, const int32_t *i,
                         const int32_t *j, const double *x) {
  auto *made = new Rows(rows, columns);
  made->setFromTriplets(Entry{i, j, x}, Entry{i + entries, j + entries, x + entries});
  return made;
}

extern "C" void describe(const Rows *made, Csr *found) {
  *found = {made->rows(),          made->cols(),          made->nonZeros(),
            made->outerIndexPtr(), made->innerIndexPtr(), made->valuePtr()};
}

extern "C" void describe_columns(const Columns *made, Csr *found) {
  *found = {made->rows(),          made->cols(),          made->nonZeros(),
            made->outerIndexPtr(), made->innerIndexPtr(), made->valuePtr()};
}

extern "C" void destroy(const Rows *made) { delete made; }

extern "C" void destroy_columns(const Columns *made) { delete made; }
