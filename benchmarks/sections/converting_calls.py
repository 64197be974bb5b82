"""Conversions as users call them, from object to object, also between formats SciPy lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from data import Matrix, matrices, narrow_matrices
from effort import Effort
from results import Result
from sections.converting import BLOCKS, suits_blocks, suits_dia, suits_ell
from tensors import Entries, power_law
from timing import Contender, Contest, contend_all

import tamale as tm

SECTION = "converting-objects"
COO_CSR, CSR_CSC, CSR_BCSR = "coo_csr", "csr_csc", "csr_bcsr"


def measure(effort: Effort) -> Iterator[Result]:
    """Every conversion of every matrix that it suits, and those of one tensor of order three."""
    found, _ = matrices(effort)
    for matrix in found:
        yield from contend_all(contests(matrix), effort)
    for matrix in narrow_matrices(effort):
        yield from contend_all([of_objects(matrix, *hicoo(matrix))], effort)
    yield from contend_all(of_tensor(power_law(effort, 3)), effort)


def contests(matrix: Matrix) -> Iterator[Contest]:
    """Where SciPy lacks a format, the peer is its copy of the matrix in CSR: no work at all."""
    csr: Any = matrix.csr
    coo, csc = csr.tocoo(), csr.tocsc()
    coo.has_canonical_format = True
    csc.sort_indices()
    copy = ("SciPy csr.copy", csr.copy)
    rows: list[Row] = [
        (COO_CSR, "coo", "csr", ("SciPy coo.tocsr", coo.tocsr)),
        (CSR_CSC, "csr", "csc", ("SciPy csr.tocsc", csr.tocsc)),
        ("csc_csr", "csc", "csr", ("SciPy csc.tocsr", csc.tocsr)),
        ("csr_coo", "csr", "coo", ("SciPy csr.tocoo", csr.tocoo)),
        ("coo_csc", "coo", "csc", ("SciPy coo.tocsc", coo.tocsc)),
        ("csr_dcsr", "csr", "dcsr", copy),
        ("csr_sell", "csr", "sell(8)", copy),
    ]
    if suits_ell(csr):
        rows.append(("ell_csr", "ell", "csr", copy))
    if suits_dia(csr):
        rows.append(("dia_csr", "dia", "csr", ("SciPy dia.tocsr", csr.todia().tocsr)))
    if suits_blocks(csr):
        bsr = csr.tobsr((2, 2))
        rows += [
            (CSR_BCSR, "csr", BLOCKS, ("SciPy csr.tobsr", partial(csr.tobsr, (2, 2)))),
            ("coo_bcsr", "coo", BLOCKS, ("SciPy coo.tobsr", partial(coo.tobsr, (2, 2)))),
            ("bcsr_csr", BLOCKS, "csr", ("SciPy bsr.tocsr", bsr.tocsr)),
        ]
    yield from (of_objects(matrix, *row) for row in rows)


Row: TypeAlias = tuple[str, str, str, tuple[str, Callable[[], Any]]]
"""What is converted: its name, the source, the target, the peer."""


def of_objects(
    matrix: Matrix, what: str, source: str, target: str, peer: tuple[str, Callable[[], Any]]
) -> Contest:
    """One conversion of one matrix."""
    A = tm.convert(matrix.csr, source)
    ours, theirs = Contender("tamale", partial(tm.convert, A, target)), Contender(*peer)
    large = matrix.larger_than_cache
    moved = A.nbytes + tm.convert(A, target).nbytes if large else 0
    return Contest(SECTION, what, matrix.name, "call", ours, [theirs], large, moved)


def hicoo(matrix: Matrix) -> Row:
    """Blocks of coordinates, in which entries are sorted: it takes long."""
    return "coo_hicoo", "coo", "hicoo(8)", ("SciPy csr.copy", matrix.csr.copy)


def of_tensor(x: Entries) -> Iterator[Contest]:
    """A list of coordinates to csf, as it is ordered and not; NumPy only puts values in order."""
    coo = tm.tensor(x.pydata, "coo")
    for what, target, modes in (
        ("coo3_csf", "csf", (0, 1, 2)),
        ("coo3_csf-permuted", "csf(2, 1, 0)", (2, 1, 0)),
    ):
        keys = tuple(x.coordinates[:, mode] for mode in reversed(modes))
        ours = Contender("tamale", partial(tm.convert, coo, target), lambda made: made.vals)
        peer = Contender("NumPy lexsort", partial(in_order, x.values, keys))
        moved = coo.nbytes + tm.convert(coo, target).nbytes
        yield Contest(SECTION, what, x.name, "call", ours, [peer], moved=moved)


def in_order(values: Any, keys: tuple[Any, ...]) -> Any:
    """Values sorted by keys, the last of which counts most."""
    return values[np.lexsort(keys)]

