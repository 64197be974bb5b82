"""y = A x with A in other formats than CSR; SciPy's in the same format, where it has that."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from data import Matrix, matrices
from effort import Effort
from results import Result
from sections.converting import suits_blocks, suits_dia, suits_ell
from timing import Contender, Contest, contend

import tamale as tm

SECTION = "formats"
BLOCKS = "bcsr(2, 2)"
FORMATS = ("csc", "coo", "dcsr", "dia", "ell", BLOCKS)


def measure(effort: Effort) -> Iterator[Result]:
    """Every matrix in all formats that suit it."""
    found, _ = matrices(effort)
    for matrix in found:
        for contest in contests(matrix):
            yield from contend(contest, effort)


def contests(matrix: Matrix) -> Iterator[Contest]:
    """All formats of one matrix; SciPy has no ELL and no DCSR, so its CSR stands for them."""
    csr: Any = matrix.csr
    x = np.random.default_rng(1).random(int(csr.shape[1]))
    for format in FORMATS:
        match format:
            case "csc":
                theirs = csr.tocsc()
            case "coo":
                theirs = csr.tocoo()
            case "dia" if suits_dia(csr):
                theirs = csr.todia()
            case "bcsr(2, 2)" if suits_blocks(csr):
                theirs = csr.tobsr((2, 2))
            case "dcsr":
                theirs = csr
            case "ell" if suits_ell(csr):
                theirs = csr
            case _:
                continue
        kernel = tm.compile("y(i) = A(i,j) * x(j)", A=format)
        A = tm.convert(csr, format)
        ours = Contender("tamale", partial(kernel, A=A, x=x))
        peer = Contender(f"SciPy {theirs.format} @ x", partial(theirs.__matmul__, x))
        moved = A.nbytes + x.nbytes + 8 * int(csr.shape[0])
        large = matrix.larger_than_cache
        yield Contest(
            SECTION, f"A x, {format}", matrix.name, "call", ours, [peer], large, moved
        )
