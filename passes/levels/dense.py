"""
The level kind `dense`: every coordinate of the dimension, stored by arithmetic alone.

| full | ordered | unique | branchless | compact | iterate by | locate | insert | append | arrays |
|---|---|---|---|---|---|---|---|---|---|
| yes | yes | yes | no | yes | coordinate | O(1) | yes | no | none (its size) |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamale.dialects.format.level import LevelProperties
from tamale.passes.levels.functions import LevelStorage, Packed, StorageKind, StoredLevel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from xdsl.ir import SSAValue


class Dense(StorageKind):
    """Coordinate `i` below parent position `p` has position `p * size + i`."""

    name = "dense"
    defaults = LevelProperties(full=True, ordered=True, unique=True, branchless=False, compact=True)

    def locate(
        self, level: LevelStorage, parent: SSAValue, coordinate: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        emit = level.emit
        return emit.add(emit.mul(parent, level.size), coordinate), emit.true()

    def size_below(self, level: LevelStorage, parents: SSAValue) -> SSAValue:
        return level.emit.mul(parents, level.size)

    def count(self, level: StoredLevel, parents: int) -> int:
        return parents * level.size

    def pack(
        self,
        properties: LevelProperties,
        size: int,
        parents: tuple[NDArray[np.int64], int],
        coordinates: NDArray[np.int64],
    ) -> Packed:
        above, count = parents
        return Packed({}, above * size + coordinates, count * size)

    def coordinates(
        self, level: StoredLevel, parents: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        import numpy as np

        every = np.arange(level.size, dtype=np.int64)
        return np.repeat(np.arange(parents, dtype=np.int64), level.size), np.tile(every, parents)
