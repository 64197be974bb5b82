"""
The level kind `squeezed`: the coordinates that have any entry, the same below every parent.

| full | ordered | unique | branchless | compact | iterate by | locate | insert | append | arrays |
|---|---|---|---|---|---|---|---|---|---|
| no | yes | yes | no | yes | position | O(log n) | yes | no | size, perm |

Source: Chou et al., PLDI 2020, sec. 6.1: it stores the diagonals of DIA.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from tamale.dialects.format.level import Level, LevelProperties
from tamale.dialects.query.select import Aggregate, Select
from tamale.passes.emit.bisection import first_not_below
from tamale.passes.levels.arithmetic import (
    flat_coordinates,
    from_low,
    make_single_size,
    onto_low,
    single_size,
)
from tamale.passes.levels.checks import check_ascent, check_length, check_range, check_size
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

RANKS = "rperm"
"""The temporary that has the place in `perm` of each coordinate, counted from the smallest."""


class Squeezed(StorageKind):
    """`perm` has the `size` coordinates; the one at `perm[k]` has position `p * size + k`."""

    name = "squeezed"
    defaults = LevelProperties(
        full=False, ordered=True, unique=True, branchless=False, compact=True
    )
    arrays = ("size", "perm")
    extents = MappingProxyType({"size": "single", "perm": "size"})
    pads = True
    alone = None

    # Walking

    def pos_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        emit, size = level.emit, single_size(level)
        begin = emit.mul(parent, size)
        return begin, emit.add(begin, size)

    def pos_access(self, level: LevelStorage, position: SSAValue) -> SSAValue:
        if not level.ancestors:  # The only parent position is 0.
            return level.read("perm", position)
        return level.read("perm", level.emit.binary("mod", position, single_size(level)))

    def locate(
        self, level: LevelStorage, parent: SSAValue, coordinate: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        emit, size = level.emit, single_size(level)
        place = first_not_below(
            emit, emit.constant(0), size, coordinate, lambda p: level.read("perm", p)
        )
        found = emit.variable(emit.true().type, "found", emit.constant(0, emit.true().type))
        with emit.when(emit.compare("slt", place, size)):
            emit.store(emit.compare("eq", level.read("perm", place), coordinate), found)
        return emit.add(emit.mul(parent, size), place), emit.load(found)

    def size_below(self, level: LevelStorage, parents: SSAValue) -> SSAValue:
        return level.emit.mul(parents, single_size(level))

    # Assembly

    def queries(self, level: Level, above: Sequence[str], own: str) -> tuple[Select, ...]:
        return (Select((own,), (Aggregate("id", (), "nz"),)),)

    def init_coords(self, level: LevelAssembly, parents: SSAValue) -> None:
        emit = level.emit
        zero = emit.constant(0)
        total = emit.variable(zero.type, "size", zero)
        with emit.loop(zero, level.size, "c") as c, emit.when(self._is_stored(level, c)):
            emit.store(emit.add(emit.load(total), emit.constant(1)), total)
        size = emit.load(total)
        make_single_size(level, size)
        level.allocate("perm", size)

    def init_pos(self, level: LevelAssembly, parents: SSAValue) -> None:
        """Fills `perm`, and its inverse."""
        emit = level.emit
        zero, one = emit.constant(0), emit.constant(1)
        level.allocate_temporary(RANKS, emit.max(level.size, one), like="size")
        next_place = emit.variable(zero.type, "place", zero)
        with emit.loop(zero, level.size, "c") as c, emit.when(self._is_stored(level, c)):
            place = emit.load(next_place)
            level.write("perm", place, onto_low(level, c))
            level.remember(RANKS, c, place)
            emit.store(emit.add(place, one), next_place)

    def get_pos(
        self, level: LevelAssembly, parent: SSAValue, coordinates: Sequence[SSAValue]
    ) -> SSAValue:
        emit = level.emit
        rank = level.recall(RANKS, from_low(level, coordinates[-1]))
        return emit.add(emit.mul(parent, single_size(level)), rank)

    def finalize_pos(self, level: LevelAssembly, parents: SSAValue) -> None:
        level.emit.free(level.temporaries.take(RANKS))

    def _is_stored(self, level: LevelAssembly, number: SSAValue) -> SSAValue:
        emit = level.emit
        return emit.compare("ne", level.query("nz", number), emit.constant(0))

    # Stored arrays

    def length(self, level: StoredLevel, array: str, parents: int) -> int:
        return int(level.arrays["size"][0]) if array == "perm" else 1

    def count(self, level: StoredLevel, parents: int) -> int:
        return parents * int(level.arrays["size"][0])

    def check(self, level: StoredLevel, parents: int) -> None:
        check_length(level, "perm", check_size(level))
        check_range(level, "perm")
        check_ascent(level, array="perm")

    def coordinates(
        self, level: StoredLevel, parents: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        import numpy as np

        return flat_coordinates(parents, level.arrays["perm"].astype(np.int64))
