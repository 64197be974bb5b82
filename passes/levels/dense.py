"""
The level kind `dense`: every coordinate of the dimension, stored by arithmetic alone.

| full | ordered | unique | branchless | compact | iterate by | locate | insert | append | arrays |
|---|---|---|---|---|---|---|---|---|---|
| yes | yes | yes | no | yes | coordinate | O(1) | yes | no | none (its size) |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tamale.dialects.format.level import LevelProperties
from tamale.passes.levels.arithmetic import all_coordinates, flat_coordinates, flat_position
from tamale.passes.levels.functions import (
    LevelAssembly,
    LevelStorage,
    StorageKind,
    StoredLevel,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from xdsl.ir import SSAValue


class Dense(StorageKind):
    """
    Coordinate `i` below parent position `p` has position `p * size + i`, `i` counted from the
    smallest one.
    """

    name = "dense"
    asks_ancestors = False
    defaults = LevelProperties(full=True, ordered=True, unique=True, branchless=False, compact=True)
    iterates = "coordinates"
    pads = True
    alone = None

    def coord_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        return level.low, level.emit.add(level.low, level.size)

    def locate(
        self, level: LevelStorage, parent: SSAValue, coordinate: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        return flat_position(level, parent, level.size, coordinate), level.emit.true()

    def size_below(self, level: LevelStorage, parents: SSAValue) -> SSAValue:
        return level.emit.mul(parents, level.size)

    def get_pos(
        self, level: LevelAssembly, parent: SSAValue, coordinates: Sequence[SSAValue]
    ) -> SSAValue:
        return flat_position(level, parent, level.size, coordinates[-1])

    def count(self, level: StoredLevel, parents: int) -> int:
        return parents * level.size

    def coordinates(
        self, level: StoredLevel, parents: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return flat_coordinates(parents, all_coordinates(level, level.size))

    def children(
        self,
        level: StoredLevel,
        parents: int,
        places: NDArray[np.int64],
        coordinate: int | None,
    ) -> NDArray[np.int64]:
        if coordinate is None:
            return super().children(level, parents, places, coordinate)
        return places * level.size + (coordinate - level.low)
