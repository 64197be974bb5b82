"""What a call costs besides the work: y = A x with an empty A, again and again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import tamale as tm
from benchmarks.effort import Effort
from benchmarks.results import Result
from benchmarks.timing import Contender, Contest, contend
from tamale.dialects.lazy import load

SECTION = "calls"
KERNEL, KERNEL_OUT, EVALUATE = "kernel(A=A, x=x)", "kernel(A=A, x=x, out=y)", "evaluate(...)"
STATEMENT = "y(i) = A(i,j) * x(j)"
SIZE = 16


def measure(effort: Effort) -> Iterator[Result]:
    """The ways to call a kernel that is compiled already, each beside `A @ x`."""
    csr = load("scipy.sparse:csr_array")((SIZE, SIZE), dtype=np.float64)
    A, x, y = tm.tensor(csr), np.ones(SIZE), np.empty(SIZE)
    kernel = tm.compile(STATEMENT, A="csr")
    data, peer = f"{SIZE}x{SIZE}, no entries", Contender("SciPy A @ x", lambda: csr @ x)
    for what, run in (
        (KERNEL, lambda: kernel(A=A, x=x)),
        (KERNEL_OUT, lambda: kernel(A=A, x=x, out=y)),
        (EVALUATE, lambda: tm.evaluate(STATEMENT, A=A, x=x)),
    ):
        yield from contend(Contest(SECTION, what, data, "call", run, [peer]), effort)
