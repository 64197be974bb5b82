"""
The level kind `hashed`: a hash table of coordinates per parent position.

| full | ordered | unique | branchless | compact | iterate by | locate | insert | append | arrays |
|---|---|---|---|---|---|---|---|---|---|
| no | no | yes | no | no | position | O(1) expected | yes | no | pos, crd |

A table has no places for no coordinates, else the smallest power of two that leaves half of them
free. A coordinate is at its home place or, where that is taken, at the next one after it that is
not, around the end. The home place comes from a product with an odd constant (Knuth, TAOCP 3, 6.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from tamale.dialects.format.level import Level, LevelProperties
from tamale.dialects.query.select import Aggregate, Select
from tamale.passes.levels.arithmetic import from_low, onto_low
from tamale.passes.levels.functions import LevelAssembly, LevelStorage, StoredLevel
from tamale.passes.levels.hash_tables import FREE, MULTIPLIER, SHIFT, check_tables
from tamale.passes.levels.segmented import Segmented, owners

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from xdsl.ir import SSAValue


class Hashed(Segmented):
    """
    The table of parent position `p` are the places `pos[p]` up to `pos[p + 1]` of `crd`, which
    has coordinates counted from the smallest one; at free places it is -1.
    """

    name = "hashed"
    asks_ancestors = False
    defaults = LevelProperties(
        full=False, ordered=False, unique=True, branchless=False, compact=False
    )
    arrays = ("pos", "crd")
    extents = MappingProxyType({"pos": "edges", "crd": "positions"})
    pads = False
    skips = True
    alone = "takes the next place that is free"

    # Walking

    def pos_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        return self.segment(level, parent)

    def pos_access(self, level: LevelStorage, position: SSAValue) -> SSAValue:
        return onto_low(level, level.read("crd", position))

    def pos_found(self, level: LevelStorage, position: SSAValue) -> SSAValue:
        emit = level.emit
        return emit.compare("ne", level.read("crd", position), emit.constant(FREE))

    def locate(
        self, level: LevelStorage, parent: SSAValue, coordinate: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        emit = level.emit
        table, number = self.segment(level, parent), from_low(level, coordinate)
        truth = emit.true().type
        place = emit.variable(table[0].type, "place", table[0])
        found = emit.variable(truth, "found", emit.constant(0, truth))
        with emit.when(emit.compare("slt", *table)):
            self._search(level, table, number, place)
            held = level.read("crd", emit.load(place))
            emit.store(emit.compare("eq", held, number), found)
        return emit.load(place), emit.load(found)

    def _search(
        self,
        level: LevelStorage,
        table: tuple[SSAValue, SSAValue],
        number: SSAValue,
        place: SSAValue,
    ) -> None:
        """
        Sets the variable `place` to where `number` is in a table with places, or to the free
        place where it would be.
        """
        emit, (begin, end) = level.emit, table
        one = emit.constant(1)
        mask = emit.sub(emit.sub(end, begin), one)

        def taken_by_another() -> SSAValue:
            held = level.read("crd", emit.load(place))
            taken = emit.compare("ne", held, emit.constant(FREE))
            return emit.and_(taken, emit.compare("ne", held, number))

        product = emit.mul(number, emit.constant(MULTIPLIER))
        home = emit.binary("shr", product, emit.constant(SHIFT))
        emit.store(emit.add(begin, emit.and_(home, mask)), place)
        with emit.loop_while(taken_by_another):
            after = emit.add(emit.sub(emit.load(place), begin), one)
            emit.store(emit.add(begin, emit.and_(after, mask)), place)

    # Assembly

    @property
    def inserts(self) -> bool:
        return True  # `get_pos` does, when it meets a coordinate for the first time.

    def queries(self, level: Level, above: Sequence[str], own: str) -> tuple[Select, ...]:
        return (Select(tuple(above), (Aggregate("count", (own,), "nir"),)),)

    def room(
        self,
        level: LevelAssembly,
        coordinates: Sequence[SSAValue],
        row: Mapping[str, SSAValue],
    ) -> SSAValue:
        emit, count = level.emit, row["nir"]
        least = emit.add(count, count)
        places = emit.variable(count.type, "places", emit.min(count, emit.constant(1)))
        with emit.loop_while(lambda: emit.compare("slt", emit.load(places), least)):
            before = emit.load(places)
            emit.store(emit.add(before, before), places)
        return emit.load(places)

    def init_coords(self, level: LevelAssembly, parents: SSAValue) -> None:
        emit, total = level.emit, self.checked_total(level)
        level.allocate("crd", total)
        with emit.loop(emit.constant(0), total, "p") as p:
            level.write("crd", p, emit.constant(FREE))

    def get_pos(
        self, level: LevelAssembly, parent: SSAValue, coordinates: Sequence[SSAValue]
    ) -> SSAValue:
        emit = level.emit
        place = emit.variable(parent.type, "place")
        number = from_low(level, coordinates[-1])
        self._search(level, self.segment(level, parent), number, place)
        position = emit.load(place)
        level.write("crd", position, number)
        return position

    # Stored arrays

    def check(self, level: StoredLevel, parents: int) -> None:
        check_tables(level, parents)

    def coordinates(
        self, level: StoredLevel, parents: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        import numpy as np

        return owners(level, parents), level.arrays["crd"].astype(np.int64) + level.low

    def found(self, level: StoredLevel, parents: int) -> NDArray[np.bool_]:
        return level.arrays["crd"] != FREE
