"""Kernels whose loops workers share give what serial ones give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from skewed import ODD, SIZE, SQUARE, scattered, third_order

import tamale as tm

SPMV, SPMM = "y(i) = A(i,j) * x(j)", "Z(i,k) = A(i,j) * X(j,k)"
SUM, PRODUCT = "Z(i,j) = A(i,j) + B(i,j)", "Z(i,j) = A(i,j) * B(i,j)"
FORMATS = ("csr", "dcsr", "coo", "csc", "csf", "dia", "ell", "skyline", "bcsr(2,2)", "dense")


SHAPES = {**SQUARE, **{label: np.ones(shape) for label, shape in ODD.items()}}


def operands(shape: str, format: str) -> dict[str, Any]:
    array = SHAPES[shape]
    if format == "skyline":
        array = np.tril(array)
    random = np.random.default_rng(3)
    columns = array.shape[1]
    return {
        "A": tm.tensor(array, format),
        "B": tm.tensor(random.random(array.shape) * (array > 1), "csr"),
        "x": random.random(columns),
        "X": random.random((columns, 3)),
    }


def check(expression: str, threads: int, formats: dict[str, Any], given: dict[str, Any]) -> None:
    serial = tm.compile(expression, **formats)
    parallel = tm.compile(expression, threads=threads, **formats)
    used = {operand.name: given[operand.name] for operand in serial.request.operands}
    wanted, result = serial(**used), parallel(**used)
    np.testing.assert_allclose(result, wanted, rtol=1e-13, atol=1e-13)
    assert np.array_equal(result, parallel(**used))  # The same bits each time.


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("expression", [SPMV, SPMM, SUM, PRODUCT])
def test_formats(expression: str, format: str):
    formats = {"A": format, "B": "csr"} if "B" in expression else {"A": format}
    for shape in SHAPES:
        check(expression, 4, formats, operands(shape, format))


@pytest.mark.parametrize("threads", [1, 2, 3, 7, 17])
def test_numbers_of_workers(threads: int):
    for shape in SHAPES:
        check(SPMV, threads, {"A": "csr"}, operands(shape, "csr"))
        check(SUM, threads, {"A": "dcsr", "B": "csr"}, operands(shape, "dcsr"))


STATEMENTS: dict[str, tuple[str, dict[str, Any]]] = {
    "scalar": ("s = A(i,j) * B(i,j)", {"A": "csr", "B": "csr"}),
    "dense scalar": ("s = x(i) * x(i)", {}),
    "greatest": ("y(i) max= A(i,j)", {"A": "dcsr"}),
    "accumulated": ("y(i) += A(i,j) * x(j)", {"A": "csr"}),
    "added to": ("y(i) = x(i) + A(i,j) * x(j)", {"A": "csr"}),
    "three merged": ("Z(i,j) = A(i,j) + B(i,j) + C(i,j)", dict.fromkeys("ABC", "dcsr")),
    "four mixed": ("Z(i,j) = (A(i,j) + B(i,j)) * (C(i,j) + D(i,j))", dict.fromkeys("ABCD", "csr")),
    "nothing at all": ("s = unless(a(i), X(i,j))", {"a": "csf"}),
    "without": ("Z(i,j) = unless(A(i,j), B(i,j))", dict.fromkeys("AB", "csr")),
    "broadcast": ("Z(i,j) = A(i,j) * x(j) + B(i,j)", dict.fromkeys("AB", "csr")),
    "transposed result": ("Z(j,i) = A(i,j) + B(i,j)", dict.fromkeys("AB", "csr")),
    "outer": ("Z(i,j) = a(i) * b(j)", dict.fromkeys("ab", "csf")),
    "column-major": (SPMM, {"A": "csr", "Z": "(i, k) -> (k : dense, i : dense)"}),
    "product": ("Z(i,k) = A(i,j) * B(j,k)", dict.fromkeys("AB", "csr")),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(name: str):
    expression, formats = STATEMENTS[name]
    for seed in range(6):
        array = scattered(seed, 0.1 + 0.15 * seed)
        array[seed] = 1.0
        others = {t: scattered(10 * seed + ord(t)) for t in "BCD"}
        named = {t: tm.tensor(a, formats.get(t, "dense")) for t, a in others.items()}
        vectors = {"a": tm.tensor(array[0], "csf"), "b": tm.tensor(array[seed], "csf")}
        dense = {"x": array[seed] + 0.5, "X": scattered(99), "y": array[1]}
        A = tm.tensor(array, formats.get("A", "dense"))
        check(expression, 3, formats, {"A": A, **named, **vectors, **dense})


@pytest.mark.parametrize("dtype", ["float32", "complex128", "int32"])
def test_element_types(dtype: str):
    array, x = scattered(5).round(1) * 10, np.arange(SIZE)
    kernel = tm.compile(SPMV, A="csr", dtype=dtype, threads=3)
    result = kernel(A=tm.tensor(array.astype(dtype), "csr"), x=x.astype(dtype))
    np.testing.assert_allclose(result, (array @ x).astype(dtype), rtol=1e-5)


HYBRID = "(i, j, k) -> (i : dense, j : compressed, k : compressed)"
CONTRACTIONS = {
    "mttkrp": "Z(i,r) = T(i,j,k) * X(j,r) * Y(k,r)",
    "ttv": "Z(i,j) = T(i,j,k) * x(k)",
    "ttm": "Z(i,j,r) = T(i,j,k) * X(k,r)",
    "inner": "s = T(i,j,k) * T(i,j,k)",
    "slices": "y(i) = T(i,j,k)",
}


@pytest.mark.parametrize("name", CONTRACTIONS)
@pytest.mark.parametrize("format", ["csf", "coo", HYBRID])
def test_tensors_of_order_three(format: str, name: str):
    random = np.random.default_rng(0)
    X, Y, x = random.random((SIZE, 4)), random.random((SIZE, 4)), random.random(SIZE)
    for threads in (2, 17):
        for T in third_order().values():
            given = {"T": tm.tensor(T, format), "X": X, "Y": Y, "x": x}
            check(CONTRACTIONS[name], threads, {"T": format}, given)


def test_entries_that_come_twice_stay_together():
    rows, columns = np.array([[0, 0, 0, 2, 2], [1, 1, 1, 0, 3]], np.int32)
    levels = [{"pos": np.array([0, 5], np.int32), "crd": rows}, {"crd": columns}]
    A = tm.Tensor(tm.formats.coo, (3, 4), levels, np.arange(1.0, 6.0))
    for threads in (2, 3, 5):
        assert tm.evaluate(SPMV, A=A, x=np.ones(4), threads=threads).tolist() == [6.0, 0.0, 9.0]


@pytest.mark.parametrize("threads", [0, -1, 1025, 2.0, True])
def test_numbers_that_are_none(threads: int):
    with pytest.raises(tm.TamaleError, match="threads: expected a whole number from 1 to 1024"):
        tm.compile(SPMV, A="csr", threads=threads)


def test_one_thread_changes_nothing():
    assert tm.compile(SPMV, A="csr", threads=1).cpp == tm.compile(SPMV, A="csr").cpp
    assert "omp" not in tm.compile(SPMV, A="csr").cpp


def test_what_cannot_be_shared_is_serial():
    serial = tm.compile("y(j) = A(i,j)", A="csr", y="csf")
    assert tm.compile("y(j) = A(i,j)", A="csr", y="csf", threads=4).cpp == serial.cpp
