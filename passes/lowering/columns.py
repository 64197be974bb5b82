"""
Counts of several workers: per bucket, a number for each worker, laid down worker by worker.

Workers count first, each in its own column. Then those of the workers before it go into the place
of each count, so that each worker numbers on from where the one before it ends: the numbers are
those of one worker alone, whatever they number.

Source: the stable counting sort of many workers (Zagha and Blelloch, Supercomputing 1991).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.dialects import memref
from xdsl.ir import Attribute, SSAValue

from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.emit.upstream import element_type
from tamale.passes.levels.at_once import COUNTS_PER_ENTRY


def fewer_workers(emit: Emitter, most: int, entries: SSAValue, buckets: SSAValue) -> SSAValue:
    """So many workers that all their counts are at most `COUNTS_PER_ENTRY` for each entry."""
    one = emit.constant(1)
    counts = emit.mul(entries, emit.constant(COUNTS_PER_ENTRY))
    room = emit.max(emit.div(counts, emit.max(buckets, one)), one)
    return emit.named(emit.min(emit.constant(most), room), "workers")


@dataclass(frozen=True)
class Columns:
    """A column of counts for each worker."""

    emit: Emitter
    memory: SSAValue
    buckets: SSAValue
    """How many counts a column has."""
    most: int
    workers: SSAValue
    """How many columns there are; at most `most`."""

    @classmethod
    def allocate(
        cls,
        emit: Emitter,
        element: Attribute,
        buckets: SSAValue,
        most: int,
        workers: SSAValue,
        hint: str,
    ) -> Columns:
        """Columns of zeros."""
        count = emit.max(emit.mul(workers, buckets), emit.constant(1))
        memory = emit.allocate(element, count, hint)
        with emit.loop(emit.constant(0), count, "p") as p:
            emit.store(emit.constant(0, element), memory, p)
        return cls(emit, memory, buckets, most, workers)

    def release(self) -> None:
        """Frees the counts."""
        self.emit.free(self.memory)

    def column(self, worker: SSAValue) -> SSAValue:
        """Where a worker's column begins."""
        return self.emit.named(self.emit.mul(worker, self.buckets), "column")

    def next(self, column: SSAValue, bucket: SSAValue) -> SSAValue:
        """A worker's count of a bucket, which is one more from now on."""
        emit, place = self.emit, self.emit.add(column, bucket)
        before = self._read(place)
        self._write(place, emit.add(before, emit.constant(1)))
        return before

    def sum_before(self) -> None:
        """
        Puts the counts of all workers before it into the place of each; workers share the buckets.
        """
        emit = self.emit
        with self._shares() as (_, begin, end), emit.loop(begin, end, "p") as p:
            self._number_on(p, emit.variable(INDEX, "before", emit.constant(0)))

    def sum_all_before(self, end: Callable[[SSAValue, SSAValue], None]) -> SSAValue:
        """
        As `sum_before`, and puts those of all buckets before it on top.

        Args:
            end: is given each bucket and the sum of all counts up to its last one, by workers that
                share the buckets.

        Returns:
            The sum of all counts.
        """
        emit, zero, one = self.emit, self.emit.constant(0), self.emit.constant(1)
        array = memref.AllocaOp.get(INDEX, shape=[self.most + 1])
        sums = emit.named(emit.insert(array).memref, "counted")
        with self._shares() as (worker, begin, limit):
            counted = emit.variable(INDEX, "share", zero)
            with emit.loop(begin, limit, "p") as p:
                self._down(p, lambda place: self._add(counted, self._read(place)))
            emit.store(emit.load(counted), sums, emit.add(worker, one))
        emit.store(zero, sums, zero)
        with emit.loop(zero, self.workers, "worker") as worker:
            following = emit.add(worker, one)
            total = emit.add(emit.load(sums, worker), emit.load(sums, following))
            emit.store(total, sums, following)
        with self._shares() as (worker, begin, limit):
            before = emit.variable(INDEX, "before", emit.load(sums, worker))
            with emit.loop(begin, limit, "p") as p:
                self._number_on(p, before)
                end(p, emit.load(before))
        return emit.load(sums, self.workers)

    def _number_on(self, bucket: SSAValue, before: SSAValue) -> None:
        """Puts the variable `before` into the place of each count of a bucket, and adds that."""

        def move(place: SSAValue) -> None:
            own = self._read(place)
            self._write(place, self.emit.load(before))
            self._add(before, own)

        self._down(bucket, move)

    def _add(self, variable: SSAValue, count: SSAValue) -> None:
        self.emit.store(self.emit.add(self.emit.load(variable), count), variable)

    @contextmanager
    def _shares(self) -> Generator[tuple[SSAValue, SSAValue, SSAValue]]:
        """A parallel loop: a worker, and the buckets from its first up to another's first."""
        emit = self.emit
        with emit.workers(self.workers, "worker") as worker:
            following = emit.add(worker, emit.constant(1))
            begin, end = (
                emit.div(emit.mul(self.buckets, share), self.workers)
                for share in (worker, following)
            )
            yield worker, begin, end

    def _down(self, bucket: SSAValue, visit: Callable[[SSAValue], None]) -> None:
        """A loop over the workers' counts of a bucket."""
        emit = self.emit
        with emit.loop(emit.constant(0), self.workers, "column") as column:
            visit(emit.add(emit.mul(column, self.buckets), bucket))

    def _read(self, place: SSAValue) -> SSAValue:
        return self.emit.as_index(self.emit.load(self.memory, place))

    def _write(self, place: SSAValue, count: SSAValue) -> None:
        self.emit.store(self.emit.cast(count, element_type(self.memory)), self.memory, place)
