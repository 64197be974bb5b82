"""What a call costs besides the work: y = A x with an empty A, again and again."""

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
SIZE = 16


def measure(effort: Effort) -> Iterator[Result]:
    """The ways to call a kernel that is compiled already, each beside `A @ x`."""
    csr = load("scipy.sparse:csr_array")((SIZE, SIZE), dtype=np.float64)
    A, x, y = tm.tensor(csr), np.ones(SIZE), np.empty(SIZE)
    kernel = tm.compile(STATEMENT, A="csr")
    peer = Contender("SciPy A @ x", lambda: csr @ x)
    for what, run in (
        ("kernel(A=A, x=x)", lambda: kernel(A=A, x=x)),
        ("kernel(A=A, x=x, out=y)", lambda: kernel(A=A, x=x, out=y)),
        ("evaluate(...)", lambda: tm.evaluate(STATEMENT, A=A, x=x)),
        ('einsum("ij,j->i", A, x)', lambda: tm.einsum("ij,j->i", A, x)),
        ("A @ x", lambda: A @ x),
    ):
        ours = Contender("tamale", run)
        contest = Contest(SECTION, what, f"{SIZE}x{SIZE}, no entries", "call", ours, [peer])
        yield from contend(contest, effort)
