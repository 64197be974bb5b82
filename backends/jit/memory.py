"""
Keeps large blocks that kernels freed for those that run next.

Linux only, and not with `$TAMALE_CXXFLAGS`, so that sanitizers see each block come and go.
"""

import os
from functools import cache
from typing import Any

import _cffi_backend

from tamale.backends.cpp.memory import MEMORY_SOURCE
from tamale.backends.jit.build import Build, build
from tamale.backends.jit.compiler import shares_memory
from tamale.backends.jit.library import ffi, open_library
from tamale.dialects.errors import KernelError
from tamale.dialects.integers import whole_number

VARIABLE = "TAMALE_KEEP_MEMORY"
"""The environment variable with the limit in bytes; 0 keeps nothing."""

SHARE = 8
"""Without a limit of the user's, no more is kept than one part in so many of the memory."""


def keep_memory(limit: int) -> None:
    """
    Sets how many bytes of freed blocks are kept for later kernels, and frees what is kept now.

    Fresh memory is what large results cost most: the system has to clear each page. Kept blocks are
    offered to the system, which takes pages back when it runs short, and are given up when nothing
    fits them for a while.

    Args:
        limit: in bytes; 0 keeps nothing. Unless set here or by `TAMALE_KEEP_MEMORY`, it is an
            eighth of the memory. Where nothing is ever kept, as outside of Linux, it is ignored.

    Raises:
        KernelError: `limit` is no number of bytes.
    """
    size = whole_number(limit)
    if size is None or not 0 <= size < 1 << 64:
        raise KernelError(f"keep_memory: the limit is {limit!r}; 0 keeps nothing.")
    if (library := shared_memory()) is not None:
        _function(library, "void(*)(size_t)", "tamale_keep_memory")(size)


def release_memory() -> int:
    """Frees the blocks that are kept for later kernels; returns how many bytes they had."""
    library = shared_memory()
    if library is None:
        return 0
    return _function(library, "size_t(*)(void)", "tamale_release_memory")()


def shared_memory() -> Any:
    """
    The library that kernels compiled here take memory from, loaded; None where they use malloc.

    Raises:
        KernelError: the library cannot be built, or `$TAMALE_KEEP_MEMORY` is no number of bytes.
    """
    return _load() if shares_memory() else None


@cache
def _load() -> Any:
    """The library, visible to all libraries loaded from now on, with its first limit."""
    limit = _first_limit()
    built = build(("shared memory",), lambda: Build(MEMORY_SOURCE, {"source": "memory"}))
    library = open_library(built.library, _cffi_backend.RTLD_GLOBAL)
    _function(library, "void(*)(size_t)", "tamale_keep_memory")(limit)
    return library


def _first_limit() -> int:
    """What `$TAMALE_KEEP_MEMORY` says, else a share of the memory."""
    chosen = os.environ.get(VARIABLE)
    if chosen is None:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // SHARE
    if not chosen.isascii() or not chosen.isdigit():
        raise KernelError(
            f"kernel memory: {VARIABLE} is '{chosen}', which is no number of bytes.\n"
            "  help: 0 keeps nothing; without it, an eighth of the memory is the limit."
        )
    return int(chosen)


def _function(library: Any, ctype: str, name: str) -> Any:
    return library.load_function(ffi.typeof(ctype), name)
