"""
Intel's MKL through ctypes, on one thread: its conversions, which 2026 has no more, and its SpMV.

The conversions allocate what they make, and take square matrices only: others get no contender.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterator
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, files, version
from pathlib import Path
from typing import Any

import byhand
import numpy as np
from layouts import Compressed, csc_view, csr_view, dia_view, ell_view, new_compressed
from results import Gap
from timing import Contender

COO_CSR, CSR_CSC, SPMV = "MKL mkl_dcsrcoo", "MKL mkl_dcsrcsc", "MKL mkl_sparse_d_mv, optimised"
CSR_DIA = "MKL mkl_dcsrdia, told the diagonals"
COO_DIA = "MKL mkl_dcsrcoo, mkl_dcsrdia, told the diagonals"
CSC_DIA = "MKL mkl_dcsrcsc, mkl_dcsrdia, told the diagonals"
CSC_ELL = f"MKL mkl_dcsrcsc, {byhand.NAME}"
COO_ELL = f"MKL mkl_dcsrcoo, {byhand.NAME}"

SEQUENTIAL, INTEGERS_OF_32_BITS = 1, 0
INTO_COMPRESSED, INTO_SORTED = 1, 2
"""What the first element of `job` asks of a routine that goes both ways; 0 is the other way."""
BRANCHES = {"def": "its generic branch", "mc3": "SSE 4.2", "avx2": "AVX2", "avx512": "AVX-512"}
"""The libraries among which MKL chooses by the processor; on those that AMD makes it is generic."""
PLAIN, GENERAL, MANY_CALLS = 10, 20, 1000
"""An operand that is not transposed, a matrix without structure, calls to expect."""


@cache
def library() -> ctypes.CDLL | None:
    """The library of the package `mkl`, set to one thread; None if it is not installed."""
    try:
        inside = files("mkl") or ()
    except PackageNotFoundError:
        return None
    paths = [Path(str(file.locate())) for file in inside if file.name.startswith("libmkl_rt.")]
    if not paths:
        return None
    functions = ctypes.CDLL(str(paths[0].resolve()))
    functions.MKL_Set_Threading_Layer(SEQUENTIAL)
    functions.MKL_Set_Interface_Layer(INTEGERS_OF_32_BITS)
    return functions


def description() -> str:
    """The version, and for which processors the code is that runs here, as loaded."""
    if library() is None:
        return "absent"
    one = Compressed((1, 1), np.array([0, 1], np.int32), np.zeros(1, np.int32), np.ones(1))
    transposed(one, to_columns=True)  # The first call of a routine chooses.
    maps = Path("/proc/self/maps")
    loaded = maps.read_text() if maps.exists() else ""
    chosen = [text for name, text in BRANCHES.items() if f"/libmkl_{name}." in loaded]
    return ", ".join((version("mkl"), *chosen))


def gaps(section: str) -> Iterator[Gap]:
    """What a section says if there is no MKL."""
    if library() is None:
        yield Gap(section, "MKL", "it is not installed; `make bench` asks pip for it")


# Conversions


def coo_csr(coo: Any, *, ordered: bool) -> list[Contender]:
    """The entries in rows; rows are sorted unless the entries are `ordered`."""
    return square(coo, Contender(COO_CSR, partial(coo_to_csr, coo, ordered=ordered), csr_view))


def csr_csc(csr: Any) -> list[Contender]:
    return square(csr, Contender(CSR_CSC, partial(transposed, csr, to_columns=True), csc_view))


def csr_dia(csr: Any) -> list[Contender]:
    found = diagonals(csr)
    return square(csr, Contender(CSR_DIA, lambda: to_dia(csr, found), partial(dia_view, csr.shape)))


def coo_dia(coo: Any) -> list[Contender]:
    found = diagonals(coo)

    def run() -> Any:
        return to_dia(coo_to_csr(coo, ordered=True), found)

    return square(coo, Contender(COO_DIA, run, partial(dia_view, coo.shape)))


def csc_dia(csc: Any) -> list[Contender]:
    found = diagonals(csc)

    def run() -> Any:
        return to_dia(transposed(csc, to_columns=False), found)

    return square(csc, Contender(CSC_DIA, run, partial(dia_view, csc.shape)))


def csc_ell(csc: Any) -> list[Contender]:
    def run() -> Any:
        return byhand.to_ell(transposed(csc, to_columns=False))

    return square(csc, Contender(CSC_ELL, run, partial(ell_view, csc.shape)))


def coo_ell(coo: Any) -> list[Contender]:
    def run() -> Any:
        return byhand.to_ell(coo_to_csr(coo, ordered=True))

    return square(coo, Contender(COO_ELL, run, partial(ell_view, coo.shape)))


def square(matrix: Any, contender: Contender) -> list[Contender]:
    """The contender, if there is an MKL and its routines take the matrix."""
    rows, columns = matrix.shape
    return [contender] if rows == columns and library() is not None else []


def diagonals(matrix: Any) -> Any:
    """The diagonals that have entries, in order."""
    rows, columns = matrix.tocoo().coords
    return np.unique(columns - rows).astype(np.int32)


def coo_to_csr(coo: Any, *, ordered: bool) -> Compressed:
    size, _ = coo.shape
    made, (rows, columns) = new_compressed(coo.shape, size, coo.nnz), coo.coords
    job = task(INTO_COMPRESSED if ordered else INTO_SORTED, 0, 0, 0, coo.nnz, 0)
    into = made.data, made.indices, made.indptr
    call("mkl_dcsrcoo", job, size, *into, coo.nnz, coo.data, rows, columns, np.zeros(1, np.int32))
    return made


def transposed(matrix: Any, *, to_columns: bool) -> Compressed:
    """CSR as CSC or back; the routine takes the CSR first, whichever it reads."""
    size, _ = matrix.shape
    made = new_compressed(matrix.shape, size, len(matrix.data))
    rows, columns = (matrix, made) if to_columns else (made, matrix)
    arrays = (rows.data, rows.indices, rows.indptr, columns.data, columns.indices, columns.indptr)
    job = task(0 if to_columns else INTO_COMPRESSED, 0, 0, 0, 0, 1)
    call("mkl_dcsrcsc", job, size, *arrays, np.zeros(1, np.int32))
    return made


def to_dia(csr: Any, found: Any) -> tuple[Any, Any]:
    """Values by row, a row for each diagonal; the routine zeroes them itself."""
    size, _ = csr.shape
    vals, unused, info = np.empty((len(found), size)), np.empty(1), np.zeros(1, np.int32)
    into = vals, size, found, len(found), unused, unused, unused
    job = task(0, 0, 0, 0, 0, 0)
    call("mkl_dcsrdia", job, size, csr.data, csr.indices, csr.indptr, *into, info)
    return found, vals


def task(*job: int) -> Any:
    """What a routine is to do, as it wants to be told."""
    return np.array([*job, 0, 0], np.int32)


def call(routine: str, *arguments: Any) -> None:
    """Calls a routine; everything goes by address, as in Fortran."""
    getattr(library(), routine)(*map(address, arguments))


def address(value: Any) -> Any:
    return value.ctypes if isinstance(value, np.ndarray) else ctypes.byref(ctypes.c_int(value))


# SpMV


def spmv(csr: Any, x: Any) -> list[Contender]:
    """The product into an array that exists, through a handle that was optimised for many calls."""
    functions = library()
    if functions is None:
        return []
    multiply = functions.mkl_sparse_d_mv
    handle, y = Handle(csr), np.zeros(csr.shape[0])
    one, zero, whole = ctypes.c_double(1.0), ctypes.c_double(0.0), Description(GENERAL, 0, 0)
    inputs, output = x.ctypes, y.ctypes

    def run() -> Any:
        multiply(PLAIN, one, handle.pointer, whole, inputs, zero, output)
        return y

    return [Contender(SPMV, run)]


class Description(ctypes.Structure):
    """What MKL wants to know about the structure of a matrix."""

    _fields_ = (("type", ctypes.c_int), ("mode", ctypes.c_int), ("diag", ctypes.c_int))


class Handle:
    """A matrix as MKL keeps it."""

    def __init__(self, csr: Any) -> None:
        functions: Any = library()
        self.pointer = ctypes.c_void_p()
        self.arrays = csr.indptr, csr.indptr[1:], csr.indices, csr.data
        begin_end_crd_vals = (array.ctypes for array in self.arrays)
        made = ctypes.byref(self.pointer)
        functions.mkl_sparse_d_create_csr(made, 0, *csr.shape, *begin_end_crd_vals)
        weakref.finalize(self, functions.mkl_sparse_destroy, self.pointer)
        whole = Description(GENERAL, 0, 0)
        functions.mkl_sparse_set_mv_hint(self.pointer, PLAIN, whole, MANY_CALLS)
        functions.mkl_sparse_optimize(self.pointer)
