"""Statements that are one kernel here and several operators of SciPy's; the user's clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import eigen
import numpy as np
import suitesparse
from data import Matrix, narrow_matrices, normal, shifted
from effort import Effort
from results import Gap, Result
from sections.spgemm import MOST, multiplications
from timing import Contender, Contest, contend, contend_all

import tamale as tm
from tamale.dialects.lazy import load

SECTION = "compositions"
MIXED, TRANSPOSED, SUM = "A + B, csc B", "A + A'", "A + B + C"
RESIDUAL, RESIDUALS, INNER = "b - A x", "B - A X, 32 columns", "A : B"
MASKED, GALERKIN = "(A A) .* B", "P' A P"


def measure(effort: Effort) -> Iterator[Result]:
    """Every matrix; products where they are not too large, Galerkin products where PyAMG is."""
    for peer in (eigen, suitesparse):
        yield from peer.gaps(SECTION)
    for matrix in narrow_matrices(effort):
        yield from contend_all(contests(matrix), effort)
        try:
            found = galerkin(matrix) if suits_multigrid(matrix) else None
        except ImportError as error:
            yield Gap(SECTION, GALERKIN, f"PyAMG cannot be imported: {error}")
            return
        if found is not None:
            yield from contend(found, effort)


def contests(matrix: Matrix) -> Iterator[Contest]:
    """All but the Galerkin product, on one square matrix and its columns moved by one."""
    a: Any = matrix.csr
    rows, columns = a.shape
    if rows != columns:
        return
    b: Any = shifted(a)
    csc = b.tocsc()
    csc.sort_indices()
    A, B = tm.tensor(a), tm.tensor(b)
    x, y = np.random.default_rng(0).random((2, rows))
    X, Y = np.random.default_rng(1).random((2, rows, 32))
    csr = {"A": "csr", "B": "csr", "Z": "csr"}
    yield contest(
        matrix, MIXED, "Z(i,j) = A(i,j) + B(i,j)", {**csr, "B": "csc"},
        {"A": A, "B": tm.tensor(csc)}, lambda: a + csc.tocsr(), eigen.making("add_csc", a, csc),
    )  # fmt: skip
    yield contest(
        matrix, TRANSPOSED, "Z(i,j) = A(i,j) + A(j,i)", {"A": "csr", "Z": "csr"},
        {"A": A}, lambda: a + a.T.tocsr(),
    )  # fmt: skip
    yield contest(
        matrix, SUM, "Z(i,j) = A(i,j) + B(i,j) + C(i,j)", {**csr, "C": "csr"},
        {"A": A, "B": B, "C": A}, lambda: a + b + a,
    )  # fmt: skip
    yield contest(
        matrix, RESIDUAL, "r(i) = b(i) - A(i,j) * x(j)", {"A": "csr"},
        {"A": A, "b": y, "x": x}, lambda: y - a @ x,
    )  # fmt: skip
    yield contest(
        matrix, RESIDUALS, "R(i,k) = Y(i,k) - A(i,j) * X(j,k)", {"A": "csr"},
        {"A": A, "Y": Y, "X": X}, lambda: Y - a @ X,
    )  # fmt: skip
    yield contest(
        matrix, INNER, "s = A(i,j) * B(i,j)", {"A": "csr", "B": "csr"},
        {"A": A, "B": B}, lambda: a.multiply(b).sum(),
    )  # fmt: skip
    if multiplications(a) <= MOST:
        yield contest(
            matrix, MASKED, "Z(i,j) = A(i,k) * A(k,j) * B(i,j)", csr,
            {"A": A, "B": B}, lambda: (a @ a).multiply(b), suitesparse.masked(a, b),
        )  # fmt: skip


def contest(
    matrix: Matrix,
    what: str,
    statement: str,
    formats: dict[str, str],
    operands: dict[str, Any],
    scipy_call: Callable[[], Any],
    others: Sequence[Contender] = (),
) -> Contest:
    """A compiled statement against what SciPy's user writes, and other peers."""
    kernel = tm.compile(statement, **formats)  # pyright: ignore[reportArgumentType]
    ours, peer = Contender("tamale", partial(kernel, **operands)), Contender("SciPy", scipy_call)
    peers, large = [peer, *others], matrix.larger_than_cache
    return Contest(SECTION, what, matrix.name, "call", ours, peers, large)


# Multigrid


def suits_multigrid(matrix: Matrix) -> bool:
    """Discretised operators have hierarchies whose levels shrink; power laws and graphs do not."""
    return "-point" in matrix.name or "elasticity" in matrix.name


def galerkin(matrix: Matrix) -> Contest:
    """
    The coarse operator of PyAMG's smoothed aggregation; both results ordered.

    Raises:
        ImportError: PyAMG is missing.
    """
    solver = load("pyamg.aggregation:smoothed_aggregation_solver")
    csr_matrix = load("scipy.sparse:csr_matrix")
    a: Any = matrix.csr
    p = normal(solver(csr_matrix(a), max_levels=2).levels[0].P)

    def scipy_call() -> Any:
        product = (p.T @ a @ p).tocsr()
        product.sort_indices()
        return product

    return contest(
        matrix, GALERKIN, "Z(k,l) = P(i,k) * A(i,j) * P(j,l)", {"P": "csr", "A": "csr", "Z": "csr"},
        {"P": tm.tensor(p), "A": tm.tensor(a)}, scipy_call, eigen.making("galerkin", p, a),
    )  # fmt: skip
