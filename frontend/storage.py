"""
Tensors as kernels see them: sizes, arrays per level, values.

What a kernel allocated is known by its addresses, which is all that the next kernel needs; the
arrays over it are made when somebody looks at them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tamale.backends.jit.library import CData, pointer
from tamale.dialects.format.spec import Format
from tamale.dialects.format.statistics import Statistics
from tamale.frontend.dtypes import C_TYPES, type_name

Array: TypeAlias = NDArray[Any]
LevelArrays: TypeAlias = Mapping[str, NDArray[np.integer[Any]]]
Arrays: TypeAlias = tuple[tuple[LevelArrays, ...], Array]
"""The arrays of all levels, and the values."""


@dataclass(frozen=True, eq=False)
class TensorType:
    """A format and an element type; there is one object for each pair, so that `is` compares."""

    format: Format
    dtype: np.dtype[Any]


@cache
def tensor_type(format: Format, dtype: np.dtype[Any]) -> TensorType:
    """The type of tensors in a format with elements of a type."""
    return TensorType(format, dtype)


class Storage:
    """A format, the dimension sizes, and the arrays that hold a tensor."""

    format: Format
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    """The element type."""
    _look: Callable[[], Arrays]

    def __init__(
        self, format: Format, shape: Sequence[int], levels: Sequence[LevelArrays], vals: Array
    ) -> None:
        self.format = format
        self.shape = tuple(int(size) for size in shape)
        self.dtype = vals.dtype
        self._arrays = (tuple(levels), vals)

    @classmethod
    def allocated(
        cls,
        type: TensorType,
        shape: tuple[int, ...],
        blocks: Sequence[CData],
        look: Callable[[], Arrays],
    ) -> Self:
        """
        What a kernel made.

        Args:
            type, shape: of the tensor.
            blocks: the memory of the arrays of its levels and of its values, which goes with them.
            look: the arrays over these blocks.
        """
        self = cls.__new__(cls)
        self.type, self.format, self.dtype = type, type.format, type.dtype
        self.shape, self.arguments, self._look = shape, (*shape, *blocks), look
        return self

    @cached_property
    def type(self) -> TensorType:
        """The format and the element type."""
        return tensor_type(self.format, self.dtype)

    @cached_property
    def _arrays(self) -> Arrays:
        return self._look()

    @property
    def levels(self) -> tuple[LevelArrays, ...]:
        """Per level: its arrays by name."""
        return self._arrays[0]

    @property
    def vals(self) -> Array:
        """A value for each position of the last level."""
        return self._arrays[1]

    @cached_property
    def arguments(self) -> tuple[Any, ...]:
        """The tensor as arguments of a kernel: sizes, level arrays in order, values."""
        arrays: list[Any] = []
        for level in self.levels:
            arrays.extend(
                pointer(array, f"const {type_name(array.dtype)}_t *") for array in level.values()
            )
        arrays.append(pointer(self.vals, f"const {C_TYPES[type_name(self.vals.dtype)]} *"))
        return (*self.shape, *arrays)

    @cached_property
    def statistics(self) -> Statistics:
        """Sizes, and how many positions levels have, as far as arrays tell; in powers of 2."""
        stored = [len(level["crd"]) if "crd" in level else None for level in self.levels]
        return Statistics(self.shape, (*stored[:-1], len(self.vals))).rounded()

    def __getstate__(self) -> dict[str, Any]:
        """Addresses mean nothing in another process."""
        names = ("format", "shape", "dtype", "_arrays")
        return {name: getattr(self, name) for name in names}
