"""Results that kernels allocate: their arrays become a tensor that owns them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from tamale.backends.jit.library import CData, ffi, own, view
from tamale.dialects.format.morton import check_codes
from tamale.dialects.format.overflow import check_extents
from tamale.dialects.format.spec import Format
from tamale.frontend.dtypes import INDEX_TYPES, type_name
from tamale.frontend.levels import level_range
from tamale.frontend.signature import array_types
from tamale.frontend.storage import Arrays, LevelArrays, tensor_type
from tamale.frontend.tensor import Tensor
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
        self.type = tensor_type(format, dtype)
        self.levels = [LevelPlan(format, k) for k in range(len(format.levels))]
        self.computes = not format.is_permutation
        """Whether levels store what is computed of coordinates, which may overflow."""
        pointers = array_types(format, type_name(dtype), "{} **")[format.order :]
        self._types = [ffi.typeof(pointer) for pointer in pointers]
        self._unused: list[list[Any]] = []

    def check(self, dims: tuple[int, ...]) -> None:
        """
        Raises:
            FormatError: the format cannot hold a tensor of these sizes.
        """
        if self.computes:
            check_codes(self.format, dims)
            check_extents(self.format, dims)

    def places(self) -> list[Any]:
        """Where one call leaves the addresses of what it allocates, until `collect` has them."""
        try:
            return self._unused.pop()
        except IndexError:
            return [ffi.new(ctype) for ctype in self._types]

    def collect(self, dims: tuple[int, ...], places: list[Any]) -> Tensor:
        """The tensor that owns what a call left at `places`, which are for the next call then."""
        free = self.free
        blocks = [own(place[0], free) for place in places]
        self._unused.append(places)
        look = partial(self._arrays, dims, blocks)
        return Tensor.allocated(self.type, dims, blocks, look)

    def _arrays(self, dims: tuple[int, ...], blocks: Sequence[CData]) -> Arrays:
        """The arrays in the documented order, each as long as the level above it says."""
        levels: list[LevelArrays] = []
        positions, rest = 1, iter(blocks)
        for k, plan in enumerate(self.levels):
            low, size = level_range(self.format, dims, k)
            arrays: dict[str, Any] = {}
            stored = StoredLevel(arrays, size, plan.properties, "", low)
            for name, dtype in plan.arrays:  # each array tells how long the next one is
                length = plan.kind.length(stored, name, positions)
                arrays[name] = view(next(rest), length, dtype)
            positions = plan.kind.count(stored, positions)
            levels.append(arrays)
        return tuple(levels), view(next(rest), positions, self.dtype)
