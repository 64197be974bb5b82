"""Time as inputs grow: stencils of the same kind, each four times as large as the one before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from data import Matrix, grid
from effort import Effort
from results import Result
from sections import converting, elementwise, spgemm, spmv
from timing import Contest, contend_all

SECTION = "growth"
STEPS = 6
"""The smallest has a thousandth of the largest one's entries."""


def measure(effort: Effort) -> Iterator[Result]:
    """A x, csr to csc, A + B and A * A; other sections say how the peers do on other inputs."""
    for side in dict.fromkeys(max(4, effort.grid_2d >> step) for step in reversed(range(STEPS))):
        matrix = Matrix(f"5-point {side}x{side}", grid(side, side))
        yield from contend_all(contests(matrix), effort)


def contests(matrix: Matrix) -> Iterator[Contest]:
    """One clock of each computation."""
    products = spgemm.multiplications(matrix.csr)
    for contest in chain.from_iterable(
        module.contests(matrix) for module in (spmv, converting, elementwise, spgemm)
    ):
        too_large = contest.what == spgemm.ORDERED and products > spgemm.MOST
        if (contest.what, contest.clock) in CHOSEN and not too_large:
            entries = int(matrix.csr.nnz)
            yield replace(contest, section=SECTION, peers=contest.peers[:1], entries=entries)


CHOSEN = (
    ("A x", spmv.KERNEL),
    (converting.CSR_CSC, converting.CLOCK),
    (elementwise.ADD, "call"),
    (spgemm.ORDERED, "call"),
)
