"""
The level kind `banded`: all coordinates from the first that has an entry to the diagonal.

| full | ordered | unique | branchless | compact | iterate by | locate | insert | append | arrays |
|---|---|---|---|---|---|---|---|---|---|
| no | yes | yes | no | no | coordinate | O(1) | yes | no | pos |

Source: Chou et al., PLDI 2020, sec. 6.1: it stores the rows of skyline matrices. Entries above the
diagonal cannot be stored; where the level ends before the diagonal, it is cut off there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from tamale.dialects.errors import FormatError
from tamale.dialects.format.level import Level, LevelProperties
from tamale.dialects.query.select import Aggregate, Select
from tamale.passes.levels.arithmetic import onto_low
from tamale.passes.levels.checks import check_edges, check_widths
from tamale.passes.levels.functions import LevelAssembly, LevelStorage, StoredLevel
from tamale.passes.levels.segmented import Segmented, owners

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from xdsl.ir import SSAValue

REFUSAL = "format cannot hold an entry"


class Banded(Segmented):
    """
    Coordinate `i` below parent position `p` has position `pos[p + 1] + i - (d + 1)`, where `d` is
    the parent's own coordinate.
    """

    name = "banded"
    defaults = LevelProperties(
        full=False, ordered=True, unique=True, branchless=False, compact=False
    )
    arrays = ("pos",)
    extents = MappingProxyType({"pos": "edges"})
    iterates = "coordinates"
    pads = True
    alone = "refuses entries that it cannot hold"
    holds = "entries on and below the diagonal"

    def verify(self, level: Level, depth: int) -> None:
        if depth == 0:
            raise FormatError(
                "ends at the coordinate of the level above, but there is none; "
                "put it below another level"
            )

    # Walking

    def coord_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        high = self._end(level, level.ancestors[-1])
        return level.emit.sub(high, self.width(level, parent)), high

    def locate(
        self, level: LevelStorage, parent: SSAValue, coordinate: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        emit = level.emit
        begin, end = self.segment(level, parent)
        high = self._end(level, level.ancestors[-1])
        position = emit.add(end, emit.sub(coordinate, high))
        inside = emit.compare("slt", coordinate, high)
        return position, emit.and_(emit.compare("sge", position, begin), inside)

    def _end(self, level: LevelStorage, diagonal: SSAValue) -> SSAValue:
        """One more than the last coordinate that is stored."""
        emit = level.emit
        return emit.min(emit.add(diagonal, emit.constant(1)), onto_low(level, level.size))

    # Assembly

    def queries(self, level: Level, above: Sequence[str], own: str) -> tuple[Select, ...]:
        return (Select(tuple(above), (Aggregate("min", (own,), "w"),)),)

    def room(
        self,
        level: LevelAssembly,
        coordinates: Sequence[SSAValue],
        row: Mapping[str, SSAValue],
    ) -> SSAValue:
        """None for a parent without entries, whose minimum lies beyond the level's end."""
        emit = level.emit
        smallest = emit.sub(onto_low(level, level.size), row["w"])
        return emit.max(emit.sub(self._end(level, coordinates[-1]), smallest), emit.constant(0))

    def get_pos(
        self, level: LevelAssembly, parent: SSAValue, coordinates: Sequence[SSAValue]
    ) -> SSAValue:
        emit, (*_, diagonal, coordinate) = level.emit, coordinates
        emit.check(emit.compare("sle", coordinate, diagonal), REFUSAL)
        end = level.read("pos", emit.add(parent, emit.constant(1)))
        return emit.add(end, emit.sub(coordinate, self._end(level, diagonal)))

    # Stored arrays

    def check(self, level: StoredLevel, parents: int) -> None:
        check_edges(level, parents)
        check_widths(level, (_ends(level) - level.low).clip(0))

    def coordinates(
        self, level: StoredLevel, parents: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        import numpy as np

        above = owners(level, parents)
        shifts = _ends(level) - level.arrays["pos"][1 : parents + 1]
        return above, np.arange(len(above), dtype=np.int64) + shifts[above]


def _ends(level: StoredLevel) -> NDArray[np.int64]:
    """Per parent: one more than the last coordinate that is stored."""
    import numpy as np

    return np.minimum(level.ancestors[-1] + 1, level.low + level.size)
