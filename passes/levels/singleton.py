"""
The level kind `singleton`: one explicit coordinate per parent position.

| full | ordered | unique | branchless | compact | iterate by | locate | insert | append | arrays |
|---|---|---|---|---|---|---|---|---|---|
| no | opt | opt | yes | yes | position | no | no | yes | crd |
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from tamale.dialects.errors import FormatError
from tamale.dialects.format.level import Level, LevelProperties
from tamale.passes.levels.checks import check_length, check_range
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


class Singleton(StorageKind):
    """The child of parent position `p` has position `p` too; `crd[p]` is its coordinate."""

    name = "singleton"
    asks_ancestors = False
    defaults = LevelProperties(full=False, ordered=True, unique=True, branchless=True, compact=True)
    toggles = ("unique", "ordered")
    arrays = ("crd",)
    extents = MappingProxyType({"crd": "positions"})
    appends = True
    alone = None

    def verify(self, level: Level, depth: int) -> None:
        if depth == 0:
            raise FormatError(
                "shares the positions of its parent level, but has none; "
                "put it below another level, or use 'compressed'"
            )

    def pos_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        return parent, level.emit.add(parent, level.emit.constant(1))

    def pos_access(self, level: LevelStorage, position: SSAValue) -> SSAValue:
        return level.read("crd", position)

    def size_below(self, level: LevelStorage, parents: SSAValue) -> SSAValue:
        return parents

    def append_coord(self, level: LevelStorage, position: SSAValue, coordinate: SSAValue) -> None:
        level.write("crd", position, coordinate)

    def init_coords(self, level: LevelAssembly, parents: SSAValue) -> None:
        """Positions that no entry asks for get the smallest coordinate."""
        emit = level.emit
        zero = emit.constant(0)
        level.allocate("crd", parents, zeroed=level.low is zero)
        if level.low is not zero:
            with emit.loop(zero, parents, "p") as p:
                level.write("crd", p, level.low)

    def get_pos(
        self, level: LevelAssembly, parent: SSAValue, coordinates: Sequence[SSAValue]
    ) -> SSAValue:
        return parent

    def insert_coord(
        self,
        level: LevelAssembly,
        parent: SSAValue,
        position: SSAValue,
        coordinates: Sequence[SSAValue],
    ) -> None:
        level.write("crd", position, coordinates[-1])

    def count(self, level: StoredLevel, parents: int) -> int:
        return parents

    def check(self, level: StoredLevel, parents: int) -> None:
        check_length(level, "crd", parents)
        check_range(level)

    def coordinates(
        self, level: StoredLevel, parents: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        import numpy as np

        return np.arange(parents, dtype=np.int64), level.arrays["crd"].astype(np.int64)

    def children(
        self,
        level: StoredLevel,
        parents: int,
        places: NDArray[np.int64],
        coordinate: int | None,
    ) -> NDArray[np.int64]:
        return places if coordinate is None else places[level.arrays["crd"][places] == coordinate]
