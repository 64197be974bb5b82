"""
A stable sort by digits, emitted as loops: counts, sums, placing, the lowest digit first.

What is sorted are the entries at the positions [begin, end) of some tensor; how these are read and
written is the caller's business. A digit that all of them share is passed over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.ir import SSAValue

from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.scratch import Scratch

DIGIT_BITS = 11
"""A digit's buckets end in so few places that the cache holds what is written there."""


def bits_of(emit: Emitter, number: SSAValue) -> SSAValue:
    """How many bits a number has."""
    bits = emit.variable(INDEX, "bits", emit.constant(0))

    def has_more() -> SSAValue:
        rest = emit.binary("shr", number, emit.load(bits))
        return emit.compare("sgt", rest, emit.constant(0))

    with emit.loop_while(has_more):
        emit.store(emit.add(emit.load(bits), emit.constant(1)), bits)
    return emit.load(bits)


def allocate_counts(emit: Emitter, hint: str) -> SSAValue:
    """A count for each value of a digit."""
    return emit.allocate(INDEX, emit.constant(1 << DIGIT_BITS), hint)


def clear(emit: Emitter, counts: SSAValue, length: SSAValue) -> None:
    with emit.loop(emit.constant(0), length, "c") as c:
        emit.store(emit.constant(0), counts, c)


def step(emit: Emitter, counts: SSAValue, bucket: SSAValue) -> SSAValue:
    """Adds 1 to a count; gives what it was."""
    place = emit.load(counts, bucket, hint="place")
    emit.store(emit.add(place, emit.constant(1)), counts, bucket)
    return place


def sum_up(emit: Emitter, counts: SSAValue, length: SSAValue) -> SSAValue:
    """From how many entries each has to where it begins; gives the largest count."""
    total = emit.variable(INDEX, "total", emit.constant(0))
    largest = emit.variable(INDEX, "largest", emit.constant(0))
    with emit.loop(emit.constant(0), length, "c") as c:
        here, begin = emit.load(counts, c), emit.load(total)
        emit.store(begin, counts, c)
        emit.store(emit.add(begin, here), total)
        emit.store(emit.max(emit.load(largest), here), largest)
    return emit.load(largest)


@dataclass(frozen=True)
class DigitSort:
    """Sorts entries that are read and written in this way."""

    emit: Emitter
    read: Callable[[SSAValue], list[SSAValue]]
    write: Callable[[list[SSAValue], SSAValue], None]
    counts: SSAValue
    """From `allocate_counts`."""
    scratch: Scratch
    """Room for as many entries as are sorted at once."""

    def sort(
        self,
        bucket: tuple[SSAValue, SSAValue],
        key_at: Callable[[SSAValue], SSAValue],
        bits: SSAValue,
    ) -> None:
        """The entries of a bucket by the lowest bits of keys, which are at least 0."""
        emit, one = self.emit, self.emit.constant(1)
        most = emit.constant(DIGIT_BITS)
        digits = emit.div(emit.add(bits, emit.constant(DIGIT_BITS - 1)), most)
        round_up = emit.sub(emit.add(bits, digits), one)
        width = emit.named(emit.div(round_up, emit.max(digits, one)), "width")
        with emit.loop(emit.constant(0), digits, "digit") as digit:
            values = emit.named(emit.binary("shl", one, width), "values")
            mask = emit.named(emit.sub(values, one), "mask")
            shift = emit.mul(digit, width)

            def digit_at(p: SSAValue) -> SSAValue:
                return emit.and_(emit.binary("shr", key_at(p), shift), mask)

            self._sort_by(bucket, digit_at, values)

    def _sort_by(
        self,
        bucket: tuple[SSAValue, SSAValue],
        digit_at: Callable[[SSAValue], SSAValue],
        values: SSAValue,
    ) -> None:
        """By a digit that has so many values."""
        emit, (first, end), counts = self.emit, bucket, self.counts
        clear(emit, counts, values)
        with emit.loop(first, end, "p") as p:
            step(emit, counts, digit_at(p))
        size = emit.named(emit.sub(end, first), "size")
        with emit.when(emit.compare("slt", sum_up(emit, counts, values), size)):
            with emit.loop(first, end, "p") as p:
                self.scratch.write(step(emit, counts, digit_at(p)), self.read(p))
            with emit.loop(emit.constant(0), size, "p") as p:
                self.write(self.scratch.read(p), emit.add(first, p))
