"""Results that kernels allocate: their arrays become a tensor that owns them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tamale.backends.jit.library import adopt
from tamale.dialects.format.spec import Format
from tamale.frontend.dtypes import INDEX_TYPES
from tamale.frontend.levels import level_range
from tamale.frontend.tensor import LevelArrays, Tensor
from tamale.passes.levels import array_width, storage_kind
from tamale.passes.levels.functions import StoredLevel


def collect(
    format: Format,
    dims: tuple[int, ...],
    dtype: np.dtype[Any],
    pointers: Iterator[Any],
    free: Callable[[Any], None],
) -> Tensor:
    """The arrays of a result in the documented order, each as long as the level above it says."""
    levels: list[LevelArrays] = []
    positions = 1
    for k in range(len(format.levels)):
        arrays, positions = _collect_level(format, k, dims, positions, pointers, free)
        levels.append(arrays)
    vals = adopt(next(pointers), positions, dtype, free)
    return Tensor(format, dims, levels, vals)


def _collect_level(
    format: Format,
    k: int,
    dims: tuple[int, ...],
    parents: int,
    pointers: Iterator[Any],
    free: Callable[[Any], None],
) -> tuple[LevelArrays, int]:
    """One level's arrays, and how many positions it has; each array tells how long the next is."""
    kind, (low, size) = storage_kind(format.levels[k].kind), level_range(format, dims, k)
    arrays: dict[str, Any] = {}
    stored = StoredLevel(arrays, size, format.properties(k), "", low)
    for name in kind.arrays:
        length = kind.length(stored, name, parents)
        dtype = np.dtype(INDEX_TYPES[array_width(format, k, name)])
        arrays[name] = adopt(next(pointers), length, dtype, free)
    return arrays, kind.count(stored, parents)
