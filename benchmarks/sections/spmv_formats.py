"""y = A x with A in other formats than CSR; SciPy's in the same format, where it has that."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from data import Matrix, matrices
from effort import Effort
from results import Result
from sections.converting import BLOCKS, suits_blocks, suits_dia, suits_ell
from timing import Contender, Contest, contend_all

import tamale as tm

SECTION = "formats"


def measure(effort: Effort) -> Iterator[Result]:
    """Every matrix in all formats that suit it."""
    found, _ = matrices(effort)
    for matrix in found:
        yield from contend_all(contests(matrix), effort)


def contests(matrix: Matrix) -> Iterator[Contest]:
    """All formats of one matrix; SciPy has no ELL and no DCSR, so its CSR stands for them."""
    csr: Any = matrix.csr
    x = np.random.default_rng(1).random(int(csr.shape[1]))
    theirs: list[tuple[str, Any]] = [("csc", csr.tocsc()), ("coo", csr.tocoo()), ("dcsr", csr)]
    if suits_dia(csr):
        theirs.append(("dia", csr.todia()))
    if suits_ell(csr):
        theirs.append(("ell", csr))
    if suits_blocks(csr):
        theirs.append((BLOCKS, csr.tobsr((2, 2))))
    for format, array in theirs:
        kernel = tm.compile("y(i) = A(i,j) * x(j)", A=format)
        A = tm.convert(csr, format)
        ours = Contender("tamale", partial(kernel, A=A, x=x))
        peer = Contender(f"SciPy {array.format} @ x", partial(array.__matmul__, x))
        moved = A.nbytes + x.nbytes + 8 * int(csr.shape[0])
        what, large = f"A x, {format}", matrix.larger_than_cache
        yield Contest(SECTION, what, matrix.name, "call", ours, [peer], large, moved)
