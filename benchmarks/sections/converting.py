"""The conversions of the paper, all of them allocating what they make, and of unsorted entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

import byhand
import eigen
import numpy as np
import onemkl
import suitesparse
import unsupported
from bare import converting
from data import Matrix, matrices
from effort import Effort
from layouts import csc_view, csr_view, dia_view, ell_view, new_compressed
from results import Result
from timing import Contender, Contest, contend_all

from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.spec import Format
from tamale.dialects.lazy import load
from tamale.frontend.converting import conversion
from tamale.frontend.tensor import Tensor

SECTION = "converting"
CLOCK = "kernel"
BLOCKS = "bcsr(2, 2)"
MOST_PADDING = 4
"""A padded format that would store more than this many times the entries is left out."""

THROUGH_CSR = f"SciPy tocsr, {byhand.NAME}"
COO_CSR, UNSORTED, DUPLICATES = "coo_csr", "coo_csr, unsorted", "coo_csr, unsorted, with duplicates"
CSR_CSC, CSR_ELL, CSR_DIA = "csr_csc", "csr_ell", "csr_dia"
COO_DIA, COO_ELL, CSC_DIA, CSC_ELL = "coo_dia", "coo_ell", "csc_dia", "csc_ell"
UNORDERED = resolve_format(
    "(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonunique, nonordered))", 2
)


def measure(effort: Effort) -> Iterator[Result]:
    """Every conversion of every matrix that it suits."""
    for peer in (onemkl, eigen, suitesparse, unsupported):
        yield from peer.gaps(SECTION)
    found, _ = matrices(effort)
    for matrix in found:
        yield from contend_all(contests(matrix), effort)


def contests(matrix: Matrix) -> Iterator[Contest]:
    """The conversions of one matrix."""
    for what, source, target, peers in rows_of(matrix):
        converter = conversion(source.format, resolve_format(target, 2), source.dtype.name)
        ours, large = converting(converter, source), matrix.larger_than_cache
        moved = source.nbytes + converter(source).nbytes if large else 0
        yield Contest(SECTION, what, matrix.name, CLOCK, ours, peers, large, moved)


Row: TypeAlias = tuple[str, Tensor, str, Sequence[Contender]]
"""What is converted: its name, the source, the name of the target, the peers."""


def rows_of(matrix: Matrix) -> Iterator[Row]:
    """What one matrix can be converted from and to."""
    coo, csc = matrix.csr.tocoo(), matrix.csr.tocsc()
    coo.has_canonical_format = True
    yield from to_compressed(matrix.csr, coo)
    if suits_ell(matrix.csr):
        yield from to_ell(matrix.csr, coo, csc)
    if suits_dia(matrix.csr):
        yield from to_dia(matrix.csr, coo, csc)


def to_compressed(csr: Any, coo: Any) -> Iterator[Row]:
    shuffled, repeated = in_disorder(coo, 0.0), in_disorder(coo, 0.1)
    peers = [coo_tocsr(coo), *onemkl.coo_csr(coo, ordered=True), *eigen.coo_csr(coo)]
    yield COO_CSR, coo_tensor(coo, "coo"), "csr", peers
    mkl, own = onemkl.coo_csr(shuffled, ordered=False), eigen.coo_csr(shuffled)
    peers = [scipy("tocsr", shuffled), *mkl, *own]
    yield UNSORTED, coo_tensor(shuffled, UNORDERED), "csr", peers
    peers = [scipy("tocsr", repeated), *eigen.coo_csr(repeated)]
    yield DUPLICATES, coo_tensor(repeated, UNORDERED), "csr", peers
    others = (*onemkl.csr_csc(csr), *eigen.csr_csc(csr), *suitesparse.csr_csc(csr))
    yield CSR_CSC, compressed_tensor(csr, "csr"), "csc", [transposed(csr), *others]


def to_ell(csr: Any, coo: Any, csc: Any) -> Iterator[Row]:
    view = partial(ell_view, csr.shape)
    direct = Contender(byhand.NAME, partial(byhand.to_ell, csr), view)
    around, from_coo = (
        Contender(THROUGH_CSR, through_csr(matrix, byhand.to_ell), view) for matrix in (csc, coo)
    )
    yield CSR_ELL, compressed_tensor(csr, "csr"), "ell", [direct]
    yield CSC_ELL, compressed_tensor(csc, "csc"), "ell", [around, *onemkl.csc_ell(csc)]
    yield COO_ELL, coo_tensor(coo, "coo"), "ell", [from_coo, *onemkl.coo_ell(coo)]


def to_dia(csr: Any, coo: Any, csc: Any) -> Iterator[Row]:
    view = partial(dia_view, csr.shape)
    for what, matrix, source, name, mkl in (
        (CSR_DIA, csr, compressed_tensor(csr, "csr"), byhand.NAME, onemkl.csr_dia),
        (COO_DIA, coo, coo_tensor(coo, "coo"), THROUGH_CSR, onemkl.coo_dia),
        (CSC_DIA, csc, compressed_tensor(csc, "csc"), THROUGH_CSR, onemkl.csc_dia),
    ):
        own = Contender(name, through_csr(matrix, byhand.to_dia), view)
        yield what, source, "dia", [scipy("todia", matrix), own, *mkl(matrix)]


# Inputs


def in_disorder(coo: Any, repeated: float) -> Any:
    """The entries in random order, and this share of them once more."""
    generator = np.random.default_rng(2)
    count = int(coo.nnz)
    again = generator.permutation(count)[: round(count * repeated)]
    order = generator.permutation(np.concatenate([np.arange(count), again]))
    entries = (coo.data[order], (coo.row[order], coo.col[order]))
    return load("scipy.sparse:coo_array")(entries, shape=coo.shape)


def coo_tensor(coo: Any, format: str | Format) -> Tensor:
    """A list of coordinates as it is, in the arrays that it has."""
    rows, columns = coo.coords
    levels = ({"pos": np.array([0, coo.nnz], np.int32), "crd": rows}, {"crd": columns})
    spec = resolve_format(format, 2) if isinstance(format, str) else format
    return Tensor(spec, coo.shape, levels, coo.data)


def compressed_tensor(matrix: Any, format: str) -> Tensor:
    """A CSR or CSC matrix in the arrays that it has."""
    levels: tuple[dict[str, Any], ...] = ({}, {"pos": matrix.indptr, "crd": matrix.indices})
    return Tensor(resolve_format(format, 2), matrix.shape, levels, matrix.data)


def suits_ell(csr: Any) -> bool:
    return int(np.diff(csr.indptr).max()) * csr.shape[0] <= MOST_PADDING * csr.nnz


def suits_dia(csr: Any) -> bool:
    coo = csr.tocoo()
    return len(np.unique(coo.col - coo.row)) * csr.shape[0] <= MOST_PADDING * csr.nnz


def suits_blocks(csr: Any) -> bool:
    """SciPy has blocks only where they fill the matrix."""
    if any(size % 2 for size in csr.shape):
        return False
    return 4 * csr.tobsr((2, 2)).data.shape[0] <= MOST_PADDING / 2 * csr.nnz


# Peers


def scipy(method: str, matrix: Any) -> Contender:
    """A method of SciPy's, which is not one kernel."""
    return Contender(f"SciPy {method}", getattr(matrix, method))


def coo_tocsr(coo: Any) -> Contender:
    """SciPy's loop, which neither sorts nor adds up, and the allocation of its result."""
    function = load("scipy.sparse._sparsetools:coo_tocsr")
    rows, columns = coo.coords

    def run() -> Any:
        made = new_compressed(coo.shape, coo.shape[0], coo.nnz)
        arrays = made.indptr, made.indices, made.data
        function(*coo.shape, coo.nnz, rows, columns, coo.data, *arrays)
        return made

    return Contender("SciPy coo_tocsr", run, csr_view)


def transposed(csr: Any) -> Contender:
    """SciPy's loop and the allocation of its result."""
    function = load("scipy.sparse._sparsetools:csr_tocsc")

    def run() -> Any:
        made = new_compressed(csr.shape, csr.shape[1], csr.nnz)
        arrays = made.indptr, made.indices, made.data
        function(*csr.shape, csr.indptr, csr.indices, csr.data, *arrays)
        return made

    return Contender("SciPy csr_tocsc", run, csc_view)


def through_csr(matrix: Any, then: Callable[[Any], Any]) -> Callable[[], Any]:
    """SciPy's kernel to CSR, followed by code written by hand."""
    return lambda: then(matrix.tocsr())
