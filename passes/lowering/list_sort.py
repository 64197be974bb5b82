"""Putting the entries of a list in the order of their coordinates, which are distinct."""

from __future__ import annotations

from typing import Protocol

from xdsl.ir import SSAValue

from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.bit_sort import BitSort
from tamale.passes.lowering.digits import DigitSort, allocate_counts
from tamale.passes.lowering.entry_sort import EntrySort
from tamale.passes.lowering.scratch import Scratch

FEW = 32
"""Up to so many entries, insertion beats bitmaps."""


class SortedList(Protocol):
    """A list of entries at consecutive positions."""

    emit: Emitter

    @property
    def values(self) -> SSAValue: ...
    def span(self) -> tuple[SSAValue, SSAValue]:
        """Between which positions the entries are."""
        ...

    def coordinate(self, position: SSAValue) -> SSAValue: ...
    def put(self, coordinate: SSAValue, position: SSAValue) -> None:
        """Writes a coordinate."""
        ...

    def find(self, coordinate: SSAValue) -> tuple[SSAValue, SSAValue, SSAValue]: ...


class ListSort:
    """Sorts one list, whose coordinates are marked in bitmaps if they have a `bound`."""

    def __init__(self, entries: SortedList, name: str, bound: SSAValue | None) -> None:
        self.entries, self.emit = entries, entries.emit
        self.counts = allocate_counts(self.emit, f"{name}_counts")
        self.bits = None if bound is None else BitSort.allocate(self.emit, bound, name)

    def arrays(self) -> list[SSAValue]:
        """All blocks, to be freed."""
        return [self.counts, *([self.bits.words, self.bits.tops] if self.bits else [])]

    def sort(self, scratch: Scratch) -> None:
        """`scratch` has room for as many entries."""
        begin, end = self.entries.span()
        if self.bits is None:
            self._sort_by_comparing(begin, end, scratch)
            return
        emit = self.emit
        count = emit.sub(end, begin)
        many = emit.compare("sgt", count, emit.constant(FEW))
        near = emit.compare("sle", self.bits.top_count, count)
        by_bits, otherwise = emit.choice(emit.and_(many, near))
        with emit.filling(by_bits):
            self._sort_by_bits(self.bits, begin, end, scratch)
        with emit.filling(otherwise):
            self._sort_by_comparing(begin, end, scratch)

    def _sort_by_bits(
        self, bits: BitSort, begin: SSAValue, end: SSAValue, scratch: Scratch
    ) -> None:
        """Marks the coordinates, reads them in order, and finds the value of each by its slot."""
        emit, values, moved = self.emit, self.entries.values, scratch.values
        assert moved is not None
        with emit.loop(begin, end, "p") as p:
            bits.mark(self.entries.coordinate(p))
        following = emit.variable(INDEX, "place", begin)

        def visit(coordinate: SSAValue) -> None:
            place = emit.load(following)
            position, _, _ = self.entries.find(coordinate)
            self.entries.put(coordinate, place)
            emit.store(emit.load(values, position), moved, emit.sub(place, begin))
            emit.store(emit.add(place, emit.constant(1)), following)

        bits.read(visit)
        with emit.loop(begin, end, "p") as p:
            emit.store(emit.load(moved, emit.sub(p, begin)), values, p)

    def _sort_by_comparing(self, begin: SSAValue, end: SSAValue, scratch: Scratch) -> None:
        digits = DigitSort(self.emit, self._entry, self._write, self.counts, scratch)
        EntrySort(self.emit, 1, self._key, digits).sort(begin, end)

    def _key(self, p: SSAValue) -> list[SSAValue]:
        return [self.entries.coordinate(p)]

    def _entry(self, p: SSAValue) -> list[SSAValue]:
        return [*self._key(p), self.emit.load(self.entries.values, p)]

    def _write(self, entry: list[SSAValue], p: SSAValue) -> None:
        self.entries.put(entry[0], p)
        self.emit.store(entry[1], self.entries.values, p)
