"""
A stable radix sort of a list of coordinates, emitted as loops.

Entries are dealt out to buckets by the highest bits of the first level's coordinate, straight into
the arrays of the result. Each bucket, which the cache holds, is then put in order by the
coordinates of the last level up to those of the first, a digit at a time, the lowest first: counts,
sums, placing. Coordinates and values move along. Numbers of bits follow from the largest
coordinates and the number of entries; a digit that all entries of a bucket share is passed over.
Levels whose coordinates follow from those above them are no keys, such as offsets inside of blocks
below a code of them. A list that is in order already is only copied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import Rewriter

from tamale.dialects import assembly
from tamale.dialects.cfir.storage import CountOp, DimOp, LoadOp, PosAccessOp
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.expressions import Expr
from tamale.passes.algebra.arrival import determined
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.digits import (
    DIGIT_BITS,
    DigitSort,
    allocate_counts,
    bits_of,
    clear,
    step,
    sum_up,
)
from tamale.passes.lowering.level_context import level_numbers
from tamale.passes.lowering.scratch import Scratch
from tamale.passes.lowering.storage import array_element

BUCKET_BITS = 10
"""About so many bits has the number of entries of a bucket, or more."""


class ListSort:
    """Emits one sort."""

    def __init__(self, emit: Emitter, op: assembly.SortOp) -> None:
        self.emit, self.source, self.target_type = emit, op.source, op.result.type
        self.format = tensor_format(cast(TensorType[Attribute], op.source.type))
        self.levels = len(self.format.levels)
        self.keys = sort_keys([level.expression for level in self.format.levels])
        dims = [emit.insert(DimOp(self.source, k)).result for k in range(self.format.order)]
        self.lows = [level_numbers(emit, self.format, dims, k).low for k in range(self.levels)]
        self.count = emit.named(emit.insert(CountOp(self.source, 0)).count, "entries")
        self.zero, self.one = emit.constant(0), emit.constant(1)

    def run(self) -> SSAValue:
        """The sorted list."""
        emit = self.emit
        self.target = self._open()
        in_order, in_disorder = emit.choice(self._is_sorted())
        with emit.filling(in_order), emit.loop(self.zero, self.count, "p") as p:
            self._place(self.source, p, p)
        with emit.filling(in_disorder):
            self._sort()
        return emit.insert(assembly.FinishOp(self.target)).result

    # Entries

    def _open(self) -> SSAValue:
        """The result with its arrays, still empty."""
        emit = self.emit
        target = emit.insert(assembly.OpenOp(self.source, {}, self.target_type)).result
        target.name_hint = self.source.name_hint
        emit.insert(assembly.InitEdgesOp(target, 0))
        with emit.loop(self.zero, self.count, "p"):
            emit.insert(assembly.CountEdgeOp(target, 0, self.zero))
        emit.insert(assembly.FinalizeEdgesOp(target, 0))
        for k in range(self.levels):
            emit.insert(assembly.InitCoordsOp(target, k))
        emit.insert(assembly.InitValuesOp(target, zeroed=False))
        return target

    def _coordinate(self, tensor: SSAValue, k: int, p: SSAValue) -> SSAValue:
        return self.emit.insert(PosAccessOp(tensor, k, p)).coordinate

    def _key(self, tensor: SSAValue, k: int, p: SSAValue) -> SSAValue:
        """The coordinate of level k at p, counted from the smallest."""
        coordinate, low = self._coordinate(tensor, k, p), self.lows[k]
        return coordinate if low is self.zero else self.emit.sub(coordinate, low)

    def _entry(self, tensor: SSAValue, p: SSAValue) -> list[SSAValue]:
        """The coordinates at p, and the value."""
        coordinates = [self._coordinate(tensor, k, p) for k in range(self.levels)]
        return [*coordinates, self.emit.insert(LoadOp(tensor, p)).value]

    def _write(self, entry: list[SSAValue], place: SSAValue) -> None:
        """Puts an entry into the result."""
        emit, (*coordinates, value) = self.emit, entry
        for k, parent in enumerate([self.zero, *[place] * (self.levels - 1)]):
            path = coordinates[: k + 1]
            emit.insert(assembly.InsertCoordOp(self.target, k, parent, place, path))
        emit.insert(assembly.StoreOp(value, self.target, place, adding=False))

    def _place(self, tensor: SSAValue, p: SSAValue, place: SSAValue) -> None:
        self._write(self._entry(tensor, p), place)

    def _is_sorted(self) -> SSAValue:
        """Whether every entry is at least the one before; ends at the first that is not."""
        emit = self.emit
        place = emit.variable(INDEX, "in_order", self.one)
        ordered = emit.variable(emit.true().type, "is_sorted", emit.true())

        def goes_on() -> SSAValue:
            return emit.and_(emit.load(ordered), emit.compare("slt", emit.load(place), self.count))

        with emit.loop_while(goes_on):
            p = emit.load(place, hint="p")
            before = emit.sub(p, self.one)
            smaller: SSAValue = emit.constant(0, emit.true().type)
            for k in reversed(self.keys):
                a, b = self._coordinate(self.source, k, before), self._coordinate(self.source, k, p)
                same = emit.and_(emit.compare("eq", a, b), smaller)
                smaller = emit.or_(emit.compare("slt", b, a), same)
            emit.store(emit.xor(smaller, emit.true()), ordered)
            emit.store(emit.add(p, self.one), place)
        return emit.load(ordered)

    # Sorting

    def _sort(self) -> None:
        emit = self.emit
        largest_keys = {k: self._largest_key(k) for k in self.keys}
        bits = {k: bits_of(emit, key) for k, key in largest_keys.items()}
        rare = emit.sub(bits_of(emit, self.count), emit.constant(BUCKET_BITS))
        leading = emit.min(bits[0], emit.min(rare, emit.constant(DIGIT_BITS)))
        shift = emit.named(emit.sub(bits[0], emit.max(leading, self.zero)), "shift")
        bits[0] = shift
        buckets = emit.add(emit.binary("shr", largest_keys[0], shift), self.one)
        buckets = emit.named(buckets, "buckets")
        ends = allocate_counts(emit, "ends")
        room = self._deal_out(ends, shift, buckets)
        self._sort_buckets(ends, buckets, bits, room)
        emit.free(ends)

    def _sort_buckets(
        self, ends: SSAValue, buckets: SSAValue, bits: Mapping[int, SSAValue], room: SSAValue
    ) -> None:
        """Each bucket by its coordinates, the last level's first; none is larger than `room`."""
        emit = self.emit
        counts = allocate_counts(emit, "counts")
        columns = [array_element(self.format, k, "crd") for k in range(self.levels)]
        scratch = Scratch.allocate(emit, columns, self.target_type.element_type, room)
        sort = DigitSort(emit, partial(self._entry, self.target), self._write, counts, scratch)
        begin = emit.variable(INDEX, "begin", self.zero)
        with emit.loop(self.zero, buckets, "b") as b:
            first, end = emit.load(begin), emit.load(ends, b, hint="end")
            for k in reversed(self.keys):
                sort.sort((first, end), partial(self._key, self.target, k), bits[k])
            emit.store(end, begin)
        scratch.free()
        emit.free(counts)

    def _largest_key(self, k: int) -> SSAValue:
        emit = self.emit
        largest = emit.variable(INDEX, "largest", self.zero)
        with emit.loop(self.zero, self.count, "p") as p:
            key = self._key(self.source, k, p)
            emit.store(emit.max(emit.load(largest), key), largest)
        return emit.load(largest)

    def _deal_out(self, ends: SSAValue, shift: SSAValue, buckets: SSAValue) -> SSAValue:
        """Every entry into its bucket, up to `ends`; gives the size of the largest bucket."""
        emit = self.emit

        def bucket_at(p: SSAValue) -> SSAValue:
            return emit.binary("shr", self._key(self.source, 0, p), shift)

        clear(emit, ends, buckets)
        with emit.loop(self.zero, self.count, "p") as p:
            step(emit, ends, bucket_at(p))
        largest = sum_up(emit, ends, buckets)
        with emit.loop(self.zero, self.count, "p") as p:
            self._place(self.source, p, step(emit, ends, bucket_at(p)))
        return largest


def sort_keys(expressions: Sequence[Expr]) -> Sequence[int]:
    """The levels that decide about the order: those that do not follow from the ones above."""
    return [k for k, own in enumerate(expressions) if not determined(own, expressions[:k])]


def lower_sort(emit: Emitter, op: assembly.SortOp) -> None:
    """Replaces the op by loops."""
    result = ListSort(emit, op).run()
    result.name_hint = op.result.name_hint
    Rewriter.replace_op(op, [], [result])
