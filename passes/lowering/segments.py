"""
`assembly.sort_segments`: the entries below each parent position in order, emitted as loops.

Other segments do not matter to a segment: what the sort needs beside the tensor is room for the
longest one.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from tamale.dialects.assembly import InsertCoordOp, SortSegmentsOp, StoreOp
from tamale.dialects.cfir.storage import LoadOp, PosAccessOp, PosBoundsOp
from tamale.dialects.format.attribute import tensor_format
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.levels import storage_kind
from tamale.passes.lowering.digits import DigitSort, allocate_counts
from tamale.passes.lowering.entries import EntryWalk
from tamale.passes.lowering.entry_sort import SHORT, EntrySort
from tamale.passes.lowering.scratch import Scratch


class SegmentSort:
    """Emits the sort of one level's segments."""

    def __init__(self, emit: Emitter, op: SortSegmentsOp) -> None:
        self.emit, self.tensor, self.level = emit, op.tensor, op.level_index
        self.format = tensor_format(op.tensor_type)
        self.with_values = op.with_values is not None
        last = len(self.format.levels) if self.with_values else self.level + 1
        self.levels = range(self.level, last)
        self.tensor_type = op.tensor_type
        self.zero, self.one = emit.constant(0), emit.constant(1)
        self.parent, self.above = self.zero, list[SSAValue]()

    def run(self) -> None:
        emit = self.emit
        longest = self._longest()
        room = emit.select(emit.compare("sgt", longest, emit.constant(SHORT)), longest, self.zero)
        value = self.tensor_type.element_type if self.with_values else None
        scratch = Scratch.allocate(emit, [INDEX] * len(self.levels), value, room)
        counts = allocate_counts(emit, "counts")
        digits = DigitSort(emit, self._entry, self._write, counts, scratch)
        self._for_segments(EntrySort(emit, len(self.levels), self._key, digits).sort)
        emit.free(counts)
        scratch.free()

    def _for_segments(self, visit: Callable[[SSAValue, SSAValue], None]) -> None:
        """A loop over the parents; `visit` is given the bounds of their segments."""
        emit, name = self.emit, self.tensor.name_hint or "B"
        walk = EntryWalk(emit, self.tensor, self.format, name)
        with walk.loops(self.level) as (coordinates, parent):
            self.parent, self.above = parent, coordinates
            ancestors = self._ancestors(self.level, coordinates)
            bounds = emit.insert(PosBoundsOp(self.tensor, self.level, parent, ancestors))
            visit(bounds.begin, bounds.end)

    def _longest(self) -> SSAValue:
        emit = self.emit
        longest = emit.variable(INDEX, "longest", self.zero)

        def visit(begin: SSAValue, end: SSAValue) -> None:
            emit.store(emit.max(emit.load(longest), emit.sub(end, begin)), longest)

        self._for_segments(visit)
        return emit.load(longest)

    # Entries

    def _ancestors(self, k: int, coordinates: list[SSAValue]) -> list[SSAValue]:
        return coordinates if storage_kind(self.format.levels[k].kind).asks_ancestors else []

    def _key(self, p: SSAValue) -> list[SSAValue]:
        """The coordinates at p, of this level and those below."""
        key: list[SSAValue] = []
        for k in self.levels:
            ancestors = self._ancestors(k, [*self.above, *key])
            key.append(self.emit.insert(PosAccessOp(self.tensor, k, p, ancestors)).coordinate)
        return key

    def _entry(self, p: SSAValue) -> list[SSAValue]:
        if not self.with_values:
            return self._key(p)
        return [*self._key(p), self.emit.insert(LoadOp(self.tensor, p)).value]

    def _write(self, entry: list[SSAValue], p: SSAValue) -> None:
        emit, path = self.emit, list(self.above)
        for k, coordinate in zip(self.levels, entry, strict=False):
            path.append(coordinate)
            parent = self.parent if k == self.level else p
            emit.insert(InsertCoordOp(self.tensor, k, parent, p, list(path)))
        if self.with_values:
            emit.insert(StoreOp(entry[-1], self.tensor, p, adding=False))


def lower_segments(emit: Emitter, op: SortSegmentsOp) -> None:
    """Replaces the op by loops."""
    SegmentSort(emit, op).run()
    Rewriter.erase_op(op)
