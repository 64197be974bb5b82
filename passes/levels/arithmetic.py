"""Arithmetic that several level kinds share: in IR, and on NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from tamale.dialects.format.expressions import Expr, evaluate
from tamale.passes.levels.functions import LevelAssembly, LevelStorage, StoredLevel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from xdsl.ir import SSAValue


def from_low(level: LevelStorage, coordinate: SSAValue) -> SSAValue:
    """A coordinate counted from the level's smallest one."""
    emit = level.emit
    return coordinate if level.low is emit.constant(0) else emit.sub(coordinate, level.low)


def onto_low(level: LevelStorage, number: SSAValue) -> SSAValue:
    """The coordinate with this number, counted from the level's smallest one."""
    emit = level.emit
    return number if level.low is emit.constant(0) else emit.add(number, level.low)


SIZE = "known size"
"""The temporary that has the element of `size` while a level is made, so that nothing loads it."""


def single_size(level: LevelStorage) -> SSAValue:
    """The one element of the array `size`, as index."""
    if isinstance(level, LevelAssembly) and SIZE in level.temporaries:
        return level.temporaries[SIZE]
    return level.read("size", level.emit.constant(0))


def make_single_size(level: LevelAssembly, size: SSAValue) -> None:
    """Makes the array `size` of one element, which must fit."""
    level.allocate("size", level.emit.constant(1))
    level.fits(size, "size")
    level.write("size", level.emit.constant(0), size)
    level.temporaries[SIZE] = size


def flat_position(
    level: LevelStorage, parent: SSAValue, size: SSAValue, coordinate: SSAValue
) -> SSAValue:
    """The position of a coordinate where every parent position has `size` of them in a row."""
    return level.emit.add(level.emit.mul(parent, size), from_low(level, coordinate))


def flat_coordinates(
    parents: int, coordinates: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Parent position and coordinate per position where all parents have the same coordinates."""
    import numpy as np

    owners = np.repeat(np.arange(parents, dtype=np.int64), len(coordinates))
    return owners, np.tile(coordinates, parents)


def all_coordinates(level: StoredLevel, count: int) -> NDArray[np.int64]:
    """The `count` smallest coordinates of a level."""
    import numpy as np

    return np.arange(level.low, level.low + count, dtype=np.int64)


def related(level: StoredLevel, expression: Expr) -> NDArray[np.int64]:
    """
    The value of an expression of the level's relation, per parent position.

    Divisors and shifts are constants, as everywhere in relations.
    """
    import numpy as np

    columns = {f"l{k}": column for k, column in enumerate(level.ancestors)}
    values = cast("dict[str, Any]", {**columns, **level.dims})
    value = np.asarray(evaluate(expression, values), dtype=np.int64)
    return np.broadcast_to(value, np.shape(level.ancestors[-1])) if level.ancestors else value[None]
