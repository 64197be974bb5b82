"""C++ of peers, compiled for this machine and loaded; what is told to it by address."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tamale.backends.jit import cache as disk_cache
from tamale.backends.jit.compiler import compile_flags, find_compiler

SOURCES = Path(__file__).with_name("handwritten")


@cache
def handwritten(name: str, *, parallel: bool = False) -> ctypes.CDLL:
    """A file of `handwritten/`, with the flags of generated code; it stays loaded."""
    return build(SOURCES / f"{name}.cpp", compile_flags(parallel=parallel))


def build(source: Path, flags: Sequence[str]) -> ctypes.CDLL:
    """
    A loaded library, kept in tamale's cache: Eigen takes the compiler seconds.

    Raises:
        KernelError: the compiler refuses.
    """
    compiler, text = find_compiler(), source.read_text(encoding="utf-8")
    key, name = disk_cache.key_of("peer", text, *compiler.identity(flags)), f"{source.stem}.so"
    entry = disk_cache.lookup(key)
    if entry is None:
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder) / name
            compiler.compile(text, library, flags)
            entry = disk_cache.store(key, {name: library.read_bytes()})
    return ctypes.CDLL(str(entry.path(name)))


def argument(value: Any) -> Any:
    """A size, or the address of an array, as C++ takes it."""
    return value.ctypes if isinstance(value, np.ndarray) else ctypes.c_int64(value)
