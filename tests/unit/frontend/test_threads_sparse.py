"""Sparse results that workers assemble in parts are those of serial kernels, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from skewed import ODD, SIZE, SQUARE, scattered, third_order

import tamale as tm

SUM, SAMPLED = "Z(i,j) = A(i,j) + B(i,j)", "Z(i,j) = A(i,j) * X(i,k) * Y(k,j)"
WITHOUT = "Z(i,j) = unless(A(i,j), B(i,j))"
MEET, PRODUCT = "Z(i,j) = A(i,j) * B(i,j)", "Z(i,k) = A(i,j) * B(j,k)"


def given(shape: str) -> dict[str, NDArray[np.float64]]:
    random = np.random.default_rng(3)
    array = SQUARE[shape]
    others = {name: scattered(ord(name)) for name in "BCD"}
    others["B"] *= array < 2
    factors = {"X": random.random((SIZE, 2)), "Y": random.random((2, SIZE)), "x": array[4]}
    return {"A": array, **others, **factors, "a": array[4], "b": scattered(5)[0]}


def same(one: Any, other: Any) -> bool:
    """Whether two tensors have the same arrays."""
    one.check()
    ours = [one.vals, *(array for level in one.levels for array in level.values())]
    theirs = [other.vals, *(array for level in other.levels for array in level.values())]
    pairs = list(zip(ours, theirs, strict=True))
    return all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in pairs)


def check(
    statement: str,
    formats: dict[str, Any],
    arrays: Any,
    threads: tuple[int, ...],
    assembly: str | None = None,
) -> None:
    """Compares results for each number of workers; `arrays` has operands for each case."""
    serial = tm.compile(statement, **formats)
    names = [operand.name for operand in serial.request.operands]
    for count in threads:
        shared = tm.compile(statement, threads=count, assembly=assembly, **formats)
        assert ("num_threads" in shared.cpp) == (count > 1)
        for case, by_name in arrays.items():
            operands: dict[str, Any] = {
                n: tm.tensor(by_name[n], formats.get(n, "dense")) for n in names
            }
            assert same(shared(**operands), serial(**operands)), (case, count)


ALL = {shape: given(shape) for shape in SQUARE}
CASES: dict[str, tuple[str, dict[str, str]]] = {
    "sum, csr": (SUM, {"A": "csr", "B": "csr", "Z": "csr"}),
    "sum, rows skipped": (SUM, {"A": "dcsr", "B": "dcsr", "Z": "csr"}),
    "sum, dcsr": (SUM, {"A": "dcsr", "B": "csr", "Z": "dcsr"}),
    "sum, coo": (SUM, {"A": "coo", "B": "dcsr", "Z": "coo"}),
    "sum, csc": (SUM, {"A": "csc", "B": "csc", "Z": "csc"}),
    "intersection, dcsr": (MEET, {"A": "dcsr", "B": "dcsr", "Z": "dcsr"}),
    "intersection, coo": (MEET, {"A": "coo", "B": "csr", "Z": "csr"}),
    "intersection, rows located": (MEET, {"A": "dcsr", "B": "csr", "Z": "dcsr"}),
    "row scaled": ("Z(i,j) = a(i) * A(i,j)", {"a": "csf", "A": "csr", "Z": "csr"}),
    "four operands": (
        "Z(i,j) = (A(i,j) + B(i,j)) * (C(i,j) + D(i,j))",
        {"A": "csr", "B": "dcsr", "C": "csr", "D": "dcsr", "Z": "dcsr"},
    ),
    "product, csr": (PRODUCT, {"A": "csr", "B": "csr", "Z": "csr"}),
    "product, dcsr": (PRODUCT, {"A": "dcsr", "B": "csr", "Z": "dcsr"}),
    "product, unordered": (
        PRODUCT,
        {"A": "csr", "B": "csr", "Z": "(i, k) -> (i : dense, k : compressed(nonordered))"},
    ),
    "without": (WITHOUT, {"A": "csr", "B": "csr", "Z": "csr"}),
    "without, dcsr": (WITHOUT, dict.fromkeys("ABZ", "dcsr")),
    "sampled, dcsr": (SAMPLED, {"A": "dcsr", "Z": "dcsr"}),
    "sampled": (SAMPLED, {"A": "csr", "Z": "csr"}),
    "diagonals": ("Z(i,j) = A(i,j)", {"A": "ell", "Z": "csr"}),
    "vector": ("z(i) = a(i) + b(i)", {"a": "csf", "b": "csf", "z": "csf"}),
    "sums of rows": ("y(i) = A(i,j) * x(j)", {"A": "dcsr", "y": "csf"}),
    "outer, grows": ("Z(i,j) = A(i,j) * b(j) + a(i) * b(j)", dict.fromkeys("AbZa", "csf")),
    "temporary": ("Z(i,l) = A(i,j) * B(j,k) * C(k,l)", dict.fromkeys("ABCZ", "csr")),
}


@pytest.mark.parametrize("name", CASES)
def test_statements(name: str):
    check(*CASES[name], ALL, (3,))


@pytest.mark.parametrize("name", ["sum, csr", "sum, dcsr", "product, csr"])
def test_numbers_of_workers(name: str):
    check(*CASES[name], ALL, (1, 2, 7, 17))


@pytest.mark.parametrize("name", ["sum, csr", "sum, rows skipped", "product, csr"])
def test_counted_first(name: str):
    check(*CASES[name], ALL, (3,), assembly="count")


def test_counted_by_the_rule():
    formats = dict.fromkeys("abZ", "csf") | {"Z": "csr"}
    check("Z(i,j) = a(i) * b(j)", formats, ALL, (3,))


def test_counted_below_sparse_levels():
    formats: dict[str, Any] = dict.fromkeys("ABZ", "dcsr")
    one, three = (tm.compile(SUM, assembly="count", threads=n, **formats) for n in (1, 3))
    assert one.cpp == three.cpp


@pytest.mark.parametrize("name", ["B", "Z_visits"])
def test_what_a_product_multiplies_is_counted(name: str):
    """Whatever its operands are called; in rows of all lengths, and where there are none."""
    statement = f"Z(i,k) = A(i,j) * {name}(j,k)"
    formats: dict[str, Any] = dict.fromkeys(("A", name, "Z"), "csr")
    assert "counting k in" in tm.compile(statement, threads=3, **formats).cfir
    shapes = ((SIZE, SIZE), (0, SIZE), (SIZE, 0), (1, 30), (30, 1))
    arrays = {
        str(shape): {"A": np.ones(shape) * (np.arange(shape[1]) % 3 > 0), name: np.eye(shape[1], 5)}
        for shape in shapes
    }
    check(statement, formats, arrays, (3, 16))


def test_what_a_sum_of_a_row_multiplies_is_counted():
    statement = "y(i) = sqrt(sum(j, sum(k, A(i,j) * B(j,k))))"
    one, three = (tm.compile(statement, threads=n, A="csr", B="csr") for n in (1, 3))
    assert "weighed by j in A.j counting k in B.k" in three.cfir
    A, B = (tm.tensor(scattered(seed), "csr") for seed in (1, 2))
    np.testing.assert_array_equal(three(A=A, B=B), one(A=A, B=B))


@pytest.mark.parametrize("format", ["csr", "dcsr", "coo"])
def test_odd_shapes(format: str):
    arrays = {name: {"A": np.ones(shape), "B": np.eye(*shape)} for name, shape in ODD.items()}
    check(SUM, dict.fromkeys("ABZ", format), arrays, (5,))


HYBRID = "(i, j, k) -> (i : dense, j : compressed, k : compressed)"
PLANES = "(i, j, k) -> (i : dense, j : dense, k : compressed)"


@pytest.mark.parametrize("format", ["csf", "coo", HYBRID, PLANES])
def test_tensors_of_order_three(format: str):
    others = {"A": scattered(7, 0.2, 3), "B": scattered(8, 0.1, 3)}
    arrays = {label: {"A": T, "B": others["B"]} for label, T in third_order().items()}
    arrays |= {f"{label}, behind": {"A": others["A"], "B": T} for label, T in third_order().items()}
    formats = dict.fromkeys("ABZ", format)
    check("Z(i,j,k) = A(i,j,k) + B(i,j,k)", formats, arrays, (3, 16))


@pytest.mark.parametrize("format", ["csf", "coo", HYBRID])
def test_nothing_to_do_below_two_dense_levels(format: str):
    shapes = ((SIZE, SIZE, SIZE), (0, 3, 2), (3, 0, 2), (3, 2, 0))
    arrays = {str(shape): {"A": np.zeros(shape), "B": np.zeros(shape)} for shape in shapes}
    formats = {"A": format, "B": format, "Z": PLANES}
    check("Z(i,j,k) = A(i,j,k) + B(i,j,k)", formats, arrays, (2, 5))


def test_entries_that_come_twice_stay_together():
    rows, columns = np.array([[0, 0, 0, 2, 2], [1, 1, 1, 0, 3]], np.int32)
    levels = [{"pos": np.array([0, 5], np.int32), "crd": rows}, {"crd": columns}]
    copies = "(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))"
    A = tm.Tensor(tm.resolve_format(copies, 2), (3, 4), levels, np.arange(1.0, 6.0))
    B = tm.tensor(np.eye(3, 4), "csr")
    serial = tm.evaluate(SUM, A=A, B=B, out="dcsr")
    for threads in (2, 5):
        assert same(tm.evaluate(SUM, A=A, B=B, out="dcsr", threads=threads), serial)
