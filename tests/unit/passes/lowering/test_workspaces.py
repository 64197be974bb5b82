"""Lists of entries, compared with NumPy: each search, with and without order, every type."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

import tamale as tm
from tamale.backends.cpp.flags import REQUIRED_FLAGS
from tamale.backends.jit.compiler import find_compiler
from tamale.backends.jit.library import NativeKernel, load
from tamale.dialects.format.search import Search
from tamale.frontend.kernel import Kernel
from tamale.frontend.request import make_request
from tamale.frontend.stages import Stages

Array: TypeAlias = NDArray[Any]

FLAGS = (*REQUIRED_FLAGS, "-O0", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror")
ROWS = "(i, j) -> (i : dense, j : compressed(nonordered))"
PRODUCT = "Z(i,j) = A(i,k) * B(k,j)"


class SearchingStages(Stages):
    """The stages of a request whose lists are searched in one of the ways."""

    search: Search = "dense"

    def run(self, passes: Sequence[str], module: Any) -> None:
        chosen = f"insert-workspaces{{search={self.search}}}"
        super().run([chosen if p == "insert-workspaces" else p for p in passes], module)


class HashedStages(SearchingStages):
    search = "hash"


STAGES = {"dense": SearchingStages, "hash": HashedStages}


@dataclass(frozen=True)
class ListKernel(Kernel):
    """A kernel that is compiled into a folder of its own."""

    folder: Path
    search: Search
    edit: Callable[[str], str] = str
    """Applied to the C++ before it is compiled."""

    @cached_property
    def stages(self) -> Stages:
        return STAGES[self.search](self.request)

    @cached_property
    def native(self) -> NativeKernel:
        self.folder.mkdir(parents=True, exist_ok=True)
        library = self.folder / "kernel.so"
        find_compiler().compile(self.edit(self.cpp), library, FLAGS)
        return load(library, self.request.name, self.parameters())


@pytest.fixture(params=["dense", "hash"], scope="module")
def compiled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., ListKernel]:
    """`compiled(statement, types, A="csr", ..)`: a kernel whose lists are searched in one way."""
    folder, made = tmp_path_factory.mktemp(request.param), dict[str, ListKernel]()

    def build(statement: str, types: dict[str, str] | None = None, **formats: str) -> ListKernel:
        asked = f"{statement} {types} {formats}"
        if asked not in made:
            wanted = make_request(statement, formats, types or {})
            made[asked] = ListKernel(wanted, folder / str(len(made)), request.param)
            assert re.search(f"producing w\\(\\w\\) : {request.param}", made[asked].cfir)
        return made[asked]

    return build


Compiled: TypeAlias = Callable[..., ListKernel]


def random(shape: tuple[int, ...], density: float, seed: int, dtype: str = "float64") -> Array:
    """Small whole numbers, so that every type adds them up exactly."""
    generator = np.random.default_rng(seed)
    values = generator.integers(1, 5, shape) * (generator.random(shape) < density)
    if dtype.startswith("complex"):
        return (values * (1 - 2j)).astype(dtype)
    return values.astype(dtype)


def product_of(kernel: ListKernel, A: Array, B: Array, fa: str = "csr", fb: str = "csr") -> Any:
    result = kernel(A=tm.tensor(A, fa), B=tm.tensor(B, fb))
    return result.check()


def same_structure(result: Any, A: Array, B: Array) -> bool:
    """Whether the result stores exactly the entries that some product adds to."""
    count = np.count_nonzero((A != 0).astype(int) @ (B != 0).astype(int))
    return len(result.vals) == count


@pytest.mark.parametrize("out", ["csr", ROWS, "dcsr", "coo", "csr, pos = i64, crd = i64"])
def test_products_into_every_format_of_rows(compiled: Compiled, out: str):
    kernel = compiled(PRODUCT, A="csr", B="csr", Z=out)
    for seed, (rows, inner, columns) in enumerate(
        [(9, 7, 8), (1, 30, 5), (20, 3, 1), (12, 12, 12)]
    ):
        A, B = random((rows, inner), 0.3, seed), random((inner, columns), 0.3, seed + 50)
        result = product_of(kernel, A, B)
        assert np.array_equal(result.to_numpy(), A @ B)
        assert same_structure(result, A, B)


@pytest.mark.parametrize("columns", [63, 64, 65, 300, 5000])
@pytest.mark.parametrize("out", ["csr", ROWS])
def test_long_rows(compiled: Compiled, columns: int, out: str):
    """Rows long enough for every way to sort, for tables that grow, and for several digits."""
    kernel = compiled(PRODUCT, A="csr", B="csr", Z=out)
    A, B = random((4, 40), 0.5, 1), random((40, columns), 0.2, 2)
    A[2], B[:, 0] = 0, 1  # An empty row between full ones; a column that every row has.
    result = product_of(kernel, A, B)
    assert np.array_equal(result.to_numpy(), A @ B)
    assert same_structure(result, A, B)


def test_rows_that_arrive_in_reverse(compiled: Compiled):
    kernel = compiled(PRODUCT, A="csr", B="csr", Z="csr")
    for length in (2, 17, 64, 65, 200):
        A, B = np.ones((1, length)), np.fliplr(np.eye(length))
        assert np.array_equal(product_of(kernel, A, B).to_numpy(), A @ B)


DTYPES = ["float64", "float32", "complex128", "complex64", "int64", "int32", "int16", "int8"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_type(compiled: Compiled, dtype: str):
    kernel = compiled(PRODUCT, {"A": dtype, "B": dtype}, A="csr", B="csr", Z="csr")
    A, B = random((6, 9), 0.3, 3, dtype), random((9, 90), 0.3, 4, dtype)
    result = product_of(kernel, A, B)
    assert result.to_numpy().dtype == np.dtype(dtype)
    assert np.array_equal(result.to_numpy(), A @ B)


@pytest.mark.parametrize("shape", [(0, 3, 4), (3, 0, 4), (3, 4, 0), (0, 0, 0), (2, 3, 4)])
def test_nothing_to_insert(compiled: Compiled, shape: tuple[int, int, int]):
    rows, inner, columns = shape
    kernel = compiled(PRODUCT, A="csr", B="csr", Z="csr")
    result = product_of(kernel, np.zeros((rows, inner)), np.zeros((inner, columns)))
    assert result.shape == (rows, columns)
    assert len(result.vals) == 0


def test_a_vector_collects_all_rows(compiled: Compiled):
    kernel = compiled("z(j) = A(i,j) * x(i)", A="csr", x="dense", z="csf")
    A, x = random((30, 200), 0.1, 5), np.arange(1.0, 31.0)
    result = kernel(A=tm.tensor(A, "csr"), x=x).check()
    assert np.array_equal(result.to_numpy(), A.T @ x)
    assert len(result.vals) == np.count_nonzero(A.any(0))


def test_third_order(compiled: Compiled):
    kernel = compiled("Z(i,j,l) = X(i,j,k) * B(k,l)", X="csf", B="csr", Z="csf")
    X, B = random((4, 5, 6), 0.3, 6), random((6, 7), 0.3, 7)
    result = kernel(X=tm.tensor(X, "csf"), B=tm.tensor(B, "csr")).check()
    assert np.array_equal(result.to_numpy(), np.einsum("ijk,kl->ijl", X, B))


def test_a_sum_inside_of_a_list(compiled: Compiled):
    """What is summed inside and meets nothing is no entry."""
    kernel = compiled("Z(i,j) = A(i,k) * X(k,j,l) * v(l)", A="csr", X="csf", v="csf", Z="csr")
    A, X, v = random((5, 6), 0.4, 8), random((6, 7, 8), 0.2, 9), random((8,), 0.3, 10)
    result = kernel(A=tm.tensor(A, "csr"), X=tm.tensor(X, "csf"), v=tm.tensor(v, "csf")).check()
    assert np.array_equal(result.to_numpy(), np.einsum("ik,kjl,l->ij", A, X, v))
    met = np.einsum("ik,kjl,l->ij", A != 0, X != 0, v != 0, dtype=int)
    assert len(result.vals) == np.count_nonzero(met)


def test_a_union_inside_of_a_list(compiled: Compiled):
    kernel = compiled("Z(i,j) = (A(i,k) + C(i,k)) * B(k,j)", A="csr", C="csr", B="csr", Z="csr")
    A, C, B = random((5, 6), 0.3, 11), random((5, 6), 0.3, 12), random((6, 9), 0.3, 13)
    result = kernel(A=tm.tensor(A, "csr"), C=tm.tensor(C, "csr"), B=tm.tensor(B, "csr"))
    assert np.array_equal(result.check().to_numpy(), (A + C) @ B)


@pytest.mark.parametrize("out", ["csr", ROWS, "dcsr", "coo"])
def test_results_that_outgrow_their_room(compiled: Compiled, out: str):
    """Two operands are merged above the list: nothing is counted before."""
    kernel = compiled(PRODUCT, A="csr", B="dcsr", Z=out)
    assert "visits" not in kernel.cpp
    A, B = random((20, 30), 0.3, 16), random((30, 90), 0.2, 17)
    result = product_of(kernel, A, B, fb="dcsr")
    assert np.array_equal(result.to_numpy(), A @ B)
    assert same_structure(result, A, B)


def test_zeros_that_cancel_are_kept(compiled: Compiled):
    kernel = compiled(PRODUCT, A="csr", B="csr", Z="csr")
    A, B = np.array([[1.0, 1.0]]), np.array([[2.0, 0.0], [-2.0, 3.0]])
    result = product_of(kernel, A, B)
    assert result.levels[1]["crd"].tolist() == [0, 1]
    assert result.vals.tolist() == [0.0, 3.0]


def test_positions_start_over_before_slots_overflow(tmp_path: Path):
    """The limit is lowered in the C++, so that a small product comes to it again and again."""
    request = make_request(PRODUCT, {"A": "csr", "B": "csr", "Z": "csr"}, {}, assembly="count")
    lowered: list[int] = []

    def lower(text: str) -> str:
        edited, count = re.subn(r"(w_base(?:_2)? > )INT32_MAX( - B_dim2)", r"\g<1>30\2", text)
        lowered.append(count)
        return edited

    kernel = ListKernel(request, tmp_path / "kernel", "dense", lower)
    A, B = random((40, 12), 0.3, 14), random((12, 16), 0.3, 15)
    assert np.array_equal(product_of(kernel, A, B).to_numpy(), A @ B)
    assert lowered == [2]  # Where entries are counted, and where they are filled in.


def test_wide_slots_do_not_start_over(tmp_path: Path):
    formats = {"A": "csr", "B": "csr", "Z": "csr, crd = i64"}
    request = make_request(PRODUCT, formats, {}, assembly="count")
    kernel = ListKernel(request, tmp_path / "kernel", "dense")
    assert "int64_t *w_slots" in kernel.cpp
    assert re.findall(r"(\w+_base\w*) >", kernel.cpp) == ["w_base"]  # The counts need no width.


def test_a_mode_that_no_operand_has():
    """Its loop cannot be counted before the result is there."""
    kernel = tm.compile("Z(i,j) = A(j,l) * b(l)", A="dcsr", b="csf", Z="dcsr")
    A, b = random((7, 4), 0.5, 3), np.array([1.0, 0, 2, 3])
    result = kernel(A=tm.tensor(A, "dcsr"), b=tm.tensor(b, "csf"), shape=(3, 7))
    assert np.array_equal(result.to_numpy(), np.tile(A @ b, (3, 1)))


@pytest.mark.parametrize("operator", ["max", "min", "mul"])
def test_operators_under_which_absent_entries_count_are_refused(operator: str):
    """Unless B is converted, so that the reduction is innermost."""
    statement = f"Z(i,j) = reduce({operator}, k, A(i,k) * B(k,j))"
    assert tm.compile(statement, A="csr", B="csr", Z="csr").cpp
    with pytest.raises(tm.ScheduleError, match=f"absent ones count under '{operator}'"):
        tm.compile(statement, A="csr", B="csr", Z="csr", conversions=False)


DRIVER = """
#include <vector>

