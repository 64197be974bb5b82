"""
A stable sort of the entries at the positions [begin, end) of some tensor, emitted as loops.

Few entries are sorted by insertion, where an entry that is in its place costs one comparison; more
of them by digits, unless they are in order. How entries are read and written is the caller's
business.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from xdsl.ir import SSAValue

from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.digits import DigitSort, bits_of

SHORT = 64
"""Insertion beats counting digits up to about so many entries."""


@dataclass(frozen=True)
class EntrySort:
    """Sorts entries whose first `columns` numbers are their key, the last one counting least."""

    emit: Emitter
    columns: int
    key: Callable[[SSAValue], list[SSAValue]]
    """The key at a position."""
    digits: DigitSort
    """Reads and writes entries; its scratch has room for the most that are sorted at once."""

    def sort(self, begin: SSAValue, end: SSAValue) -> None:
        emit = self.emit
        size = emit.named(emit.sub(end, begin), "size")
        short, long = emit.choice(emit.compare("sle", size, emit.constant(SHORT)))
        with emit.filling(short), emit.loop(emit.add(begin, emit.constant(1)), end, "p") as p:
            with emit.when(self._is_out_of_order(p)):
                self._insert(begin, p)
        with emit.filling(long), emit.when(self._has_disorder(begin, end)):
            for n in reversed(range(self.columns)):
                low, bits = self._key_range(n, begin, end)
                key_at = partial(self._distance, n, low)
                self.digits.sort((begin, end), key_at, bits)

    def _is_out_of_order(self, p: SSAValue) -> SSAValue:
        before = self.emit.sub(p, self.emit.constant(1))
        return self._is_below(self.key(p), self.key(before))

    def _insert(self, first: SSAValue, p: SSAValue) -> None:
        """Moves the entry at p in front of the larger ones from `first` on."""
        emit = self.emit
        held, place = self.digits.read(p), emit.variable(INDEX, "place", p)

        def goes_on() -> SSAValue:
            here = emit.load(place)
            before = emit.max(emit.sub(here, emit.constant(1)), first)
            larger = self._is_below(held, self.key(before))
            return emit.and_(emit.compare("sgt", here, first), larger)

        with emit.loop_while(goes_on):
            here = emit.load(place)
            before = emit.named(emit.sub(here, emit.constant(1)), "before")
            self.digits.write(self.digits.read(before), here)
            emit.store(before, place)
        self.digits.write(held, emit.load(place))

    def _has_disorder(self, begin: SSAValue, end: SSAValue) -> SSAValue:
        """Whether some entry is below the one before it; there is at least one entry."""
        emit = self.emit
        place = emit.variable(INDEX, "in_order", emit.add(begin, emit.constant(1)))

        def goes_on() -> SSAValue:
            here = emit.load(place)
            inside = emit.min(here, emit.sub(end, emit.constant(1)))
            in_order = emit.xor(self._is_out_of_order(inside), emit.true())
            return emit.and_(emit.compare("slt", here, end), in_order)

        with emit.loop_while(goes_on):
            emit.store(emit.add(emit.load(place), emit.constant(1)), place)
        return emit.compare("slt", emit.load(place), end)

    def _key_range(self, n: int, begin: SSAValue, end: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The smallest of a segment's n-th coordinates, and the bits of what they are above it."""
        emit = self.emit
        first = self.key(begin)[n]
        low, high = emit.variable(INDEX, "low", first), emit.variable(INDEX, "high", first)
        with emit.loop(begin, end, "p") as p:
            coordinate = self.key(p)[n]
            emit.store(emit.min(emit.load(low), coordinate), low)
            emit.store(emit.max(emit.load(high), coordinate), high)
        smallest = emit.load(low)
        return smallest, bits_of(emit, emit.sub(emit.load(high), smallest))

    def _distance(self, n: int, low: SSAValue, p: SSAValue) -> SSAValue:
        """The n-th coordinate at p, counted from the smallest."""
        return self.emit.sub(self.key(p)[n], low)

    def _is_below(self, left: list[SSAValue], right: list[SSAValue]) -> SSAValue:
        """Whether an entry comes before another one; the coordinates decide."""
        emit, count = self.emit, self.columns
        pairs = list(zip(left[:count], right[:count], strict=True))
        below = emit.compare("slt", *pairs[-1])
        for a, b in reversed(pairs[:-1]):
            below = emit.or_(emit.compare("slt", a, b), emit.and_(emit.compare("eq", a, b), below))
        return below
