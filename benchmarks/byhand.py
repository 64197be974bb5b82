"""Conversions written by hand in C++, compiled as generated code is: where libraries have none."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np
from built import argument, handwritten

NAME = "hand-written C++"
MOST_DIAGONALS = 1 << 20


@cache
def library() -> ctypes.CDLL:
    """The compiled file."""
    functions = handwritten("conversions")
    for name in ("csr_width", "csr_diagonals"):
        getattr(functions, name).restype = ctypes.c_int64
    return functions


def call(name: str, *arguments: Any) -> int:
    """Calls a function with sizes and arrays."""
    return getattr(library(), name)(*map(argument, arguments))


def to_ell(csr: Any) -> tuple[Any, Any]:
    """Coordinates and values, a row for each slice."""
    rows, _ = csr.shape
    width = call("csr_width", rows, csr.indptr)
    crd, vals = np.zeros((width, rows), np.int32), np.zeros((width, rows))
    call("csr_ell", rows, csr.indptr, csr.indices, csr.data, crd, vals)
    return crd, vals


def to_dia(csr: Any) -> tuple[Any, Any]:
    """Diagonals, and values by row, a row for each diagonal."""
    rows, columns = csr.shape
    ranks = np.zeros(rows + columns - 1, np.int32)
    diagonals = np.empty(min(len(ranks), MOST_DIAGONALS), np.int32)
    arrays = csr.indptr, csr.indices, ranks, diagonals
    count = call("csr_diagonals", rows, columns, *arrays, len(diagonals))
    vals = np.zeros((count, rows))
    call("csr_dia", rows, csr.indptr, csr.indices, csr.data, ranks, vals)
    return diagonals[:count].copy(), vals