using Rows = std::vector<std::vector<double>>;

struct Csr {
  std::vector<int32_t> pos{0}, crd;
  std::vector<double> vals;
};

static Csr store(const Rows &dense) {
  Csr made;
  for (const auto &row : dense) {
    for (size_t j = 0; j < row.size(); j++)
      if (row[j] != 0) made.crd.push_back(j), made.vals.push_back(row[j]);
    made.pos.push_back(made.crd.size());
  }
  return made;
}

static uint32_t state = 1;

static Rows random_rows(int64_t rows, int64_t columns, uint32_t filled) {
  Rows made(rows, std::vector<double>(columns));
  for (auto &row : made)
    for (auto &value : row) {
      state = state * 1664525u + 1013904223u;
      if ((state >> 8) % 100 < filled) value = 1 + (state >> 20) % 4;
    }
  return made;
}

static int check(int64_t n, int64_t m, int64_t o, uint32_t filled) {
  const Rows a = random_rows(n, m, filled), b = random_rows(m, o, filled);
  const Csr A = store(a), B = store(b);
  int32_t *pos, *crd;
  double *vals;
  if (product(n, m, A.pos.data(), A.crd.data(), A.vals.data(), m, o, B.pos.data(), B.crd.data(),
              B.vals.data(), n, o, &pos, &crd, &vals))
    return 1;
  Rows expected(n, std::vector<double>(o));
  for (int64_t i = 0; i < n; i++)
    for (int64_t k = 0; k < m; k++)
      for (int64_t j = 0; j < o; j++) expected[i][j] += a[i][k] * b[k][j];
  for (int64_t i = 0; i < n; i++)
    for (int32_t p = pos[i]; p < pos[i + 1]; p++) expected[i][crd[p]] -= vals[p];
  for (const auto &row : expected)
    for (double rest : row)
      if (rest != 0) return 2;
  product_free(pos), product_free(crd), product_free(vals);
  return 0;
}

int main() {
  for (uint32_t filled : {0, 5, 30, 100})
    for (int64_t n : {0, 1, 13})
      for (int64_t m : {0, 1, 40})
        for (int64_t o : {0, 1, 70, 700})
          if (int failed = check(n, m, o, filled)) return failed;
  return 0;
}
"""


@pytest.mark.parametrize("out", ["csr", ROWS])
@pytest.mark.parametrize("search", ["dense", "hash"])
def test_clean_under_sanitizers(tmp_path: Path, search: str, out: str):
    request = make_request(PRODUCT, {"A": "csr", "B": "csr", "Z": out}, {}, name="product")
    program = tmp_path / "program"
    flags = (*REQUIRED_FLAGS, "-O1", "-g1", "-fsanitize=address,undefined")
    compiler = find_compiler()
    compiler.compile(STAGES[search](request).cpp + DRIVER, program, flags)
    ran = subprocess.run([program], capture_output=True, text=True, timeout=120, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
