"""Intersections of operands with very unequal numbers of entries, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

import tamale as tm

VECTOR = "(i) -> (i : compressed)"
SEARCHES = "_step = 1;"
"""What the C++ of a search begins with."""


def random_array(random: Generator, shape: tuple[int, ...], density: float) -> NDArray[Any]:
    return np.where(random.random(shape) < density, random.integers(1, 9, shape), 0).astype(float)


def vectors(random: Generator, size: int) -> dict[str, NDArray[Any]]:
    """Of all densities, in any order, so that each of them is passed over and runs out."""
    return {name: random_array(random, (size,), random.choice([0, 0.05, 0.5, 1])) for name in "abc"}


@pytest.mark.parametrize("sought", ["a", "b", "ab", "ac"])
def test_products_of_vectors(sought: str):
    entries = {name: 4096 if name in sought else 8 for name in "abc"}
    formats: dict[str, Any] = dict.fromkeys("abcz", VECTOR)
    kernel = tm.compile(
        "z(i) = a(i) * b(i) * c(i)", **formats, sizes={"i": 1 << 20}, entries=entries
    )
    assert kernel.cpp.count(SEARCHES) == len(sought)
    random = np.random.default_rng(ord(sought[-1]))
    for size in [0, 1, 2, 3, *random.integers(4, 300, 60)]:
        given = vectors(random, size)
        operands: dict[str, Any] = {name: tm.tensor(v, VECTOR) for name, v in given.items()}
        result = kernel(**operands)
        np.testing.assert_array_equal(result.check().to_numpy(), np.prod(list(given.values()), 0))


@pytest.mark.parametrize("assembly", ["append", "count"])
@pytest.mark.parametrize("out", ["csr", "dcsr", "coo", "dense"])
@pytest.mark.parametrize("format", ["dcsr", "coo"])
@pytest.mark.parametrize("threads", [1, 3])
def test_products_of_matrices(format: str, out: str, assembly: str, threads: int):
    how: dict[str, Any] = {} if out == "dense" else {"assembly": assembly}
    kernel = tm.compile(
        "Z(i,j) = A(i,k) * B(k,j)", A=format, B=format, Z=out, threads=threads, **how
    )
    assert SEARCHES in kernel.cpp
    random = np.random.default_rng(len(format) + threads)
    for _ in range(12):
        rows, inner, columns = random.integers(0, 40, 3)
        a = random_array(random, (rows, inner), random.choice([0.02, 0.3]))
        b = random_array(random, (inner, columns), random.choice([0.02, 0.3, 1]))
        result = kernel(A=tm.tensor(a, format), B=tm.tensor(b, format))
        np.testing.assert_array_equal(np.asarray(result), a @ b)
        if isinstance(result, tm.Tensor):
            result.check()


def test_copies_of_a_coordinate_are_passed_over_together():
    kernel = tm.compile(
        "y(i) = A(i,k) * B(k,j) * x(j)", A="dcsr", B="coo", y="dense", x="dense"
    )
    assert SEARCHES in kernel.cpp
    random = np.random.default_rng(3)
    for _ in range(20):
        a, b = random_array(random, (9, 30), 0.1), random_array(random, (30, 7), 0.6)
        x = random.integers(0, 5, 7).astype(float)
        result = kernel(A=tm.tensor(a, "dcsr"), B=tm.tensor(b, "coo"), x=x)
        np.testing.assert_array_equal(result, a @ b @ x)


def test_operands_of_a_call_decide():
    random = np.random.default_rng(4)
    size = 1 << 18
    few, many = (random_array(random, (size,), density) for density in (0.001, 0.2))
    kernel = tm.compile("s = sum(i, a(i) * b(i))", a=VECTOR, b=VECTOR)
    assert SEARCHES not in kernel.cpp
    given: dict[str, Any] = {"a": tm.tensor(many, VECTOR), "b": tm.tensor(few, VECTOR)}
    assert SEARCHES in kernel.fitted(**given).cpp
    assert kernel(**given) == few @ many
