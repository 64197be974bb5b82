"""What a call costs besides the work: kernels on an empty A, again and again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from effort import Effort
from results import Result
from timing import Contender, Contest, contend

import tamale as tm
from tamale.dialects.lazy import load

SECTION = "calling"
STATEMENT = "y(i) = A(i,j) * x(j)"
SUM = "Z(i,j) = A(i,j) + B(i,j)"
SIZE = 16


def measure(effort: Effort) -> Iterator[Result]:
    """The ways to call a kernel that is compiled already, each beside what SciPy has for it."""
    csr = load("scipy.sparse:csr_array")((SIZE, SIZE), dtype=np.float64)
    A, x, y = tm.tensor(csr), np.ones(SIZE), np.empty(SIZE)
    kernel = tm.compile(STATEMENT, A="csr")
    add = tm.compile(SUM, A="csr", B="csr", Z="csr")
    product = Contender("SciPy A @ x", lambda: csr @ x)
    total = Contender("SciPy A + A", lambda: csr + csr)
    for what, run, peer in (
        ("kernel(A=A, x=x)", lambda: kernel(A=A, x=x), product),
        ("kernel(A=A, x=x, out=y)", lambda: kernel(A=A, x=x, out=y), product),
        ("evaluate(...)", lambda: tm.evaluate(STATEMENT, A=A, x=x), product),
        ('einsum("ij,j->i", A, x)', lambda: tm.einsum("ij,j->i", A, x), product),
        ("A @ x", lambda: A @ x, product),
        ("kernel(A=A, B=A), sparse", lambda: add(A=A, B=A), total),
        ('evaluate(..., out="csr")', lambda: tm.evaluate(SUM, A=A, B=A, out="csr"), total),
        ("A + A", lambda: A + A, total),
    ):
        ours = Contender("tamale", run)
        contest = Contest(SECTION, what, f"{SIZE}x{SIZE}, no entries", "call", ours, [peer])
        yield from contend(contest, effort)
