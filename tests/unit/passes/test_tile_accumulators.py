"""`tile-accumulators`: rows of every length are what they were."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tamale as tm
from tamale.interpreters.checking import PassChecker
from tamale.passes import Pipeline
from tamale.passes.pipelines import TABLE

FIBRES = "(i, j, r) -> (i : compressed, j : compressed, r : dense)"
KERNELS: dict[str, dict[str, Any]] = {
    "Z(i,r) = A(i,j) * X(j,r)": {"A": "csr"},
    "Z(i,r) = B(i,j) * X(j,r)": {"B": "bcsr(2,3)"},
    "Z(i,r) = D(i,j) * X(j,r)": {},
    "Z(i,r) = A(i,j) * X(j,r) * Y(i,r)": {"A": "dcsr"},
    "Z(i,r) = T(i,j,k) * X(j,r) * V(k,r)": {"T": "csf"},
    "Z(i,j,r) = T(i,j,k) * V(k,r)": {"T": "csf", "V": "dense", "Z": FIBRES},
}
LENGTHS = (1, 15, 16, 31, 32, 47, 50, 64, 81, 256, 257)
"""Nothing, half a tile, whole ones, all of them and a rest; 257 stays in memory."""


def road(options: str) -> str:
    """All passes, this one with options."""
    return ",".join(
        f"{name}{{{options}}}" if name == "tile-accumulators" else name
        for name in TABLE.expand("compute")
    )


def is_tiled(module: Any) -> bool:
    return "memref<4xf64>" in str(module)


@pytest.mark.parametrize("statement", KERNELS)
@pytest.mark.parametrize("longest", [5, 64])
def test_nothing_changes_but_where_elements_are(statement: str, longest: int):
    """The interpreter, with tensors of all shapes, also longer than what is tiled."""
    module = tm.parse(statement, **KERNELS[statement])
    checker = PassChecker(module)
    Pipeline(road(f"elements=4 longest={longest}")).run(module)
    assert is_tiled(module)
    assert (difference := checker.after("tile-accumulators", module)) is None, str(difference)


def test_what_is_no_row_is_not_tiled():
    for statement, formats in {
        "Z(i,r) = A(i,j) * X(j,r)": {"A": "csc"},
        "y(i) = A(i,j) * x(j)": {"A": "csr"},
        "Z(i,r) = A(i,j) * B(j,r)": {"A": "csr", "B": "csr", "Z": "csr"},
    }.items():
        module = tm.parse(statement, **formats)
        Pipeline(road("elements=4")).run(module)
        assert not is_tiled(module)


def some(shape: tuple[int, ...], dtype: str, density: float, seed: int) -> NDArray[Any]:
    numbers = np.random.default_rng(seed)
    values = numbers.integers(-9, 10, shape) * (numbers.random(shape) < density)
    return values.astype(dtype)


@pytest.mark.parametrize(
    "dtype, threads, number",
    [("float64", 1, 6), ("float64", 3, 6), ("float32", 1, 1), ("int32", 1, 1)],
)
@pytest.mark.parametrize("length", LENGTHS)
def test_rows_of_all_lengths(dtype: str, threads: int, number: int, length: int):
    """Numbers are small and whole, so that every order of additions gives the same."""
    T, A = some((7, 6, 5), dtype, 0.2, 1), some((7, 6), dtype, 0.4, 2)
    X, V = some((6, length), dtype, 1.0, 3), some((5, length), dtype, 1.0, 4)
    Y = some((7, length), dtype, 1.0, 5)
    arrays = {"A": A, "B": A, "D": A, "T": T, "X": X, "V": V, "Y": Y}
    expected = (A @ X, A @ X, A @ X, (A @ X) * Y)
    expected += (np.einsum("ijk,jr,kr->ir", T, X, V), np.einsum("ijk,kr->ijr", T, V))
    for statement, wanted in list(zip(KERNELS, expected, strict=True))[:number]:
        formats = KERNELS[statement]
        kernel = tm.compile(statement, dtype=dtype, threads=threads, **formats)
        used = [name for name in arrays if f"{name}(" in statement]
        operands: Any = {n: tm.tensor(arrays[n], formats.get(n, "dense")) for n in used}
        found = kernel(**operands)
        np.testing.assert_array_equal(np.asarray(found), wanted)


def test_complex_numbers_and_single_bytes_stay_in_memory():
    for dtype, tiled in {"complex128": False, "int16": False, "float32": True}.items():
        kernel = tm.compile("Z(i,r) = A(i,j) * X(j,r)", A="csr", dtype=dtype)
        assert ("tile[" in kernel.cpp) == tiled
