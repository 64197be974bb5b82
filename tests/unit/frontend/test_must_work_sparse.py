"""
Statements that have to work whatever the formats, sparse results above all: values compared with
NumPy, structures with the reference, and every result checked.
"""

# PyAMG and scipy.sparse come without types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyamg
import pytest
from examples import Array, Example, check, gaps, random
from scipy.sparse import csr_array

import tamale as tm
from tamale.frontend.request import make_request
from tamale.frontend.stages import Stages

MATRICES = ("csr", "csc", "dcsr", "coo")
RESULTS = ("csr", "csc", "dcsr", "coo", "dense")
CUBES = ("csf", "csf(0, 2, 1)", "csf(1, 0, 2)", "csf(1, 2, 0)", "csf(2, 0, 1)", "csf(2, 1, 0)")

MOST_LINES = 2500

A, B, C = gaps(6, 6), gaps(6, 6, seed=1), gaps(6, 6, seed=2)
X, Y = random(4, 5, 3, density=0.3), random(4, 3, 2, density=0.4)
x, w, z = (random(6, seed=seed, density=0.5) for seed in range(3))


def some(seed: int, count: int, *choices: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Some of all combinations."""
    return Random(seed).sample(list(product(*choices)), count)


@pytest.mark.parametrize("result", RESULTS)
def test_products_of_matrices(result: str, tmp_path: Path):
    D, E = gaps(5, 7), gaps(7, 6, seed=1)
    pairs = product(MATRICES, MATRICES)
    check(
        [
            Example("Z(i,j) = A(i,k) * B(k,j)", {"A": (D, a), "B": (E, b)}, D @ E, result)
            for a, b in pairs
        ],
        tmp_path,
    )


def test_sums_with_transposes(tmp_path: Path):
    def examples() -> Iterator[Example]:
        for a, b, out in some(1, 8, MATRICES, MATRICES, RESULTS):
            two = {"A": (A, a), "B": (B, b)}
            yield Example("Z(i,j) = A(i,j) + A(j,i)", {"A": (A, a)}, A + A.T, out)
            yield Example("Z(i,j) = A(j,i) + B(i,j)", two, A.T + B, out)
            yield Example("Z(i,j) = A(i,j) + B(i,j)", two, A + B, out)

    check(examples(), tmp_path)


def test_products_of_several_matrices(tmp_path: Path):
    def examples() -> Iterator[Example]:
        for a, b, c, out in some(2, 3, MATRICES, MATRICES, MATRICES, RESULTS):
            one, two = {"A": (A, a)}, {"A": (A, a), "B": (B, b)}
            three = {**two, "C": (C, c)}
            yield Example("Z(i,j) = A(i,k) * B(k,l) * C(l,j)", three, A @ B @ C, out)
            yield Example("Z(i,j) = A(k,i) * A(k,j)", one, A.T @ A, out)
            scaled = {**one, "d": (x, "csf")}
            yield Example("Z(i,j) = A(k,i) * d(k) * A(k,j)", scaled, A.T @ np.diag(x) @ A, out)
            sums = "Z(i,j) = (A(i,k) + B(i,k)) * (A(k,j) + B(k,j) + C(k,j))"
            yield Example(sums, three, (A + B) @ (A + B + C), out)
            sums = "Z(i,j) = (2 * A(k,i) + B(k,i)) * (2 * B(j,k) + C(j,k))"
            yield Example(sums, three, (2 * A + B).T @ (2 * B + C).T, out)
            yield Example("Z(i,l) = A(i,j) * A(j,k) * A(k,l)", one, A @ A @ A, out)

    check(examples(), tmp_path)


def test_galerkin_products_of_a_hierarchy():
    """The coarse matrices of algebraic multigrid, by classical and by smoothed aggregation."""
    problem = pyamg.gallery.poisson((12, 11), format="csr")
    kernel = tm.compile("Z(k,l) = P(i,k) * A(i,j) * P(j,l)", P="csr", A="csr", Z="csr")
    for solver in (pyamg.ruge_stuben_solver, pyamg.smoothed_aggregation_solver):
        levels = solver(problem, max_levels=4, max_coarse=5).levels
        assert len(levels) > 2
        for fine, coarse in pairwise(levels):
            A, P = (tm.tensor(csr_array(matrix), "csr") for matrix in (fine.A, fine.P))
            result = kernel(P=P, A=A).check()
            expected = csr_array(P.to_scipy().T @ A.to_scipy() @ P.to_scipy())
            assert np.allclose(result.to_numpy(), expected.toarray())
            assert np.allclose(result.to_numpy(), coarse.A.toarray())
            structure = csr_array(abs(P.to_scipy()).T @ abs(A.to_scipy()) @ abs(P.to_scipy()))
            assert result.nnz == structure.nnz


def test_products_under_a_mask(tmp_path: Path):
    F, G = random(6, 3), random(3, 6)

    def examples() -> Iterator[Example]:
        for mask, f, g in product(("csr", "dcsr", "coo"), ("dense", "dense(1, 0)"), ("dense",)):
            three = {"M": (A, mask), "F": (F, f), "G": (G, g)}
            yield Example("Z(i,j) = M(i,j) * F(i,k) * G(k,j)", three, A * (F @ G), mask)
        for mask, b, c, out in some(3, 4, MATRICES, MATRICES, MATRICES, RESULTS):
            three = {"M": (A, mask), "B": (B, b), "C": (C, c)}
            yield Example("Z(i,j) = M(i,j) * B(i,k) * C(k,j)", three, A * (B @ C), out)
            yield Example("Z(i,j) = M(i,j) + B(i,k) * C(k,j)", three, A + B @ C, out)

    check(examples(), tmp_path)


def test_vectors(tmp_path: Path):
    def examples() -> Iterator[Example]:
        for a, v, out in some(4, 6, MATRICES, ("csf", "dense"), ("csf", "coo")):
            matrix, times = {"A": (A, a)}, {"A": (A, a), "x": (x, v)}
            yield Example("y(j) = A(i,j)", matrix, A.sum(axis=0), out)
            yield Example("y(j) = A(i,j) * x(i)", times, A.T @ x, out)
            rest = {**times, "z": (z, "csf"), "w": (w, v)}
            yield Example("y(i) = A(i,j) * x(j) + z(i) + w(i)", rest, A @ x + z + w, out)
            two = {"x": (x, v), "w": (w, "csf")}
            yield Example("Z(i,j) = x(i) * w(j)", two, np.outer(x, w), a)
            spread = {"x": (x, v), "A": (A, a)}
            yield Example("Z(i,j) = x(i) + A(j,i)", spread, x[:, None] + A.T, "csr")

    check(examples(), tmp_path)


@pytest.mark.parametrize("format", CUBES)
def test_tensors_of_order_3(format: str, tmp_path: Path):
    cube, matrix, vector = random(4, 5, 3, density=0.3), gaps(5, 2), random(5, density=0.6)
    factors = {"B": (random(5, 2), "dense"), "C": (random(3, 2), "dense")}
    ttv = {"X": (cube, format), "v": (vector, "csf")}
    ttm = {"X": (cube, format), "B": (matrix, "csc")}
    mttkrp = {"X": (cube, format), **factors}
    pair = {"X": (cube, format), "Y": (Y, "csf(1, 0, 2)")}
    statements = [
        ("Z(i,k) = X(i,j,k) * v(j)", "ijk,j->ik", ttv, "csr"),
        ("Z(k,i) = X(i,j,k) * v(j)", "ijk,j->ki", ttv, "coo"),
        ("Z(i,r,k) = X(i,j,k) * B(j,r)", "ijk,jr->irk", ttm, "csf"),
        ("Z(i,r) = X(i,j,k) * B(j,r) * C(k,r)", "ijk,jr,kr->ir", mttkrp, "csr"),
        ("Z(j,l) = X(i,j,k) * Y(i,k,l)", "ijk,ikl->jl", pair, "dcsr"),
    ]
    check(
        [
            Example(text, given, np.einsum(letters, *(a for a, _ in given.values())), out)
            for text, letters, given, out in statements
        ],
        tmp_path,
    )


def test_contractions_of_larger_tensors(tmp_path: Path):
    four = random(4, 2, 3, 2, density=0.3)

    def examples() -> Iterator[Example]:
        for a, b, out in some(5, 4, CUBES, CUBES, ("csf", "coo", "csf(3, 1, 0, 2)")):
            two = {"X": (X, a), "Y": (Y, b)}
            expected = np.einsum("ijk,ilm->jklm", X, Y)
            yield Example("Z(j,k,l,m) = X(i,j,k) * Y(i,l,m)", two, expected, out)
        for a, b, out in some(6, 4, CUBES, ("csf", "csf(3, 1, 0, 2)", "coo"), ("csf", "coo")):
            two = {"X": (X, a), "W": (four, b)}
            expected = np.einsum("ijk,ilkm->jlm", X, four)
            yield Example("Z(j,l,m) = X(i,j,k) * W(i,l,k,m)", two, expected, out)

    check(examples(), tmp_path)


def test_largest_and_smallest_count_absent_entries(tmp_path: Path):
    """No list of entries that are there would do, nor one that adds up."""

    def expected(values: Array, present: Array, *, least: bool) -> Array:
        reduced = values.min(axis=1) if least else values.max(axis=1)
        return np.where(present.any(axis=1), reduced, 0)

    def examples() -> Iterator[Example]:
        for a, b, out in product(MATRICES, ("csr", "csc"), ("csr", "csc", "coo", "ucoo")):
            one, two = {"A": (A, a)}, {"A": (A, a), "B": (B, b)}
            spread = np.broadcast_to(expected(A, A != 0, least=True), (6, 6))
            yield Example("Z(i,j) = reduce(min, k, A(j,k))", one, spread, out)
            terms = A[:, :, None] * B[None]
            largest = expected(terms, terms != 0, least=False)
            yield Example("Z(i,j) = reduce(max, k, A(i,k) * B(k,j))", two, largest, out)

    check(examples(), tmp_path)


def test_rows_that_a_mask_skips_have_edges(tmp_path: Path):
    """Nothing is visited below them, so that their ends have to be summed up."""
    mask = np.zeros((6, 2))
    mask[1::2] = 1
    expected = np.where(mask[:, :, None] > 0, 0, A[:, None, :])
    out = "(i, j, k) -> (i : dense, j : dense, k : compressed)"
    operands = {"A": (A, "csr"), "M": (mask, "(i, j) -> (i : compressed, j : dense)")}
    check([Example("Z(i,j,k) = unless(A(i,k), M(i,j))", operands, expected, out)], tmp_path)


def test_operands_in_no_order(tmp_path: Path):
    """They are converted where they have to be merged."""

    def examples() -> Iterator[Example]:
        for a, b, out in product(("dok", "ucoo"), ("dok", "ucoo", "csr"), ("dcsr", "dok")):
            three = {"A": (A, a), "B": (B, b), "C": (C, "dcsr")}
            text = "Z(j,i) = (A(i,k) + B(k,i)) * C(k,j)"
            yield Example(text, three, ((A + B.T) @ C).T, out)

    check(examples(), tmp_path)


def test_results_on_the_right(tmp_path: Path):
    def examples() -> Iterator[Example]:
        for a, b, out in some(7, 6, MATRICES, MATRICES, MATRICES):
            old = {"A": (A, a), "Z": (B, out)}
            yield Example("Z(i,j) += A(i,j)", old, B + A, out)
            yield Example("Z(i,j) = A(i,j) + Z(i,j)", old, A + B, out)
            product = {**old, "C": (C, b)}
            yield Example("Z(i,j) += A(i,k) * C(k,j)", product, B + A @ C, out)

    check(examples(), tmp_path)


def many(count: int, shape: tuple[int, ...]) -> dict[str, Array]:
    return {name: random(*shape, seed=k, density=0.3) for k, name in enumerate("ABCDEFGH"[:count])}


@pytest.mark.parametrize(("format", "indices"), [("csr", "i,j"), ("dcsr", "i,j"), ("csf", "i,j,k")])
def test_sums_of_eight_are_bounded(format: str, indices: str, tmp_path: Path):
    arrays = many(8, (5, 6, 3)[: indices.count(",") + 1])
    right = " + ".join(f"{name}({indices})" for name in arrays)
    operands = {name: (array, format) for name, array in arrays.items()}
    total = sum(arrays.values(), np.zeros(()))
    example = Example(f"Z({indices}) = {right}", operands, total, format)
    check([example], tmp_path)
    request = make_request(example.statement, dict.fromkeys([*arrays, "Z"], format), {})
    assert Stages(request).cpp.count("\n") < MOST_LINES


@pytest.mark.parametrize(
    ("statement", "shapes"),
    [
        ("Z(j) = A(i) - B(i) + C(j,i)", {"A": (3,), "B": (3,), "C": (4, 3)}),
        ("Z(i,k) = A(j) + (B(i,j,k) - A(k))", {"A": (3,), "B": (2, 3, 3)}),
    ],
)
def test_sums_of_nothing_store_nothing(statement: str, shapes: dict[str, tuple[int, ...]]):
    """Parts that are computed first, and are there only where an operand is."""
    operands: dict[str, Any] = {
        name: tm.tensor(np.zeros(shape), "coo") for name, shape in shapes.items()
    }
    result = tm.evaluate(statement, out="coo", **operands)
    assert result.nnz == 0
