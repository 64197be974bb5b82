"""A * A in CSR, rows in any order and in order; SciPy's product, alone and sorted afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import byhand_products
import eigen
import numpy as np
import suitesparse
from bare import assembling
from data import Matrix, narrow_matrices
from effort import Effort
from results import Result
from timing import Contender, Contest, contend_all

import tamale as tm

SECTION = "spgemm"
UNORDERED, ORDERED = "A * A", "A * A, ordered"
ROWS = "(i, j) -> (i : dense, j : compressed(nonordered))"

MOST = 20_000_000
"""Products of more multiplications are left out: their results would fill the memory."""


def measure(effort: Effort) -> Iterator[Result]:
    """Every square matrix whose product is not too large."""
    for peer in (eigen, suitesparse):
        yield from peer.gaps(SECTION)
    for matrix in narrow_matrices(effort):
        if matrix.csr.shape[0] == matrix.csr.shape[1] and multiplications(matrix.csr) <= MOST:
            yield from contend_all(contests(matrix), effort)


def multiplications(a: Any) -> int:
    """How many products of two entries are added up in A * A."""
    return int(np.diff(a.indptr)[a.indices].sum(dtype=np.int64))


def contests(matrix: Matrix) -> Iterator[Contest]:
    """
    Both orders on one matrix and both clocks; called, the same operators and checks on either side.
    """
    a: Any = matrix.csr
    A = tm.tensor(a)

    def ordered() -> Any:
        product = a @ a
        product.sort_indices()
        return product

    name, large, own = matrix.name, matrix.larger_than_cache, eigen.making("product", a, a)
    for what, format, scipy_call, in_order, eigens in (
        (UNORDERED, ROWS, lambda: a @ a, False, []),
        (ORDERED, "csr", ordered, True, own),
    ):
        kernel = tm.compile("C(i,j) = A(i,k) * B(k,j)", A="csr", B="csr", C=format)
        peers = [*byhand_products.spgemm(a, ordered=in_order), *eigens]
        ours = assembling(kernel, (A, A), a.shape)
        yield Contest(SECTION, what, name, "kernel", ours, peers, large)
        peers = [Contender(f"SciPy {what}", scipy_call), *suitesparse.spgemm(a, ordered=in_order)]
        ours = Contender("tamale", partial(kernel, A=A, B=A))
        yield Contest(SECTION, what, name, "call", ours, peers, large)
