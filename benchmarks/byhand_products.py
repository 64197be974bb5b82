"""Products written by hand in C++, compiled as generated code is; they allocate what they make."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from built import argument, handwritten
from layouts import Compressed, csr_view, new_compressed
from timing import Contender

COUNTED = "hand-written C++, counting first"
TOLD = "hand-written C++, told the size"
SPLATT = "hand-written C++, SPLATT's way"
MOST_LEVELS = 8


@cache
def library() -> ctypes.CDLL:
    """The compiled file."""
    functions = handwritten("products")
    functions.count_product.restype = ctypes.c_int64
    return functions


# Sparse times sparse


def spgemm(a: Any, *, ordered: bool) -> list[Contender]:
    """A matrix times itself; without an order also as SPARSKIT does it, which is told the size."""
    found = [Contender(COUNTED, lambda: product(a, counted(a), ordered=ordered), csr_view)]
    if not ordered:
        size = counted(a)
        found.append(Contender(TOLD, lambda: product(a, size, ordered=False), csr_view))
    return found


def counted(a: Any) -> int:
    """The entries of the product."""
    (rows, columns), pattern = a.shape, (a.indptr, a.indices)
    seen = np.full(columns, -1, np.int32)
    return library().count_product(*map(argument, (rows, *pattern, *pattern, seen)))


def product(a: Any, entries: int, *, ordered: bool) -> Compressed:
    """The entries of each row sorted if `ordered`, else as they come."""
    rows, columns = a.shape
    made, own = new_compressed(a.shape, rows, entries), (a.indptr, a.indices, a.data)
    work = [np.full(columns, -1, np.int32), *([np.empty(columns)] if ordered else [])]
    function = library().multiply_sorted if ordered else library().multiply
    function(*map(argument, (rows, *own, *own, made.indptr, made.indices, made.data, *work)))
    return made


# MTTKRP


class Csf(ctypes.Structure):
    """A tensor in CSF and its factors, as the file declares it."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("levels", "rank")),
        *((name, ctypes.c_void_p * MOST_LEVELS) for name in ("pos", "crd")),
        ("vals", ctypes.c_void_p),
        *((name, ctypes.c_void_p * MOST_LEVELS) for name in ("factors", "sums")),
    )


def mttkrp(tensor: Any, factors: Sequence[Any], out: Any) -> Contender:
    """A tensor in CSF and factors of all modes but the first, into an array that exists."""
    rank = out.shape[1]
    sums = [np.empty(rank) for _ in tensor.levels]
    arrays = {name: [level[name] for level in tensor.levels] for name in ("pos", "crd")}
    levels = {**arrays, "factors": [out, *factors], "sums": sums}
    csf = Csf(levels=len(tensor.levels), rank=rank, vals=tensor.vals.ctypes.data)
    for name, each in levels.items():
        getattr(csf, name)[: len(each)] = [array.ctypes.data for array in each]
    function, rows = handwritten("mttkrp").mttkrp, ctypes.c_int64(out.shape[0])

    def run() -> Any:
        assert levels  # Keeps the arrays whose addresses `csf` has.
        function(ctypes.byref(csf), rows, out.ctypes)
        return out

    return Contender(SPLATT, run)
