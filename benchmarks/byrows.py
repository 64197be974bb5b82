"""Row-parallel products written by hand in C++ with OpenMP, and how even such a cut is."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from built import argument, handwritten
from timing import Contender

NAME = "hand-written OpenMP, by rows"


def product(csr: Any, right: Any, threads: int) -> Contender:
    """A matrix times a vector or a dense matrix, into an array that exists."""
    rows, out = csr.shape[0], np.empty((csr.shape[0], *right.shape[1:]))
    sizes = (threads, rows, *right.shape[1:])
    values = [*sizes, csr.indptr, csr.indices, csr.data, right, out]
    function = handwritten("rows", parallel=True)[("spmv_rows", "spmm_rows")[right.ndim - 1]]
    call = partial(function, *map(argument, values))

    def run() -> Any:
        call()
        return out

    return Contender(NAME, run)


def unevenness(work: Any) -> float:
    """The largest share of the work over the mean one; 1 is even."""
    return float(np.max(work) * len(work) / np.sum(work))


def row_work(csr: Any, workers: int) -> Any:
    """Visited rows and entries of each worker, if all have equally many rows."""
    ends = [int(csr.shape[0]) * k // workers for k in range(workers + 1)]
    before = [int(csr.indptr[end]) + end for end in ends]
    return np.diff(before)
