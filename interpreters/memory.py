"""Blocks of memory and scalars, as memref and arith ops see them; misuse is an error."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType
from xdsl.interpreters.builtin import scalar_attr
from xdsl.ir import Attribute

from tamale.dialects.errors import TamaleError
from tamale.frontend.building import ELEMENT_TYPES

INDEX_BITS = 64
_DTYPES = {type: np.dtype(name) for name, type in ELEMENT_TYPES.items()}


class InterpretationFailure(TamaleError):
    """IR that does what it must not do, such as reading outside of an array."""


def dtype_of(type: Attribute) -> np.dtype[Any]:
    """How elements of this type are kept."""
    if type in _DTYPES:
        return _DTYPES[type]
    if isinstance(type, IndexType):
        return np.dtype(np.int64)
    if isinstance(type, IntegerType):
        return np.dtype(np.bool_ if type.bitwidth == 1 else np.int64)
    if isinstance(type, MemRefType):
        return np.dtype(object)
    raise InterpretationFailure(f"interpret: no value is of type {type}")


def scalar(value: Any, type: Attribute) -> Any:
    """A number as xDSL's interpreters want it; complex numbers and blocks stay what they are."""
    if isinstance(value, Memory):
        return value
    if np.iscomplexobj(value):
        return complex(value)
    if isinstance(type, IndexType | IntegerType):
        return _whole_number(int(value), cast("Attribute", type))
    return scalar_attr(float(value), type, INDEX_BITS)


@lru_cache(maxsize=1 << 14)
def _whole_number(value: int, type: Attribute) -> Any:
    """Coordinates and positions come again and again, and are attributes that cannot change."""
    return scalar_attr(value, type, INDEX_BITS)


def plain(value: Any) -> Any:
    """The inverse of `scalar`: a Python number, or the block."""
    return value if isinstance(value, Memory | complex) else value.value.data


def wrapped(value: Any, dtype: np.dtype[Any]) -> Any:
    """A number in the width of `dtype`; integers wrap around."""
    if dtype.kind in "iu" and isinstance(value, int):
        bits = 8 * dtype.itemsize
        value = (value + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))
    return value


class Memory:
    """
    A block of elements that knows which of them have been written.

    Args:
        array: the elements.
        name: what messages call the block.
        written: whether the elements have values already.
        constant: whether the block may only be read.
    """

    def __init__(
        self, array: NDArray[Any], name: str, *, written: bool = True, constant: bool = False
    ) -> None:
        self.array, self.name, self.constant = array, name, constant
        self.written = np.full(len(array), written, dtype=np.bool_)
        self.freed = False

    def load(self, place: int) -> Any:
        """
        An element.

        Raises:
            InterpretationFailure: it lies outside, was never written, or the block was freed.
        """
        self._check("read", place)
        if not self.written[place]:
            raise InterpretationFailure(f"interpret: {self.name}[{place}] is read before written")
        return self.array[place]

    def store(self, place: int, value: Any) -> None:
        """
        Writes an element.

        Raises:
            InterpretationFailure: it lies outside, or the block is constant or was freed.
        """
        self._check("written", place)
        if self.constant:
            raise InterpretationFailure(f"interpret: {self.name} is an operand, but is written")
        self.array[place] = wrapped(value, self.array.dtype)
        self.written[place] = True

    def first(self, count: int) -> NDArray[Any]:
        """
        The first elements.

        Raises:
            InterpretationFailure: there are fewer, or one of them was never written.
        """
        if count:
            self._check("read", count - 1)
        if not self.written[:count].all():
            place = int((~self.written).nonzero()[0][0])
            raise InterpretationFailure(f"interpret: {self.name}[{place}] is never written")
        return self.array[:count]

    def resized(self, count: int) -> Memory:
        """A block of another length with the same first elements; this one is freed."""
        self.free()
        grown = Memory(np.zeros(count, self.array.dtype), self.name, written=False)
        kept = min(count, len(self.array))
        grown.array[:kept], grown.written[:kept] = self.array[:kept], self.written[:kept]
        return grown

    def free(self) -> None:
        """
        Gives the block back.

        Raises:
            InterpretationFailure: it was given back before.
        """
        if self.freed:
            raise InterpretationFailure(f"interpret: {self.name} is freed twice")
        self.freed = True

    def _check(self, what: str, place: int) -> None:
        if self.freed:
            raise InterpretationFailure(f"interpret: {self.name} is {what} after it was freed")
        if not 0 <= place < len(self.array):
            raise InterpretationFailure(
                f"interpret: {self.name}[{place}] is {what}, outside of its {len(self.array)} "
                "elements"
            )
