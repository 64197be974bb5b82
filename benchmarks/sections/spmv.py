"""y = A x in CSR, on three clocks: the bare kernel, a call into an array, a call that makes one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import tamale as tm
from benchmarks.data import Matrix, matrices
from benchmarks.effort import Effort
from benchmarks.results import Gap, Result
from benchmarks.timing import Contender, Contest, contend
from tamale.backends.jit.library import pointer
from tamale.dialects.lazy import load

SECTION = "SpMV"
KERNEL, OUT, CALL = "kernel", "kernel(out=)", "call"


def measure(effort: Effort) -> Iterator[Result]:
    """Every matrix on every clock."""
    yield Gap(SECTION, "MKL", "it is no peer yet; the ratios are to SciPy")
    found, gaps = matrices(effort)
    yield from gaps
    for matrix in found:
        for contest in contests(matrix):
            yield from contend(contest, effort)


def contests(matrix: Matrix) -> Iterator[Contest]:
    """The three clocks on one matrix; SciPy's kernel gets arrays that exist, as ours does."""
    kernel = tm.compile("y(i) = A(i,j) * x(j)", A="csr")
    csr, (rows, columns) = matrix.csr, matrix.csr.shape
    A, x, y = tm.tensor(csr), np.random.default_rng(1).random(columns), np.empty(rows)
    arguments = (*A.arguments, *tm.tensor(x).arguments, rows, pointer(y, "double *", writable=True))
    native = kernel.native.call

    def bare() -> Any:
        native(*arguments)
        return y

    def contest(clock: str, tamale: Any, peer: Contender) -> Contest:
        return Contest(SECTION, "A x", matrix.name, clock, tamale, [peer], matrix.larger_than_cache)

    yield contest(KERNEL, bare, scipy_kernel(csr, x))
    yield contest(OUT, lambda: kernel(A=A, x=x, out=y), scipy_kernel(csr, x))
    yield contest(CALL, lambda: kernel(A=A, x=x), Contender("SciPy A @ x", lambda: csr @ x))


def scipy_kernel(csr: Any, x: Any) -> Contender:
    """SciPy's loop alone. It adds to `y`, which is zero only in the first call, the compared one."""
    csr_matvec = load("scipy.sparse._sparsetools:csr_matvec")
    rows, columns = csr.shape
    indptr, indices, data, y = csr.indptr, csr.indices, csr.data, np.zeros(rows)

    def run() -> Any:
        csr_matvec(rows, columns, indptr, indices, data, x, y)
        return y

    return Contender("SciPy csr_matvec", run)
