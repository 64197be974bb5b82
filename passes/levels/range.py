"""
The level kind `range`: every coordinate of the level, walked between bounds that follow from the
levels above.

| full | ordered | unique | branchless | compact | iterate by | locate | insert | append | arrays |
|---|---|---|---|---|---|---|---|---|---|
| no | yes | yes | no | no | coordinate | O(1) | yes | no | none |

In DIA, where the level above stores `j - i`, it walks the rows whose column exists.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tamale.dialects.format.level import LevelProperties
from tamale.passes.levels.arithmetic import (
    all_coordinates,
    flat_coordinates,
    flat_position,
    onto_low,
    related,
)
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


class Range(StorageKind):
    """Coordinate `i` below parent position `p` has position `p * size + i`, as in `dense`."""

    name = "range"
    defaults = LevelProperties(
        full=False, ordered=True, unique=True, branchless=False, compact=False
    )
    iterates = "coordinates"
    follows = True
    pads = True
    alone = None

    # Walking

    def coord_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        emit, low, high = level.emit, level.low, onto_low(level, level.size)
        for value in map(level.related, level.relation.lows):
            low = low if value is low else emit.max(low, value)
        for value in map(level.related, level.relation.highs):
            high = high if value is high else emit.min(high, value)
        return low, high

    def locate(
        self, level: LevelStorage, parent: SSAValue, coordinate: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        return flat_position(level, parent, level.size, coordinate), level.emit.true()

    def size_below(self, level: LevelStorage, parents: SSAValue) -> SSAValue:
        return level.emit.mul(parents, level.size)

    # Assembly

    def get_pos(
        self, level: LevelAssembly, parent: SSAValue, coordinates: Sequence[SSAValue]
    ) -> SSAValue:
        return flat_position(level, parent, level.size, coordinates[-1])

    # Stored arrays

    def count(self, level: StoredLevel, parents: int) -> int:
        return parents * level.size

    def coordinates(
        self, level: StoredLevel, parents: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return flat_coordinates(parents, all_coordinates(level, level.size))

    def found(self, level: StoredLevel, parents: int) -> NDArray[np.bool_]:
        """Coordinates outside of the bounds have positions, but no entry can be there."""
        import numpy as np

        above, coordinates = self.coordinates(level, parents)
        inside = np.ones(len(coordinates), dtype=np.bool_)
        for bound in level.relation.lows:
            inside &= coordinates >= related(level, bound)[above]
        for bound in level.relation.highs:
            inside &= coordinates < related(level, bound)[above]
        return inside
