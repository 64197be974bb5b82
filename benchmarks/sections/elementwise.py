"""A + B and A .* B in CSR, results assembled; B is A with its columns moved by one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import eigen
import numpy as np
import suitesparse
from bare import assembling
from data import Matrix, matrices, shifted
from effort import Effort
from results import Result
from timing import Contender, Contest, contend_all

import tamale as tm
from tamale.dialects.lazy import load

SECTION = "elementwise"
ADD, MULTIPLY = "A + B", "A .* B"


def measure(effort: Effort) -> Iterator[Result]:
    """Every matrix, both operations, both clocks."""
    for peer in (eigen, suitesparse):
        yield from peer.gaps(SECTION)
    found, _ = matrices(effort)
    for matrix in found:
        yield from contend_all(contests(matrix), effort)


def contests(matrix: Matrix) -> Iterator[Contest]:
    """
    Both operations on one matrix. SciPy's kernels are called without the checks and the wrapping of
    its operators.
    """
    a: Any = matrix.csr
    b: Any = shifted(a)
    A, B = tm.tensor(a), tm.tensor(b)
    add = tm.compile("C(i,j) = A(i,j) + B(i,j)", A="csr", B="csr", C="csr")
    multiply = tm.compile("C(i,j) = A(i,j) * B(i,j)", A="csr", B="csr", C="csr")
    both, fewer = a.nnz + b.nnz, min(a.nnz, b.nnz)
    sum_kernel = scipy_kernel("csr_plus_csr", a, b, both)
    product_kernel = scipy_kernel("csr_elmul_csr", a, b, fewer)
    name, large = matrix.name, matrix.larger_than_cache
    for what, kernel, kernels, scipy_call, calls in (
        (ADD, add, [sum_kernel, *eigen.making("add", a, b)], lambda: a + b, suitesparse.add),
        (
            MULTIPLY, multiply, [product_kernel, *eigen.making("multiply", a, b)],
            lambda: a.multiply(b), suitesparse.multiply,
        ),
    ):  # fmt: skip
        ours = assembling(kernel, (A, B), a.shape)
        yield Contest(SECTION, what, name, "kernel", ours, kernels, large)
        ours = Contender("tamale", partial(kernel, A=A, B=B))
        peers = [Contender(f"SciPy {what}", scipy_call), *calls(a, b)]
        yield Contest(SECTION, what, name, "call", ours, peers, large)


def scipy_kernel(name: str, a: Any, b: Any, most: int) -> Contender:
    """
    SciPy's loop into arrays that exist, with room for `most` entries: kernels of tamale's find the
    memory of their last result again.
    """
    function, (rows, columns) = load(f"scipy.sparse._sparsetools:{name}"), a.shape
    operands = (a.indptr, a.indices, a.data, b.indptr, b.indices, b.data)
    indptr, indices = np.empty(rows + 1, np.int32), np.empty(most, np.int32)
    data = np.empty(most)

    def run() -> tuple[Any, Any, Any]:
        function(rows, columns, *operands, indptr, indices, data)
        return data, indices, indptr

    def view(arrays: tuple[Any, Any, Any]) -> Any:
        data, indices, indptr = arrays
        used = int(indptr[-1])
        csr_array = load("scipy.sparse:csr_array")
        return csr_array((data[:used], indices[:used], indptr), shape=a.shape)

    return Contender(f"SciPy {name}", run, view)
