"""Makes a kernel's library, or finds the one that an earlier call or process made."""

import json
import os
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tamale.backends.jit.cache import Entry, key_of, lookup, store
from tamale.backends.jit.compiler import Compiler, find_compiler, kernel_flags
from tamale.backends.jit.sources import tamale_identity
from tamale.dialects.errors import KernelError

_LIBRARY, _SOURCE, _METADATA = "kernel.so", "kernel.cpp", "kernel.json"


@dataclass(frozen=True)
class Build:
    """What a kernel is compiled from."""

    source: str
    """C++ that includes all it needs."""

    metadata: Mapping[str, Any]
    """What the caller must know to load and call it, as values that JSON can say."""


@dataclass(frozen=True)
class Built:
    """A kernel on disk."""

    library: Path
    """The shared library."""

    source: Path
    """The C++ it was compiled from."""

    metadata: Mapping[str, Any]
    """The metadata of its `Build`, as JSON gives it back."""


def build(
    key_parts: Sequence[str],
    make: Callable[[], Build],
    *,
    shared: bool = False,
    parallel: bool = False,
) -> Built:
    """
    The kernel of the request that `key_parts` spells out.

    Args:
        key_parts: every text that decides what `make` returns: expression, formats, types,
            options, and the version of whatever is registered from outside tamale. The
            versions of tamale and of the compiler, its flags and the processor are added here.
        make: called only if the cache has no such kernel; one thread of a process at a time
            for one key.
        shared: whether other requests are likely to make the same source: it is compiled once.
        parallel: whether the source has parallel loops; where the compiler lacks OpenMP, they are
            serial.

    Raises:
        KernelError: there is no compiler, it refuses the source, or nothing can be written.
    """
    compiler, flags = find_compiler(), kernel_flags(parallel=parallel)
    key = key_of(*key_parts, tamale_identity(), *compiler.identity(flags))
    with _locks.setdefault(key, threading.Lock()):
        entry = lookup(key)
        if entry is None and shared:
            entry = _compile_once(key, make(), parallel=parallel)
        elif entry is None:
            entry = _compile(key, make(), compiler, flags)
    metadata = json.loads(entry.path(_METADATA).read_bytes())
    return Built(entry.path(_LIBRARY), entry.path(_SOURCE), metadata)


_locks: dict[str, threading.Lock] = {}
# A lock that another thread holds while this process forks would stay locked in the child.
os.register_at_fork(after_in_child=_locks.clear)


def _compile_once(key: str, made: Build, *, parallel: bool) -> Entry:
    """Stores the library of this source, which is compiled if no request has made it yet."""
    library = build(("source", made.source), lambda: made, parallel=parallel).library
    return _store(key, library.read_bytes(), made)


def _compile(key: str, build: Build, compiler: Compiler, flags: Sequence[str]) -> Entry:
    """Compiles in a temporary folder and stores the result."""
    try:
        with tempfile.TemporaryDirectory(prefix="tamale-") as folder:
            library = Path(folder) / _LIBRARY
            compiler.compile(build.source, library, flags)
            contents = library.read_bytes()
    except OSError as error:
        raise KernelError(f"compiler: the kernel cannot be compiled: {error}.") from error
    return _store(key, contents, build)


def _store(key: str, library: bytes, build: Build) -> Entry:
    metadata = json.dumps(build.metadata, indent=1)
    files = {_LIBRARY: library, _SOURCE: build.source.encode(), _METADATA: metadata.encode()}
    return store(key, files)
