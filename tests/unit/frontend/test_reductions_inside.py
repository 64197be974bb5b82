"""Reductions inside of expressions are made no more often than their own variables change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from skewed import ODD, SQUARE

import tamale as tm

Array = NDArray[np.float64]


MATRIX: dict[str, Callable[[Array], Array]] = {
    "B(i,j) = A(i,j) * sum(k, A(i,k))": lambda A: A * A.sum(1, keepdims=True),
    "B(i,j) = A(i,j) * sum(k, A(k,j))": lambda A: A * A.sum(0, keepdims=True),
    "B(i,j) = A(i,j) * sum((k,l), A(k,l))": lambda A: A * A.sum(),
    "B(i,j) = A(i,j) * sum(k, A(i,k)) + A(i,j) * sum((l,m), A(l,m))": (
        lambda A: A * A.sum(1, keepdims=True) + A * A.sum()
    ),
}
SCALAR = "s = sum(i, sum(j, A(i,j)) * sum((k,l), A(k,l)))"
FORMATS = ("csr", "csc", "dcsr", "coo", "dense")


def loops_before(kernel: tm.Kernel, sum_of: str) -> int:
    """How many loops lie around the one that makes a sum."""
    lines = kernel.cin.splitlines()
    place = next(n for n, line in enumerate(lines) if f"+= {sum_of}" in line)
    depth, around = len(lines[place]) - len(lines[place].lstrip()), list[str]()
    for line in reversed(lines[:place]):
        indent = len(line) - len(line.lstrip())
        if indent < depth:
            depth = indent
            around.append(line.strip())
    return sum(line.startswith("cin.forall") for line in around) - 1


def test_a_sum_lies_outside_of_the_loops_that_it_does_not_need():
    rows = tm.compile("B(i,j) = A(i,j) / sum(k, A(i,k))", A="csr", B="csr")
    assert loops_before(rows, "A2(i,k)") == 1
    norm = tm.compile("y(i) = x(i) / sqrt(sum(j, x(j) * x(j)))")
    assert loops_before(norm, "x2(j)") == 0
    both = tm.compile("B(i,j) = D(i,j) * sum(k, D(i,k)) * sum((k,l), D(k,l))")
    assert loops_before(both, "D2(i,k)") == 1
    own = tm.compile("B(i,j) = M(i,j) * sum(k, X(i,k) * Y(k,j))", M="csr", B="csr")
    assert loops_before(own, "X(i,k)") == 2


def test_loops_are_in_an_order_in_which_a_sum_serves_long():
    columns = tm.compile("B(i,j) = D(i,j) * sum(k, D(k,j))")
    assert loops_before(columns, "D2(k,j)") == 1
    sparse = tm.compile("B(i,j) = A(i,j) * sum(k, A(k,j))", A="csr", B="csr")
    assert loops_before(sparse, "A_csc2(k,j)") == 1
    residual = tm.compile("y(i) = b(i) - A(i,j) * x(j)", A="csr")
    assert not residual.request.has_choices


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("statement", MATRIX)
@pytest.mark.parametrize("threads", [1, 3, 16])
def test_results(statement: str, format: str, threads: int):
    formats: Any = {"A": format, "B": format}
    kernel = tm.compile(statement, threads=threads, **formats)
    odd = {label: np.resize([0.0, 3.0, 0.0, 2.0, 1.0], shape) for label, shape in ODD.items()}
    for label, A in {**SQUARE, **odd}.items():
        found = kernel(A=tm.tensor(A, format))
        if isinstance(found, tm.Tensor):
            found.check()
        np.testing.assert_allclose(np.asarray(found), MATRIX[statement](A), 1e-12, err_msg=label)


@pytest.mark.parametrize("format", FORMATS)
def test_a_sum_of_products_of_sums(format: Any):
    """What all workers need is made by each; what they give is combined."""
    for threads in (1, 3, 16):
        kernel = tm.compile(SCALAR, threads=threads, A=format)
        for label, A in SQUARE.items():
            found = kernel(A=tm.tensor(A, format))
            np.testing.assert_allclose(float(found), A.sum() ** 2, 1e-12, err_msg=label)


def test_loops_around_a_sum_are_shared_with_those_beside_it():
    kernel = tm.compile("B(i,j) = A(i,j) / sum(k, A(i,k))", A="csr", B="csr", threads=4)
    assert "partitioned into 4 over i in U.i, j in A.j {" in kernel.cfir


def test_a_sum_in_a_sum_outside_of_all_loops():
    x, b = np.arange(1.0, 5), np.arange(3.0)
    for threads in (1, 3):
        kernel = tm.compile("y(i) = b(i) * sum(k, x(k) * sum(l, x(l)))", threads=threads)
        np.testing.assert_array_equal(kernel(x=x, b=b), b * x.sum() ** 2)


@pytest.mark.parametrize("j", [0, 2])
@pytest.mark.parametrize("factor", ["b(i)", "(b(i) - C(k,i))"])
def test_what_is_multiplied_with_a_reduction_of_nothing_is_not_needed(factor: str, j: int):
    formats: Any = {"A": "csf", "b": "csf", "C": "coo", "D": "dcsr"}
    random = np.random.default_rng(j)
    A = np.where(random.random((6, j, 5)) < 0.3, -random.random((6, j, 5)), 0)
    A[:3] = 0
    b, C, D = (np.round(random.random(s)) * 3.0 for s in ((5,), (6, 5), (5, 6)))
    given = {"A": A, "b": b, "C": C, "D": D}
    if factor == "b(i)":
        del given["C"], formats["C"]
    kernel = tm.compile(f"Z(i,k) = reduce(min, j, A(k,j,i)) * {factor} + D(i,k)", **formats)
    operands: Any = {name: tm.tensor(value, formats[name]) for name, value in given.items()}
    least = A.min(1).T if j else np.zeros((5, 6))
    by = b[:, None] - (C.T if "C" in given else 0)
    np.testing.assert_allclose(kernel(**operands), least * by + D)
