"""
MLIR's sparsifier, run by `mlir-opt` and compiled by `mlir-runner` for this processor.

Its kernels are for matrices of one size, which their types name.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from built import SOURCES
from results import Gap
from timing import Contender

from tamale.backends.jit import cache as disk_cache
from tamale.backends.jit.compiler import find_compiler
from tamale.backends.jit.cpu import cpu_identity
from tamale.dialects.errors import KernelError

NAME = "MLIR sparsifier"
PIPELINE = "--sparsifier=enable-runtime-library=false"
LIBRARY = "sparsified.so"


class Programs(NamedTuple):
    """`mlir-opt` and `mlir-runner` of one version."""

    opt: str
    runner: str


@cache
def programs() -> Programs | None:
    """Those without a version in their names, else of the latest one; None if there are none."""
    folders = map(Path, os.get_exec_path())
    names = {path.name for folder in folders for path in folder.glob("mlir-opt*")}
    suffixes = [name.removeprefix("mlir-opt") for name in names if re.fullmatch(r"\D+\d*", name)]
    for suffix in sorted(suffixes, key=lambda suffix: int(suffix[1:] or 10**9), reverse=True):
        opt, runner = (shutil.which(f"{name}{suffix}") for name in ("mlir-opt", "mlir-runner"))
        if opt is not None and runner is not None:
            return Programs(opt, runner)
    return None


@cache
def version() -> str:
    """As `mlir-opt` tells it; `absent` without it."""
    found = programs()
    if found is None:
        return "absent"
    told = subprocess.run([found.opt, "--version"], capture_output=True, text=True).stdout
    return told.partition("version ")[2].partition("\n")[0]


def gaps(section: str) -> Iterator[Gap]:
    """What a section says if there is no MLIR."""
    if programs() is None:
        why = "mlir-opt and mlir-runner are not in PATH; Debian's package is mlir-22-tools"
        yield Gap(section, NAME, why)


def spmv(csr: Any, x: Any) -> list[Contender]:
    """A matrix times a vector, into an array that exists."""
    return product("spmv", csr, x, np.empty(csr.shape[0]))


def spmm(csr: Any, x: Any) -> list[Contender]:
    """A matrix times a dense matrix, into an array that exists."""
    return product("spmm", csr, x, np.empty((csr.shape[0], x.shape[1])))


def product(name: str, csr: Any, x: Any, out: Any) -> list[Contender]:
    """One of the functions of the file."""
    if programs() is None:
        return []
    function = getattr(library(*map(int, csr.shape)), f"_mlir_ciface_{name}")
    described = [memref(array) for array in (csr.indptr, csr.indices, csr.data, x, out)]
    arguments = [ctypes.byref(each) for each in described]

    def run() -> Any:
        function(*arguments)
        return out

    return [Contender(NAME, run)]


def memref(array: Any) -> ctypes.Structure:
    """An array as MLIR describes it: where it is, from which element on, sizes, strides."""
    address, order = array.ctypes.data, array.ndim
    strides = (stride // array.itemsize for stride in array.strides)
    return memref_type(order)(address, address, 0, (*array.shape,), (*strides,))


@cache
def memref_type(order: int) -> Any:
    """The structure of so many dimensions."""
    fields = (
        ("allocated", ctypes.c_void_p),
        ("aligned", ctypes.c_void_p),
        ("offset", ctypes.c_int64),
        ("sizes", ctypes.c_int64 * order),
        ("strides", ctypes.c_int64 * order),
    )
    return type(f"Memref{order}", (ctypes.Structure,), {"_fields_": fields})


@cache
def library(rows: int, columns: int) -> ctypes.CDLL:
    """The file compiled for matrices of a size, kept in tamale's cache."""
    text = (SOURCES / "products.mlir").read_text(encoding="utf-8")
    text = text.format(rows=rows, columns=columns)
    key = disk_cache.key_of("peer", text, PIPELINE, version(), cpu_identity())
    entry = disk_cache.lookup(key)
    if entry is None:
        entry = disk_cache.store(key, {LIBRARY: compiled(text)})
    return ctypes.CDLL(str(entry.path(LIBRARY)))


def compiled(text: str) -> bytes:
    """
    A shared library: `mlir-runner` keeps the object of what it runs, here an empty `main`.

    Raises:
        KernelError: one of the programs refuses; the message has what it says.
    """
    found = programs()
    assert found is not None
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "in.mlir").write_text(text, encoding="utf-8")
        main = ("-e", "main", "--entry-point-result=void")
        for command in (
            (found.opt, "in.mlir", PIPELINE, "-o", "out.mlir"),
            (found.runner, "out.mlir", *main, "-O3", "--dump-object-file", "--object-filename=a.o"),
            (*find_compiler().command, "-shared", "a.o", "-o", LIBRARY),
        ):
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            if done.returncode:
                raise KernelError(f"{NAME}: {command[0]} failed: {done.stderr.strip()}")
        return (Path(folder) / LIBRARY).read_bytes()
