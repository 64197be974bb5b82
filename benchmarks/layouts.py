"""Arrays as peers write them, and how they are read as SciPy's."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tamale.dialects.lazy import load


class Compressed(NamedTuple):
    """Positions, coordinates and values of CSR or CSC; the names are SciPy's."""

    shape: tuple[int, int]
    indptr: Any
    indices: Any
    data: Any


def new_compressed(shape: tuple[int, int], parents: int, entries: int) -> Compressed:
    """Room for a matrix of so many rows, or columns, and entries."""
    pos, crd = np.empty(parents + 1, np.int32), np.empty(entries, np.int32)
    return Compressed(shape, pos, crd, np.empty(entries))


def csr_view(found: Compressed) -> Any:
    """A CSR matrix as SciPy's."""
    arrays = found.data, found.indices, found.indptr
    return load("scipy.sparse:csr_array")(arrays, shape=found.shape)


def csc_view(found: Compressed) -> Any:
    """A CSC matrix as SciPy's."""
    arrays = found.data, found.indices, found.indptr
    return load("scipy.sparse:csc_array")(arrays, shape=found.shape)


def ell_view(shape: tuple[int, int], found: tuple[Any, Any]) -> Any:
    """An ELL matrix as SciPy's: its rows one after the other, without the padding."""
    crd, vals = found
    pos = np.arange(shape[0] + 1, dtype=np.int32) * len(crd)
    entries = vals.T.ravel(), crd.T.ravel(), pos
    csr = load("scipy.sparse:csr_array")(entries, shape=shape)
    csr.eliminate_zeros()
    return csr


def dia_view(shape: tuple[int, int], found: tuple[Any, Any]) -> Any:
    """A DIA matrix whose values lie by rows as SciPy's, whose values lie by columns."""
    diagonals, by_row = found
    (rows, columns), by_column = shape, np.zeros((len(diagonals), shape[1]))
    for own, theirs, offset in zip(by_row, by_column, map(int, diagonals), strict=True):
        first, last = max(0, -offset), min(rows, columns - offset)
        theirs[first + offset : last + offset] = own[first:last]
    return load("scipy.sparse:dia_array")((by_column, diagonals), shape=shape).tocsr()
