"""
Eigen on one thread, compiled here as its manual advises: on matrices in the arrays that they have.

It sorts every product that it makes. Where Eigen is not installed, nothing is a contender.
"""

from __future__ import annotations

import ctypes
import os
import re
import weakref
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from built import SOURCES, argument, build
from layouts import Compressed, csc_view, csr_view
from results import Gap
from timing import Contender

NAME = "Eigen"
FLAGS = ("-std=c++17", "-O3", "-march=native", "-DNDEBUG", "-fPIC", "-shared")
MAKING = ("add", "multiply", "product", "add_csc", "galerkin", "csr_csc", "coo_csr")
"""What returns a matrix of Eigen's own."""


def headers() -> Path | None:
    """The folder that `$EIGEN` names, else where Debian has it; None if nothing is there."""
    folder = Path(os.environ.get("EIGEN") or "/usr/include/eigen3")
    return folder if (folder / "Eigen" / "SparseCore").exists() else None


def version() -> str:
    """As its headers give it; `absent` without them."""
    folder = headers()
    if folder is None:
        return "absent"
    text = (folder / "Eigen" / "src" / "Core" / "util" / "Macros.h").read_text(encoding="utf-8")
    return ".".join(re.findall(r"#define EIGEN_(?:WORLD|MAJOR|MINOR)_VERSION (\d+)", text))


def gaps(section: str) -> Iterator[Gap]:
    """What a section says if there is no Eigen."""
    if headers() is None:
        why = "EIGEN names no folder with its headers; Debian's package is libeigen3-dev"
        yield Gap(section, NAME, why)


@cache
def library() -> ctypes.CDLL:
    """The compiled file; it stays loaded."""
    functions = build(SOURCES / "eigen.cpp", (*FLAGS, "-isystem", str(headers())))
    for name in MAKING:
        getattr(functions, name).restype = ctypes.c_void_p
    return functions


class Csr(ctypes.Structure):
    """A compressed matrix as its owner keeps it."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("rows", "columns", "entries")),
        *((name, ctypes.c_void_p) for name in ("pos", "crd", "vals")),
    )


def csr(matrix: Any) -> Any:
    """SciPy's CSR matrix for Eigen, or the transpose of its CSC one."""
    rows, columns = matrix.shape if matrix.format == "csr" else matrix.shape[::-1]
    arrays = (array.ctypes.data for array in (matrix.indptr, matrix.indices, matrix.data))
    return ctypes.byref(Csr(rows, columns, matrix.nnz, *arrays))


# Into arrays that exist


def spmv(matrix: Any, x: Any) -> list[Contender]:
    """A matrix times a vector."""
    return into(np.empty(matrix.shape[0]), "spmv", matrix, x)


def spmm(matrix: Any, x: Any) -> list[Contender]:
    """A matrix times a dense matrix, both by rows."""
    return into(np.empty((matrix.shape[0], x.shape[1])), "spmm", matrix, x.shape[1], x)


def into(out: Any, name: str, matrix: Any, *others: Any) -> list[Contender]:
    """Calls a function with a matrix, other arguments and the array to write."""
    if headers() is None:
        return []
    function, arguments = getattr(library(), name), (csr(matrix), *map(argument, (*others, out)))

    def run() -> Any:
        function(*arguments)
        return out

    return [Contender(NAME, run)]


# Making a matrix


def making(name: str, *matrices: Any) -> list[Contender]:
    """Calls a function of matrices that makes one by rows."""
    if headers() is None:
        return []
    return [owning(lambda: getattr(library(), name)(*map(csr, matrices)), "", csr_view)]


def csr_csc(matrix: Any) -> list[Contender]:
    """By columns what is by rows."""
    if headers() is None:
        return []
    return [owning(lambda: library().csr_csc(csr(matrix)), "_columns", csc_view)]


def coo_csr(coo: Any) -> list[Contender]:
    """`setFromTriplets`, which adds up duplicates and sorts."""
    if headers() is None:
        return []
    arguments = [*map(argument, (*coo.shape, coo.nnz, *coo.coords, coo.data))]
    return [owning(lambda: library().coo_csr(*arguments), "", csr_view)]


class Owner:
    """Keeps the last matrix that was made, and frees it before the next one or at the end."""

    def __init__(self, suffix: str) -> None:
        self.made = ctypes.c_void_p()
        self.describe = getattr(library(), f"describe{suffix}")
        self.destroy = getattr(library(), f"destroy{suffix}")
        weakref.finalize(self, self.destroy, self.made)

    def free(self) -> None:
        self.destroy(self.made)
        self.made.value = None

    def arrays(self) -> Compressed:
        """Copies of its arrays."""
        found = Csr()
        self.describe(self.made, ctypes.byref(found))
        rows, columns, entries = found.rows, found.columns, found.entries
        parents = columns if self.describe.__name__.endswith("columns") else rows
        return Compressed(
            (rows, columns),
            copied(found.pos, np.dtype(np.int32), parents + 1),
            copied(found.crd, np.dtype(np.int32), entries),
            copied(found.vals, np.dtype(np.float64), entries),
        )


def owning(make: Callable[[], int], suffix: str, view: Callable[[Compressed], Any]) -> Contender:
    """Makes a matrix after the one before is freed."""
    owner = Owner(suffix)

    def run() -> Owner:
        owner.free()
        owner.made.value = make()
        return owner

    return Contender(NAME, run, lambda found: view(found.arrays()))


def copied(address: int, dtype: np.dtype[Any], count: int) -> Any:
    """The elements at an address."""
    made = np.empty(count, dtype)
    ctypes.memmove(made.ctypes.data, address, made.nbytes)
    return made
