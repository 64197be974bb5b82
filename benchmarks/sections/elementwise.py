"""A + B and A .* B in CSR, results assembled; B is A with its columns moved by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import tamale as tm
from benchmarks.data import Matrix, matrices, shifted
from benchmarks.effort import Effort
from benchmarks.results import Result
from benchmarks.timing import Contender, Contest, contend
from tamale.dialects.lazy import load

SECTION = "elementwise"
ADD, MULTIPLY = "A + B", "A .* B"


def measure(effort: Effort) -> Iterator[Result]:
    """Every matrix, both operations, both clocks."""
    found, _ = matrices(effort)
    for matrix in found:
        for contest in contests(matrix):
            yield from contend(contest, effort)


def contests(matrix: Matrix) -> Iterator[Contest]:
    """
    Both operations on one matrix. Kernels allocate their results on either side; SciPy's are
    called without the checks and the wrapping of its operators.
    """
    a, b = matrix.csr, shifted(matrix.csr)
    A, B = tm.tensor(a), tm.tensor(b)
    add = tm.compile("C(i,j) = A(i,j) + B(i,j)", A="csr", B="csr", C="csr")
    multiply = tm.compile("C(i,j) = A(i,j) * B(i,j)", A="csr", B="csr", C="csr")

    def contest(what: str, clock: str, kernel: Any, peer: Contender) -> Contest:
        def tamale() -> Any:
            return kernel(A=A, B=B)

        large = matrix.larger_than_cache
        return Contest(SECTION, what, matrix.name, clock, tamale, [peer], large)

    yield contest(ADD, "kernel", add, scipy_kernel("csr_plus_csr", a, b, a.nnz + b.nnz))
    yield contest(ADD, "call", add, Contender("SciPy A + B", lambda: a + b))
    most = min(a.nnz, b.nnz)
    yield contest(MULTIPLY, "kernel", multiply, scipy_kernel("csr_elmul_csr", a, b, most))
    yield contest(MULTIPLY, "call", multiply, Contender("SciPy multiply", lambda: a.multiply(b)))


def scipy_kernel(name: str, a: Any, b: Any, most: int) -> Contender:
    """SciPy's loop and the allocation of a result with at most `most` entries."""
    function, (rows, columns) = load(f"scipy.sparse._sparsetools:{name}"), a.shape
    operands = (a.indptr, a.indices, a.data, b.indptr, b.indices, b.data)

    def run() -> tuple[Any, Any, Any]:
        indptr, indices = np.empty(rows + 1, np.int32), np.empty(most, np.int32)
        data = np.empty(most)
        function(rows, columns, *operands, indptr, indices, data)
        return data, indices, indptr

    def view(arrays: tuple[Any, Any, Any]) -> Any:
        data, indices, indptr = arrays
        used = int(indptr[-1])
        csr_array = load("scipy.sparse:csr_array")
        return csr_array((data[:used], indices[:used], indptr), shape=a.shape)

    return Contender(f"SciPy {name}", run, view)
