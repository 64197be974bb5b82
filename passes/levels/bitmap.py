"""
The level kind `bitmap`: a mark per coordinate of the dimension says whether it has an entry.

| full | ordered | unique | branchless | compact | iterate by | locate | insert | append | arrays |
|---|---|---|---|---|---|---|---|---|---|
| no | yes | yes | no | no | coordinate | O(1) | yes | no | present |
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from tamale.dialects.errors import FormatError
from tamale.dialects.format.level import LevelProperties
from tamale.passes.levels.arithmetic import (
    all_coordinates,
    flat_coordinates,
    flat_position,
    onto_low,
)
from tamale.passes.levels.checks import check_length
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


class Bitmap(StorageKind):
    """
    Coordinate `i` below parent position `p` has position `p * size + i`, `i` counted from the
    smallest one; `present` is 1 there if it is stored, else 0.
    """

    name = "bitmap"
    asks_ancestors = False
    defaults = LevelProperties(
        full=False, ordered=True, unique=True, branchless=False, compact=False
    )
    arrays = ("present",)
    extents = MappingProxyType({"present": "positions"})
    iterates = "coordinates"
    pads = False
    skips = True
    alone = None

    # Walking

    def coord_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        return level.low, onto_low(level, level.size)

    def locate(
        self, level: LevelStorage, parent: SSAValue, coordinate: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        emit = level.emit
        position = flat_position(level, parent, level.size, coordinate)
        return position, emit.compare("ne", level.read("present", position), emit.constant(0))

    def size_below(self, level: LevelStorage, parents: SSAValue) -> SSAValue:
        return level.emit.mul(parents, level.size)

    # Assembly

    def init_coords(self, level: LevelAssembly, parents: SSAValue) -> None:
        level.allocate("present", self.size_below(level, parents), zeroed=True)

    def get_pos(
        self, level: LevelAssembly, parent: SSAValue, coordinates: Sequence[SSAValue]
    ) -> SSAValue:
        return flat_position(level, parent, level.size, coordinates[-1])

    def insert_coord(
        self,
        level: LevelAssembly,
        parent: SSAValue,
        position: SSAValue,
        coordinates: Sequence[SSAValue],
    ) -> None:
        level.write("present", position, level.emit.constant(1))

    # Stored arrays

    def count(self, level: StoredLevel, parents: int) -> int:
        return parents * level.size

    def check(self, level: StoredLevel, parents: int) -> None:
        check_length(level, "present", parents * level.size)
        present = level.arrays["present"]
        wrong = ((present < 0) | (present > 1)).nonzero()[0]
        if len(wrong):
            k = int(wrong[0])
            raise FormatError(f"{level.where}: present[{k}] is {present[k]}, expected 0 or 1")

    def coordinates(
        self, level: StoredLevel, parents: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return flat_coordinates(parents, all_coordinates(level, level.size))

    def found(self, level: StoredLevel, parents: int) -> NDArray[np.bool_]:
        return level.arrays["present"] != 0
