"""Checks of large levels in compiled code."""

from __future__ import annotations

from functools import cache

from tamale.backends.jit.build import Build
from tamale.backends.jit.library import NativeKernel, pointer
from tamale.backends.jit.native import native_kernel
from tamale.dialects.lazy import load as load_lazily
from tamale.frontend.dtypes import type_name
from tamale.passes.levels.compressed import Compressed
from tamale.passes.levels.functions import StorageKind, StoredLevel

LARGE = 1 << 20
"""From this many coordinates on, compiled code pays."""

_WIDTHS = {"int32": "i32", "int64": "i64"}
_NAME = "segments_hold"


def check_level(kind: StorageKind, level: StoredLevel, parents: int) -> None:
    """
    As `kind.check`, in compiled code where a level is large.

    Raises:
        FormatError: with the level, the place and the values that break a promise.
    """
    if type(kind) is not Compressed or not _hold(level, parents):
        kind.check(level, parents)


def _hold(level: StoredLevel, parents: int) -> bool:
    """Whether large segments are known to be right; small ones are not looked at."""
    pos, crd = level.arrays["pos"], level.arrays["crd"]
    if not level.properties.ordered or len(crd) < LARGE or len(pos) != parents + 1:
        return False
    native = _native(type_name(pos.dtype), type_name(crd.dtype))
    step = 1 if level.properties.unique else 0
    arrays = (pointer(array, f"const {type_name(array.dtype)}_t *") for array in (pos, crd))
    bounds = (level.low, level.low + level.size)
    return native.call(parents, len(crd), *bounds, step, *arrays) == 0


@cache
def _native(pos: str, crd: str) -> NativeKernel:
    def make() -> Build:
        build_module = load_lazily("tamale.passes.levels.segment_check:build_segment_check")
        print_cpp = load_lazily("tamale.backends.cpp.printer:print_cpp")
        return Build(print_cpp(build_module(_WIDTHS[pos], _WIDTHS[crd])), {"source": _NAME})

    arrays = (f"const {pos}_t *", f"const {crd}_t *")
    return native_kernel((_NAME, pos, crd), make, _NAME, [*["int64_t"] * 5, *arrays])
