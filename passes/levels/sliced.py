"""
The level kind `sliced`: the coordinates up to the largest that has an entry, the same below every
parent.

| full | ordered | unique | branchless | compact | iterate by | locate | insert | append | arrays |
|---|---|---|---|---|---|---|---|---|---|
| no | yes | yes | no | yes | coordinate | O(1) | yes | no | size |

Source: Chou et al., PLDI 2020, sec. 4: the slices of ELL, numbered by a counter. It is not `full`:
beyond the stored coordinates, the level can have more.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from tamale.dialects.format.level import Level, LevelProperties
from tamale.dialects.query.select import Aggregate, Select
from tamale.passes.levels.arithmetic import (
    all_coordinates,
    flat_coordinates,
    flat_position,
    from_low,
    make_single_size,
    onto_low,
    single_size,
)
from tamale.passes.levels.checks import check_size
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


class Sliced(StorageKind):
    """
    The `size` smallest coordinates; `i` below parent position `p` has position `p * size + i`, `i`
    counted from the smallest one.
    """

    name = "sliced"
    asks_ancestors = False
    asks_bounds = False
    defaults = LevelProperties(
        full=False, ordered=True, unique=True, branchless=False, compact=True
    )
    arrays = ("size",)
    extents = MappingProxyType({"size": "single"})
    iterates = "coordinates"
    pads = True
    alone = None

    # Walking

    def coord_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        return level.low, onto_low(level, single_size(level))

    def locate(
        self, level: LevelStorage, parent: SSAValue, coordinate: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        size = single_size(level)
        found = level.emit.compare("slt", from_low(level, coordinate), size)
        return flat_position(level, parent, size, coordinate), found

    def size_below(self, level: LevelStorage, parents: SSAValue) -> SSAValue:
        return level.emit.mul(parents, single_size(level))

    # Assembly

    def queries(self, level: Level, above: Sequence[str], own: str) -> tuple[Select, ...]:
        return (Select((), (Aggregate("max", (own,), "max_crd"),)),)

    def init_coords(self, level: LevelAssembly, parents: SSAValue) -> None:
        make_single_size(level, level.query("max_crd"))

    def get_pos(
        self, level: LevelAssembly, parent: SSAValue, coordinates: Sequence[SSAValue]
    ) -> SSAValue:
        return flat_position(level, parent, single_size(level), coordinates[-1])

    # Stored arrays

    def count(self, level: StoredLevel, parents: int) -> int:
        return parents * int(level.arrays["size"][0])

    def check(self, level: StoredLevel, parents: int) -> None:
        check_size(level)

    def coordinates(
        self, level: StoredLevel, parents: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return flat_coordinates(parents, all_coordinates(level, int(level.arrays["size"][0])))
