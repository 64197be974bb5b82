"""
The level kind `jagged`: the rows that have a k-th entry, of all rows sorted by how many they have.

| full | ordered | unique | branchless | compact | iterate by | locate | insert | append | arrays |
|---|---|---|---|---|---|---|---|---|---|
| no | no | yes | no | yes | position | no | yes | no | pos, perm |

It stores the jagged diagonals of JAD (Saad, SIAM J. Sci. Stat. Comput. 1989), below a level that
numbers the entries of each row: with rows in falling order of length, those of slot k come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expressions import Counter, Var
from tamale.dialects.format.level import Level, LevelProperties
from tamale.dialects.query.select import EVERY, Aggregate, Select
from tamale.passes.levels.arithmetic import from_low, onto_low
from tamale.passes.levels.checks import check_edges, check_length, check_range, check_widths
from tamale.passes.levels.functions import (
    LevelAssembly,
    LevelStorage,
    StorageKind,
    StoredLevel,
)
from tamale.passes.levels.segmented import owners

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from xdsl.ir import SSAValue

NEXT, RANKS = "next", "rperm"
"""Temporaries: per length, the place in `perm` of the next such row; per row, its place."""


class Jagged(StorageKind):
    """
    `perm` has all rows, the longest first; slot `p` has the first `pos[p + 1] - pos[p]` of them, at
    positions from `pos[p]` on.
    """

    name = "jagged"
    defaults = LevelProperties(
        full=False, ordered=False, unique=True, branchless=False, compact=True
    )
    arrays = ("pos", "perm")
    extents = MappingProxyType({"pos": "edges", "perm": "size"})
    pads = False
    alone = None

    def verify_below(self, level: Level, above: Sequence[Level]) -> None:
        own = level.expression
        rows = Counter((own.name,)) if isinstance(own, Var) else None
        if [(x.expression, x.kind) for x in above] != [(rows, "sliced")]:
            raise FormatError(
                "stores rows by their number of entries, so it must be the second level, below "
                "the counter of entries per row, such as '#i : sliced' above 'i : jagged'"
            )

    # Walking

    def pos_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        return level.read("pos", parent), level.read(
            "pos", level.emit.add(parent, level.emit.constant(1))
        )

    def pos_access(self, level: LevelStorage, position: SSAValue) -> SSAValue:
        """The slot is the parent position: the outermost level counts from 0."""
        begin = level.read("pos", level.ancestors[-1])
        return level.read("perm", level.emit.sub(position, begin))

    def size_below(self, level: LevelStorage, parents: SSAValue) -> SSAValue:
        return level.read("pos", parents)

    # Assembly

    def queries(self, level: Level, above: Sequence[str], own: str) -> tuple[Select, ...]:
        return (Select((own,), (Aggregate("count", EVERY, "length"),)),)

    def init_coords(self, level: LevelAssembly, parents: SSAValue) -> None:
        emit = level.emit
        level.allocate("pos", emit.add(parents, emit.constant(1)))
        level.allocate("perm", level.size)
        self._count_lengths(level, parents)
        self._place_lengths(level, parents)
        self._set_edges(level, parents)
        self._sort_rows(level)

    def get_pos(
        self, level: LevelAssembly, parent: SSAValue, coordinates: Sequence[SSAValue]
    ) -> SSAValue:
        rank = level.recall(RANKS, from_low(level, coordinates[-1]))
        return level.emit.add(level.read("pos", parent), rank)

    def finalize_pos(self, level: LevelAssembly, parents: SSAValue) -> None:
        level.emit.free(level.temporaries.take(RANKS))

    def _count_lengths(self, level: LevelAssembly, slots: SSAValue) -> None:
        """`next[n]` = how many rows have n entries, for n up to the number of slots."""
        emit = level.emit
        zero, one = emit.constant(0), emit.constant(1)
        rows = level.temporaries[NEXT] = emit.allocate(zero.type, emit.add(slots, one), NEXT)
        with emit.loop(zero, emit.add(slots, one), "n") as n:
            emit.store(zero, rows, n)
        with emit.loop(zero, level.size, "c") as c:
            n = level.query("length", c)
            emit.store(emit.add(emit.load(rows, n), one), rows, n)

    def _place_lengths(self, level: LevelAssembly, slots: SSAValue) -> None:
        """`next[n]` = how many rows have more than n entries, which is where those with n begin."""
        emit, rows = level.emit, level.temporaries[NEXT]
        zero = emit.constant(0)
        longer = emit.variable(zero.type, "longer", zero)
        with emit.loop(zero, emit.add(slots, emit.constant(1)), "k") as k:
            n = emit.sub(slots, k)
            before, more = emit.load(longer), emit.load(rows, n)
            emit.store(before, rows, n)
            emit.store(emit.add(before, more), longer)

    def _set_edges(self, level: LevelAssembly, slots: SSAValue) -> None:
        """Slot k has as many entries as rows have more than k."""
        emit = level.emit
        zero = emit.constant(0)
        total = emit.variable(zero.type, "total", zero)
        level.write("pos", zero, zero)
        with emit.loop(zero, slots, "k") as k:
            end = emit.add(emit.load(total), emit.load(level.temporaries[NEXT], k))
            emit.store(end, total)
            level.write("pos", emit.add(k, emit.constant(1)), end)
        level.fits(emit.load(total), "pos")

    def _sort_rows(self, level: LevelAssembly) -> None:
        """Fills `perm`, and its inverse; rows of equal length stay in their order."""
        emit, rows = level.emit, level.temporaries.take(NEXT)
        zero, one = emit.constant(0), emit.constant(1)
        level.allocate_temporary(RANKS, emit.max(level.size, one), like="perm")
        with emit.loop(zero, level.size, "c") as c:
            n = level.query("length", c)
            place = emit.load(rows, n)
            emit.store(emit.add(place, one), rows, n)
            level.remember(RANKS, c, place)
            level.write("perm", place, onto_low(level, c))
        emit.free(rows)

    # Stored arrays

    def count(self, level: StoredLevel, parents: int) -> int:
        return int(level.arrays["pos"][parents])

    def check(self, level: StoredLevel, parents: int) -> None:
        import numpy as np

        check_edges(level, parents)
        check_widths(level, level.size)
        widths = np.diff(level.arrays["pos"])
        grows = (widths[1:] > widths[:-1]).nonzero()[0]
        if len(grows):
            k = int(grows[0])
            raise FormatError(
                f"{level.where}: slot {k + 1} has {widths[k + 1]} rows and slot {k} only "
                f"{widths[k]}; a row that has an entry there has one in all slots before"
            )
        check_length(level, "perm", level.size)
        check_range(level, "perm")
        self._check_permutation(level)

    def _check_permutation(self, level: StoredLevel) -> None:
        import numpy as np

        perm = level.arrays["perm"]
        times = np.bincount(perm - level.low, minlength=level.size)
        repeated = (times > 1).nonzero()[0]
        if len(repeated):
            row = int(repeated[0]) + level.low
            a, b = (int(k) for k in (perm == row).nonzero()[0][:2])
            raise FormatError(f"{level.where}: perm[{a}] and perm[{b}] are both {row}")

    def coordinates(
        self, level: StoredLevel, parents: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        import numpy as np

        slots = owners(level, parents)
        places = np.arange(len(slots), dtype=np.int64) - level.arrays["pos"][slots]
        return slots, level.arrays["perm"].astype(np.int64)[places]
