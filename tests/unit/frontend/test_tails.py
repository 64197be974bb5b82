"""Results whose last levels are dense below sparse ones: they are accumulated in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tamale as tm
from tamale.dialects.errors import ScheduleError

FIBERS = "(i, j, r) -> (i : compressed, j : compressed, r : dense)"
ROWS = "(i, r) -> (i : compressed, r : dense)"
BLOCKS = "(i, r, s) -> (i : compressed, r : dense, s : dense)"
TAILS = (
    ("Z(i,j,r) = X(i,j,k) * C(k,r)", "ijk,kr->ijr", {"X": "csf", "C": "dense", "Z": FIBERS}),
    ("Z(i,j,r) = X(i,j,k) * C(k,r)", "ijk,kr->ijr", {"X": FIBERS, "C": "csr", "Z": FIBERS}),
    (
        "Z(i,j,r) = X(i,j,k) * C(r,k)",
        "ijk,rk->ijr",
        {
            "X": "(i, j, k) -> (i : compressed(nonunique), j : singleton, k : dense)",
            "C": "dense",
            "Z": "(i, j, r) -> (i : compressed(nonunique), j : singleton, r : dense)",
        },
    ),
    (
        "Z(i,j,r) = A(i,j) * b(r)",
        "ij,r->ijr",
        {"A": "csr", "b": "(i) -> (i : compressed)", "Z": FIBERS},
    ),
    ("Z(i,r) = A(i,k) * C(k,r)", "ik,kr->ir", {"A": "dcsr", "C": "dense", "Z": ROWS}),
    ("Z(i,r) = A(i,k) * C(k,r)", "ik,kr->ir", {"A": "csr", "C": "csr", "Z": ROWS}),
    ("Z(r,i) = A(i,k) * C(k,r)", "ik,kr->ri", {
        "A": "csr", "C": "csr", "Z": "(r, i) -> (i : compressed, r : dense)",
    }),
    ("Z(i,r,s) = A(i,r) * C(i,s)", "ir,is->irs", {"A": "dcsr", "C": "csr", "Z": BLOCKS}),
    ("Z(i,r,s) = A(i,k) * X(k,r,s)", "ik,krs->irs", {"A": "csr", "X": "csf", "Z": BLOCKS}),
)  # fmt: skip


def operands(terms: str, seed: int, size: int) -> list[Any]:
    """Integers, with entries and rows missing."""
    rng = np.random.default_rng(seed)
    found: list[Any] = []
    for modes in terms.split("->")[0].split(","):
        shape = (size,) * len(modes)
        array = rng.integers(-4, 5, shape) * (rng.random(shape) < 0.4)
        array[rng.random(size) < 0.3] = 0
        found.append(array.astype(float))
    return found


def names(statement: str) -> list[str]:
    """The operands in the order written."""
    right = statement.split(" = ")[1]
    return [term.split("(")[0] for term in right.split(" * ")]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("statement", "terms", "formats"), TAILS)
def test_against_numpy(
    statement: str, terms: str, formats: dict[str, Any], threads: int
):
    kernel = tm.compile(statement, threads=threads, **formats)
    assert "convert" not in kernel.tin, "the result is computed as it is stored"
    for seed, size in ((0, 7), (1, 7), (2, 1), (3, 0)):
        arrays = operands(terms, seed, size)
        given = dict(zip(names(statement), arrays, strict=True))
        stored: dict[str, Any] = {}
        stored |= {name: tm.tensor(array, formats[name]) for name, array in given.items()}
        result = kernel(**stored).check()
        assert np.array_equal(result.to_numpy(), np.einsum(terms, *arrays))
        entries = result.to_numpy().any(axis=-1).sum()
        assert size == 0 or len(result.vals) % size == 0
        assert len(result.vals) >= entries * (size > 0)


def test_an_entry_is_stored_if_anything_of_it_is_present():
    A = tm.tensor(np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 0.0]]), "csr")
    C = tm.tensor(np.array([[0.0, 0.0], [5.0, 0.0]]), "csr")
    Z = tm.evaluate("Z(i,r) = A(i,k) * C(k,r)", A=A, C=C, out=ROWS)
    assert Z.levels[0]["crd"].tolist() == [1], "rows 0 and 2 meet an empty row of C"
    assert Z.vals.tolist() == [10.0, 0.0]


def test_loops_of_the_tail_may_lie_inside_of_the_reduction():
    kernel = tm.compile("Z(i,j,r) = X(i,j,k) * C(k,r)", X="csf", C="dense", Z=FIBERS)
    assert kernel.explain().split("loop order\n")[1].split("\n")[0].strip() == "i, j, k, r"
    assert "cfir.where" not in kernel.cfir
    assert "values of an entry are a block over r, written in place" in kernel.explain()


def test_a_maximum_stays_inside_of_all_loops_of_the_result():
    statement = "Z(i,r) = reduce(max, k, A(i,k) * C(k,r))"
    kernel = tm.compile(statement, A="csr", C="dense", Z=ROWS)
    A, C = np.array([[-1.0, 0.0], [-2.0, -3.0]]), np.array([[1.0, 2.0], [3.0, 4.0]])
    assert kernel(A=A, C=C).check().to_numpy().tolist() == [[0.0, 0.0], [-2.0, -4.0]]


def test_it_is_not_counted():
    with pytest.raises(ScheduleError, match="below level 1, it has a block of values for each"):
        tm.compile(
            "Z(i,r) = A(i,k) * C(k,r)", A="csr", C="dense", Z=ROWS, assembly="count"
        )
