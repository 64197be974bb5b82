"""
The level kind `compressed`: a segment of explicit coordinates per parent position.

| full | ordered | unique | branchless | compact | iterate by | locate | insert | append | arrays |
|---|---|---|---|---|---|---|---|---|---|
| no | opt | opt | no | yes | position | O(log n) if ordered | no | yes | pos, crd |
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from tamale.dialects.format.level import LevelProperties
from tamale.passes.levels.checks import check_ascent, check_edges, check_length, check_range
from tamale.passes.levels.functions import LevelStorage, Packed, StorageKind, StoredLevel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from xdsl.ir import SSAValue


class Compressed(StorageKind):
    """Parent position `p` owns positions `pos[p]` up to `pos[p + 1]`, with coordinates in `crd`."""

    name = "compressed"
    defaults = LevelProperties(
        full=False, ordered=True, unique=True, branchless=False, compact=True
    )
    toggles = ("unique", "ordered")
    arrays = ("pos", "crd")
    extents = MappingProxyType({"pos": "edges", "crd": "positions"})
    appends = True

    def pos_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        after = level.emit.add(parent, level.emit.constant(1))
        after.name_hint = f"{parent.name_hint or 'p'}_next"
        return level.read("pos", parent), level.read("pos", after)

    def pos_access(self, level: LevelStorage, position: SSAValue) -> SSAValue:
        return level.read("crd", position)

    def size_below(self, level: LevelStorage, parents: SSAValue) -> SSAValue:
        return level.read("pos", parents)

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
        emit = level.emit
        with emit.loop(emit.constant(0), parents, "p") as p:
            after = emit.add(p, emit.constant(1))
            level.write("pos", after, emit.add(level.read("pos", after), level.read("pos", p)))

    def count(self, level: StoredLevel, parents: int) -> int:
        return int(level.arrays["pos"][parents])

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

    def pack(
        self,
        properties: LevelProperties,
        size: int,
        parents: tuple[NDArray[np.int64], int],
        coordinates: NDArray[np.int64],
    ) -> Packed:
        import numpy as np

        above, count = parents
        first = np.ones(len(coordinates), dtype=np.bool_)
        if properties.unique:
            first[1:] = (above[1:] != above[:-1]) | (coordinates[1:] != coordinates[:-1])
        per_parent = np.bincount(above[first], minlength=count)
        pos = np.concatenate(([0], np.cumsum(per_parent))).astype(np.int64)
        positions = np.cumsum(first) - 1
        return Packed({"pos": pos, "crd": coordinates[first]}, positions, int(pos[-1]))

    def coordinates(
        self, level: StoredLevel, parents: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        import numpy as np

        lengths = np.diff(level.arrays["pos"][: parents + 1])
        owners = np.repeat(np.arange(parents, dtype=np.int64), lengths)
        return owners, level.arrays["crd"].astype(np.int64)
