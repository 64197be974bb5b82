"""
`assembly.sort_segments`: the entries below each parent position in order, emitted as loops.

A segment of few entries is sorted by insertion, where an entry that is in its place costs one
comparison; a longer one by digits, unless it is in order. Both are stable. Other segments do not
matter to a segment: what the sort needs beside the tensor is room for the longest one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from tamale.dialects.assembly import InsertCoordOp, SortSegmentsOp, StoreOp
from tamale.dialects.cfir.storage import LoadOp, PosAccessOp, PosBoundsOp
from tamale.dialects.format.attribute import tensor_format
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.levels import storage_kind
from tamale.passes.lowering.digits import DigitSort, allocate_counts, bits_of
from tamale.passes.lowering.entries import EntryWalk
from tamale.passes.lowering.scratch import Scratch

SHORT = 64
"""Insertion beats counting digits up to about so many entries."""


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
        scratch = Scratch(emit, [INDEX] * len(self.levels), value, room)
        counts = allocate_counts(emit, "counts")
        self.digits = DigitSort(emit, self._entry, self._write, counts, scratch)
        self._for_segments(self._sort)
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

    def _is_below(self, left: list[SSAValue], right: list[SSAValue]) -> SSAValue:
        """Whether an entry comes before another one; the coordinates decide."""
        emit, count = self.emit, len(self.levels)
        pairs = list(zip(left[:count], right[:count], strict=True))
        below = emit.compare("slt", *pairs[-1])
        for a, b in reversed(pairs[:-1]):
            below = emit.or_(emit.compare("slt", a, b), emit.and_(emit.compare("eq", a, b), below))
        return below

    # Sorting

    def _sort(self, begin: SSAValue, end: SSAValue) -> None:
        emit = self.emit
        size = emit.named(emit.sub(end, begin), "size")
        short, long = emit.choice(emit.compare("sle", size, emit.constant(SHORT)))
        with emit.filling(short), emit.loop(emit.add(begin, self.one), end, "p") as p:
            with emit.when(self._is_out_of_order(p)):
                self._insert(begin, p)
        with emit.filling(long), emit.when(self._has_disorder(begin, end)):
            for n in reversed(range(len(self.levels))):
                low, bits = self._key_range(n, begin, end)
                key_at = partial(self._distance, n, low)
                self.digits.sort((begin, end), key_at, bits)

    def _is_out_of_order(self, p: SSAValue) -> SSAValue:
        before = self.emit.sub(p, self.one)
        return self._is_below(self._key(p), self._key(before))

    def _insert(self, first: SSAValue, p: SSAValue) -> None:
        """Moves the entry at p in front of the larger ones from `first` on."""
        emit = self.emit
        held, place = self._entry(p), emit.variable(INDEX, "place", p)

        def goes_on() -> SSAValue:
            here = emit.load(place)
            before = emit.max(emit.sub(here, self.one), first)
            larger = self._is_below(held, self._key(before))
            return emit.and_(emit.compare("sgt", here, first), larger)

        with emit.loop_while(goes_on):
            here = emit.load(place)
            before = emit.named(emit.sub(here, self.one), "before")
            self._write(self._entry(before), here)
            emit.store(before, place)
        self._write(held, emit.load(place))

    def _has_disorder(self, begin: SSAValue, end: SSAValue) -> SSAValue:
        """Whether some entry is below the one before it; there is at least one entry."""
        emit = self.emit
        place = emit.variable(INDEX, "in_order", emit.add(begin, self.one))

        def goes_on() -> SSAValue:
            here = emit.load(place)
            inside = emit.min(here, emit.sub(end, self.one))
            in_order = emit.xor(self._is_out_of_order(inside), emit.true())
            return emit.and_(emit.compare("slt", here, end), in_order)

        with emit.loop_while(goes_on):
            emit.store(emit.add(emit.load(place), self.one), place)
        return emit.compare("slt", emit.load(place), end)

    def _key_range(self, n: int, begin: SSAValue, end: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The smallest of a segment's n-th coordinates, and the bits of what they are above it."""
        emit = self.emit
        first = self._key(begin)[n]
        low, high = emit.variable(INDEX, "low", first), emit.variable(INDEX, "high", first)
        with emit.loop(begin, end, "p") as p:
            coordinate = self._key(p)[n]
            emit.store(emit.min(emit.load(low), coordinate), low)
            emit.store(emit.max(emit.load(high), coordinate), high)
        smallest = emit.load(low)
        return smallest, bits_of(emit, emit.sub(emit.load(high), smallest))

    def _distance(self, n: int, low: SSAValue, p: SSAValue) -> SSAValue:
        """The n-th coordinate at p, counted from the smallest."""
        return self.emit.sub(self._key(p)[n], low)


def lower_segments(emit: Emitter, op: SortSegmentsOp) -> None:
    """Replaces the op by loops."""
    SegmentSort(emit, op).run()
    Rewriter.erase_op(op)
