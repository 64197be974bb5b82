"""What level kinds share whose positions below a parent lie in a row, marked off by `pos`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tamale.passes.levels.functions import LevelAssembly, LevelStorage, StorageKind, StoredLevel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from xdsl.ir import SSAValue

TOTAL = "positions"
"""The temporary that adds up all positions in 64 bits, whatever the width of `pos`."""


class Segmented(StorageKind):
    """
    Parent position `p` owns positions `pos[p]` up to `pos[p + 1]`.

    Subclasses say how much `room` a parent needs, and call `checked_total` in `init_coords`: until
    then `pos` may have wrapped around.
    """

    edges = True

    # Walking

    def segment(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The positions [begin, end) of a parent position."""
        after = level.emit.add(parent, level.emit.constant(1))
        after.name_hint = f"{parent.name_hint or 'p'}_next"
        return level.read("pos", parent), level.read("pos", after)

    def width(self, level: LevelStorage, parent: SSAValue) -> SSAValue:
        """How many positions a parent position has."""
        begin, end = self.segment(level, parent)
        return level.emit.sub(end, begin)

    def size_below(self, level: LevelStorage, parents: SSAValue) -> SSAValue:
        return level.read("pos", parents)

    # Assembly

    def room(
        self,
        level: LevelAssembly,
        coordinates: Sequence[SSAValue],
        row: Mapping[str, SSAValue],
    ) -> SSAValue:
        """How many positions a parent needs; see `seq_insert_edges` for the arguments."""
        raise NotImplementedError(f"{self.name}: does not say how much room a parent needs")

    def seq_init_edges(self, level: LevelAssembly, parents: SSAValue) -> None:
        zero = level.emit.constant(0)
        self._allocate_edges(level, parents, zeroed=False)
        level.write("pos", zero, zero)

    def seq_insert_edges(
        self,
        level: LevelAssembly,
        parent: SSAValue,
        coordinates: Sequence[SSAValue],
        row: Mapping[str, SSAValue],
    ) -> None:
        total = self.enlarge(level, self.room(level, coordinates, row))
        level.write("pos", level.emit.add(parent, level.emit.constant(1)), total)

    def unseq_init_edges(self, level: LevelAssembly, parents: SSAValue) -> None:
        self._allocate_edges(level, parents, zeroed=True)

    def unseq_insert_edges(
        self,
        level: LevelAssembly,
        parent: SSAValue,
        coordinates: Sequence[SSAValue],
        row: Mapping[str, SSAValue],
    ) -> None:
        room = self.room(level, coordinates, row)
        self.enlarge(level, room)
        level.write("pos", level.emit.add(parent, level.emit.constant(1)), room)

    def end_edges(self, level: LevelAssembly, parent: SSAValue, end: SSAValue) -> None:
        level.write("pos", level.emit.add(parent, level.emit.constant(1)), end)

    def unseq_finalize_edges(self, level: LevelAssembly, parents: SSAValue) -> None:
        self.sum_up(level, parents)

    def init_coords(self, level: LevelAssembly, parents: SSAValue) -> None:
        self.checked_total(level)

    def sum_up(self, level: LevelStorage, parents: SSAValue) -> None:
        """Turns the number of positions of each parent, stored one place late, into edges."""
        emit = level.emit
        with emit.loop(emit.constant(0), parents, "p") as p:
            after = emit.add(p, emit.constant(1))
            level.write("pos", after, emit.add(level.read("pos", after), level.read("pos", p)))

    def checked_total(self, level: LevelAssembly) -> SSAValue:
        """How many positions there are in all, which `pos` can count or the kernel ends."""
        total = level.emit.load(level.temporaries[TOTAL])
        level.fits(total, "pos")
        return total

    def _allocate_edges(self, level: LevelAssembly, parents: SSAValue, *, zeroed: bool) -> None:
        emit = level.emit
        level.allocate("pos", emit.add(parents, emit.constant(1)), zeroed=zeroed)
        zero = emit.constant(0)
        level.temporaries[TOTAL] = emit.variable(zero.type, "total", zero)

    def enlarge(self, level: LevelAssembly, more: SSAValue) -> SSAValue:
        """Adds to the number of positions in all; returns it."""
        emit, variable = level.emit, level.temporaries[TOTAL]
        total = emit.add(emit.load(variable), more)
        emit.store(total, variable)
        return total

    # Stored arrays

    def count(self, level: StoredLevel, parents: int) -> int:
        return int(level.arrays["pos"][parents])


def owners(level: StoredLevel, parents: int) -> NDArray[np.int64]:
    """The parent position of every position."""
    import numpy as np

    widths = np.diff(level.arrays["pos"][: parents + 1])
    return np.repeat(np.arange(parents, dtype=np.int64), widths)
