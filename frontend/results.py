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


class LevelPlan:
    """How the arrays of a level are collected."""

    def __init__(self, format: Format, k: int) -> None:
        self.kind, self.properties = storage_kind(format.levels[k].kind), format.properties(k)
        self.arrays = [
            (name, np.dtype(INDEX_TYPES[array_width(format, k, name)])) for name in self.kind.arrays
        ]


class ResultPlan:
    """Collects the results of one kernel; what does not depend on sizes is looked up before."""

    def __init__(self, format: Format, dtype: np.dtype[Any], free: Callable[[Any], None]) -> None:
        self.format, self.dtype, self.free = format, dtype, free
        self.levels = [LevelPlan(format, k) for k in range(len(format.levels))]

    def collect(self, dims: tuple[int, ...], pointers: Iterator[Any]) -> Tensor:
        """The arrays in the documented order, each as long as the level above it says."""
        levels: list[LevelArrays] = []
        positions, free = 1, self.free
        for k, plan in enumerate(self.levels):
            low, size = level_range(self.format, dims, k)
            arrays: dict[str, Any] = {}
            stored = StoredLevel(arrays, size, plan.properties, "", low)
            for name, dtype in plan.arrays:  # each array tells how long the next one is
                length = plan.kind.length(stored, name, positions)
                arrays[name] = adopt(next(pointers), length, dtype, free)
            positions = plan.kind.count(stored, positions)
            levels.append(arrays)
        return Tensor(self.format, dims, levels, adopt(next(pointers), positions, self.dtype, free))
