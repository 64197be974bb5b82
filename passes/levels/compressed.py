"""
The level kind `compressed`: a segment of explicit coordinates per parent position.

| full | ordered | unique | branchless | compact | iterate by | locate | insert | append | arrays |
|---|---|---|---|---|---|---|---|---|---|
| no | opt | opt | no | yes | position | O(log n) if ordered | no | yes | pos, crd |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tamale.dialects.format.level import Level, LevelProperties
from tamale.dialects.query.select import EVERY, Aggregate, Select
from tamale.passes.levels.checks import check_ascent, check_edges, check_length, check_range
from tamale.passes.levels.functions import LevelAssembly, LevelStorage, StoredLevel
from tamale.passes.levels.segmented import Segmented, owners

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from xdsl.ir import SSAValue


class Compressed(Segmented):
    """Parent position `p` owns positions `pos[p]` up to `pos[p + 1]`, with coordinates in `crd`."""

    name = "compressed"
    asks_ancestors = False
    asks_bounds = False
    defaults = LevelProperties(
        full=False, ordered=True, unique=True, branchless=False, compact=True
    )
    toggles = ("unique", "ordered")
    arrays = ("pos", "crd")
    extents = MappingProxyType({"pos": "edges", "crd": "positions"})
    pads = False
    appends = True
    yields = True
    alone = None

    # Walking

    def pos_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        return self.segment(level, parent)

    def pos_access(self, level: LevelStorage, position: SSAValue) -> SSAValue:
        return level.read("crd", position)

    # Appending

    def append_coord(self, level: LevelStorage, position: SSAValue, coordinate: SSAValue) -> None:
        level.write("crd", position, coordinate)

    def append_edges(
        self,
        level: LevelStorage,
        parent: SSAValue,
        begin: SSAValue,
        end: SSAValue,
        *,
        counted: bool,
    ) -> None:
        emit = level.emit
        after = emit.add(parent, emit.constant(1))
        level.write("pos", after, emit.sub(end, begin) if counted else end)

    def init_edges(self, level: LevelStorage, parents: SSAValue, *, counted: bool) -> None:
        emit = level.emit
        zero, one = emit.constant(0), emit.constant(1)
        if not counted:
            level.write("pos", zero, zero)
            return
        with emit.loop(zero, emit.add(parents, one), "p") as p:
            level.write("pos", p, zero)

    def finish_edges(self, level: LevelStorage, parents: SSAValue, *, counted: bool) -> None:
        if not counted:
            return
        self.sum_up(level, parents)

    # Assembly

    def queries(self, level: Level, above: Sequence[str], own: str) -> tuple[Select, ...]:
        counted = (own,) if self.option(level, "unique") else EVERY
        return (Select(tuple(above), (Aggregate("count", counted, "nir"),)),)

    def room(
        self,
        level: LevelAssembly,
        coordinates: Sequence[SSAValue],
        row: Mapping[str, SSAValue],
    ) -> SSAValue:
        return row["nir"]

    def unseq_count_edge(self, level: LevelAssembly, parent: SSAValue) -> None:
        self.enlarge(level, level.emit.constant(1))
        self._step(level, level.emit.add(parent, level.emit.constant(1)))

    def init_coords(self, level: LevelAssembly, parents: SSAValue) -> None:
        level.allocate("crd", self.checked_total(level))

    def yield_pos(self, level: LevelAssembly, parent: SSAValue) -> SSAValue:
        return self._step(level, parent)

    def insert_coord(
        self,
        level: LevelAssembly,
        parent: SSAValue,
        position: SSAValue,
        coordinates: Sequence[SSAValue],
    ) -> None:
        level.write("crd", position, coordinates[-1])

    def finalize_pos(self, level: LevelAssembly, parents: SSAValue) -> None:
        """Each `pos[p]` has moved on to where `p + 1` begins."""
        emit = level.emit
        zero, one = emit.constant(0), emit.constant(1)
        with emit.loop(zero, parents, "p") as p:
            after = emit.sub(parents, p)
            level.write("pos", after, level.read("pos", emit.sub(after, one)))
        level.write("pos", zero, zero)

    def _step(self, level: LevelAssembly, place: SSAValue) -> SSAValue:
        """Adds 1 to an element of `pos`; returns what it was."""
        before = level.read("pos", place)
        level.write("pos", place, level.emit.add(before, level.emit.constant(1)))
        return before

    # Stored arrays

    def check(self, level: StoredLevel, parents: int) -> None:
        import numpy as np

        check_edges(level, parents)
        pos, crd = level.arrays["pos"], level.arrays["crd"]
        check_length(level, "crd", int(pos[parents]))
        check_range(level)
        same_parent = np.ones(max(len(crd) - 1, 0), dtype=np.bool_)
        starts = pos[1:-1]
        same_parent[starts[(starts > 0) & (starts < len(crd))] - 1] = False
        check_ascent(level, same_parent)

    def coordinates(
        self, level: StoredLevel, parents: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        import numpy as np

        return owners(level, parents), level.arrays["crd"].astype(np.int64)

    def children(
        self,
        level: StoredLevel,
        parents: int,
        places: NDArray[np.int64],
        coordinate: int | None,
    ) -> NDArray[np.int64]:
        import numpy as np

        if coordinate is None:
            return super().children(level, parents, places, coordinate)
        pos, crd = level.arrays["pos"], level.arrays["crd"]
        found: list[Any] = []
        for place in places.tolist():
            begin, end = int(pos[place]), int(pos[place + 1])
            segment: NDArray[np.integer[Any]] = crd[begin:end]
            if level.properties.ordered:
                low, high = np.searchsorted(segment, [coordinate, coordinate + 1])
                found.append(np.arange(begin + low, begin + high))
            else:
                found.append((segment == coordinate).nonzero()[0] + begin)
        return np.concatenate(found) if found else places
