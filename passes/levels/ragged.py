"""
The level kind `ragged`: the coordinates up to the largest that has an entry, below each parent.

| full | ordered | unique | branchless | compact | iterate by | locate | insert | append | arrays |
|---|---|---|---|---|---|---|---|---|---|
| no | yes | yes | no | yes | coordinate | O(1) | yes | no | pos |

It stores ragged arrays, and the slots of sliced ELL, whose number differs from slice to slice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from tamale.dialects.format.level import Level, LevelProperties
from tamale.dialects.query.select import Aggregate, Select
from tamale.passes.levels.arithmetic import from_low, onto_low
from tamale.passes.levels.checks import check_edges, check_widths
from tamale.passes.levels.functions import LevelAssembly, LevelStorage, StoredLevel
from tamale.passes.levels.segmented import Segmented, owners

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from xdsl.ir import SSAValue


class Ragged(Segmented):
    """
    The smallest coordinates; `i` below parent position `p` has position `pos[p] + i`, `i` counted
    from the smallest one.
    """

    name = "ragged"
    asks_ancestors = False
    asks_bounds = False
    defaults = LevelProperties(
        full=False, ordered=True, unique=True, branchless=False, compact=True
    )
    arrays = ("pos",)
    extents = MappingProxyType({"pos": "edges"})
    iterates = "coordinates"
    pads = True
    alone = None

    # Walking

    def coord_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        return level.low, onto_low(level, self.width(level, parent))

    def locate(
        self, level: LevelStorage, parent: SSAValue, coordinate: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        begin, end = self.segment(level, parent)
        position = level.emit.add(begin, from_low(level, coordinate))
        return position, level.emit.compare("slt", position, end)

    # Assembly

    def queries(self, level: Level, above: Sequence[str], own: str) -> tuple[Select, ...]:
        return (Select(tuple(above), (Aggregate("max", (own,), "max_crd"),)),)

    def room(
        self,
        level: LevelAssembly,
        coordinates: Sequence[SSAValue],
        row: Mapping[str, SSAValue],
    ) -> SSAValue:
        return row["max_crd"]

    def get_pos(
        self, level: LevelAssembly, parent: SSAValue, coordinates: Sequence[SSAValue]
    ) -> SSAValue:
        return level.emit.add(level.read("pos", parent), from_low(level, coordinates[-1]))

    # Stored arrays

    def check(self, level: StoredLevel, parents: int) -> None:
        check_edges(level, parents)
        check_widths(level, level.size)

    def coordinates(
        self, level: StoredLevel, parents: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        import numpy as np

        above = owners(level, parents)
        begins = level.arrays["pos"].astype(np.int64)[above]
        return above, np.arange(len(above), dtype=np.int64) - begins + level.low
