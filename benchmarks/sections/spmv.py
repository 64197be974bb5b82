"""y = A x in CSR, on three clocks: the bare kernel, a call into an array, a call that makes one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import eigen
import numpy as np
import onemkl
import pytorch
import sparsifier
import suitesparse
from bare import into_array
from data import Matrix, matrices
from effort import Effort
from results import Result
from timing import Contender, Contest, contend_all

import tamale as tm
from tamale.dialects.lazy import load

SECTION = "spmv"
KERNEL, OUT, CALL = "kernel", "kernel(out=)", "call"


def measure(effort: Effort) -> Iterator[Result]:
    """Every matrix on every clock."""
    for peer in (onemkl, eigen, sparsifier, suitesparse, pytorch):
        yield from peer.gaps(SECTION)
    found, gaps = matrices(effort)
    yield from gaps
    for matrix in found:
        yield from contend_all(contests(matrix), effort)


def contests(matrix: Matrix) -> Iterator[Contest]:
    """The three clocks on one matrix; SciPy's kernel gets arrays that exist, as ours does."""
    kernel = tm.compile("y(i) = A(i,j) * x(j)", A="csr")
    csr, (rows, columns) = matrix.csr, matrix.csr.shape
    A, y = tm.tensor(csr), np.empty(rows)
    x = np.random.default_rng(1).random(int(columns))
    into_y = Contender("tamale", lambda: kernel(A=A, x=x, out=y))
    into_new = Contender("tamale", lambda: kernel(A=A, x=x))
    others = (module.spmv(csr, x) for module in (onemkl, eigen, sparsifier))
    kernels = [scipy_kernel(csr, x), *chain.from_iterable(others)]
    scipy_call = Contender("SciPy A @ x", lambda: csr @ x)
    calls = [scipy_call, *suitesparse.spmv(csr, x), *pytorch.product(csr, x)]
    for clock, ours, peers in (
        (KERNEL, into_array(kernel, (A, x), y), kernels),
        (OUT, into_y, [scipy_kernel(csr, x)]),
        (CALL, into_new, calls),
    ):
        moved = matrix.nbytes + x.nbytes + y.nbytes if clock == KERNEL else 0
        large = matrix.larger_than_cache
        yield Contest(SECTION, "A x", matrix.name, clock, ours, peers, large, moved)


def scipy_kernel(csr: Any, x: Any) -> Contender:
    """SciPy's loop alone. It adds to `y`, which is zero in the first call, the compared one."""
    csr_matvec = load("scipy.sparse._sparsetools:csr_matvec")
    rows, columns = csr.shape
    indptr, indices, data, y = csr.indptr, csr.indices, csr.data, np.zeros(rows)

    def run() -> Any:
        csr_matvec(rows, columns, indptr, indices, data, x, y)
        return y

    return Contender("SciPy csr_matvec", run)
