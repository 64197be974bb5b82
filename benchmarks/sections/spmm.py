"""C = A B, A in CSR and B dense with 32 or 128 columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import eigen
import numpy as np
import pytorch
import sparsifier
from bare import into_array
from data import Matrix, narrow_matrices
from effort import Effort
from results import Result
from timing import Contender, Contest, contend_all

import tamale as tm
from tamale.dialects.lazy import load

SECTION = "spmm"
WIDTHS = (32, 128)


def measure(effort: Effort) -> Iterator[Result]:
    """Every matrix on both clocks, with fewer and more columns."""
    for peer in (eigen, sparsifier, pytorch):
        yield from peer.gaps(SECTION)
    for matrix in narrow_matrices(effort):
        columns = int(matrix.csr.shape[1])
        for width in (width for width in WIDTHS if 8 * columns * width <= effort.dense_bytes):
            yield from contend_all(contests(matrix, width), effort)


def contests(matrix: Matrix, width: int) -> Iterator[Contest]:
    """Both clocks on one matrix."""
    kernel = tm.compile("C(i,k) = A(i,j) * B(j,k)", A="csr")
    csr, (rows, columns) = matrix.csr, matrix.csr.shape
    A, B = tm.tensor(csr), np.random.default_rng(1).random((columns, width))
    call, scipy_call = (
        Contender(name, run)
        for name, run in (("tamale", lambda: kernel(A=A, B=B)), ("SciPy A @ B", lambda: csr @ B))
    )
    into_c = into_array(kernel, (A, B), np.empty((rows, width)))
    for clock, ours, peers in (
        ("kernel", into_c, [scipy_kernel(csr, B), *eigen.spmm(csr, B), *sparsifier.spmm(csr, B)]),
        ("call", call, [scipy_call, *pytorch.product(csr, B)]),
    ):
        what, large = f"A B, {width} columns", matrix.larger_than_cache
        yield Contest(SECTION, what, matrix.name, clock, ours, peers, large)


def scipy_kernel(csr: Any, B: Any) -> Contender:
    """SciPy's loop alone. It adds to `C`, which is zero in the first call, the compared one."""
    csr_matvecs = load("scipy.sparse._sparsetools:csr_matvecs")
    (rows, columns), width = csr.shape, B.shape[1]
    C = np.zeros((rows, width))
    arguments = (csr.indptr, csr.indices, csr.data, B.ravel(), C.ravel())

    def run() -> Any:
        csr_matvecs(rows, columns, width, *arguments)
        return C

    return Contender("SciPy csr_matvecs", run)
