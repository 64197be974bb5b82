"""`unroll-and-jam`: sums of rows of every length are what they were."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tamale as tm
from tamale.interpreters.checking import PassChecker
from tamale.passes import Pipeline
from tamale.passes.pipelines import TABLE

ROWS = "(i, j, k) -> (i : dense, j : dense, k : compressed)"
KERNELS: dict[str, dict[str, Any]] = {
    "Z(i,r) = Y(i,r) - A(i,j) * X(j,r)": {"A": "csr"},
    "Z(i,r) = max(0, sum(j, A(i,j) * X(j,r)) + b(r))": {"A": "dcsr"},
    "Z(i,r) = sum(j, A(i,j) * X(j,r)) * sum(j, B(i,j) * X(j,r))": {"A": "csr", "B": "ell"},
    "Z(i,r) = Y(i,r) + sum((j,k), T(i,j,k) * X(j,r) * V(k,r))": {"T": "csf"},
    "Z(i,r) = sum(j, X(j,r) * max(1, sum(k, T(i,j,k) * V(k,r))))": {"T": ROWS},
    "Z(i,r) = Y(i,r) + D(i,j) * X(j,r)": {},
}
LENGTHS = (0, 1, 3, 4, 15, 16, 31, 32, 47, 57, 64, 300)
"""Nothing, eighths of a tile, a half, whole ones, all of them and a rest."""


def before(name: str) -> str:
    """All passes up to this one, which is called with few elements."""
    names = TABLE.expand("compute")
    return ",".join([*names[: names.index("unroll-and-jam")], f"unroll-and-jam{{{name}}}"])


def is_jammed(module: Any) -> bool:
    return "memref<4xf64>" in str(module)


@pytest.mark.parametrize("statement", KERNELS)
def test_nothing_changes_but_the_order_of_elements(statement: str):
    """The interpreter, with tensors of all shapes."""
    module = tm.parse(statement, **KERNELS[statement])
    checker = PassChecker(module)
    Pipeline(before("elements=4")).run(module)
    assert is_jammed(module)
    assert (difference := checker.after("unroll-and-jam", module)) is None, str(difference)


def test_what_reads_no_rows_stays():
    for statement, formats in {
        "Z(i,r) = Y(i,r) - A(i,j) * X(j,r)": {"A": "csr", "X": "(j, r) -> (r : dense, j : dense)"},
        "y(i) = b(i) - A(i,j) * x(j)": {"A": "csr"},
        "Z(i,r) = M(i,r) * sum(k, U(i,k) * V(r,k))": {"M": "csr", "Z": "csr"},
    }.items():
        module = tm.parse(statement, **formats)
        Pipeline(before("elements=4")).run(module)
        assert not is_jammed(module)


def some(shape: tuple[int, ...], dtype: str, density: float, seed: int) -> NDArray[Any]:
    numbers = np.random.default_rng(seed)
    values = numbers.integers(-4, 5, shape) * (numbers.random(shape) < density)
    return values.astype(dtype)


@pytest.mark.parametrize(
    "dtype, threads", [("float64", 1), ("float64", 3), ("float32", 1), ("int32", 1)]
)
@pytest.mark.parametrize("length", LENGTHS)
def test_rows_of_all_lengths(dtype: str, threads: int, length: int):
    """Numbers are small and whole, so that every order of additions gives the same."""
    T, A = some((7, 6, 5), dtype, 0.2, 1), some((7, 6), dtype, 0.4, 2)
    B, X = some((7, 6), dtype, 0.4, 3), some((6, length), dtype, 1.0, 4)
    V, Y = some((5, length), dtype, 1.0, 5), some((7, length), dtype, 1.0, 6)
    b = some((length,), dtype, 1.0, 7)
    arrays = {"A": A, "B": B, "D": A, "T": T, "X": X, "V": V, "Y": Y, "b": b}
    inner = np.maximum(1, np.einsum("ijk,kr->ijr", T, V))
    expected = (
        Y - A @ X,
        np.maximum(0, A @ X + b),
        (A @ X) * (B @ X),
        Y + np.einsum("ijk,jr,kr->ir", T, X, V),
        np.einsum("jr,ijr->ir", X, inner),
        Y + A @ X,
    )
    for (statement, formats), wanted in zip(KERNELS.items(), expected, strict=True):
        kernel = tm.compile(statement, dtype=dtype, threads=threads, **formats)
        assert "_tile[" in kernel.cpp
        used = [name for name in arrays if f"{name}(" in statement]
        operands: Any = {n: tm.tensor(arrays[n], formats.get(n, "dense")) for n in used}
        np.testing.assert_array_equal(np.asarray(kernel(**operands)), wanted)


def test_results_that_have_values_already():
    """`F(i,r) = F(i,r) - ..` reads what it replaces."""
    statement = "F(i,r) = 2 * F(i,r) - A(i,j) * X(j,r)"
    kernel = tm.compile(statement, A="csr")
    A, X = some((7, 6), "float64", 0.4, 1), some((6, 37), "float64", 1.0, 2)
    F = some((7, 37), "float64", 1.0, 3)
    found = kernel(A=tm.tensor(A, "csr"), X=X, F=F)
    np.testing.assert_array_equal(np.asarray(found), 2 * F - A @ X)
