"""
Joining the parts of a sparse result: the entries of each worker's part follow those of the one
before.

A first loop finds out where the entries of each part begin in the result. The first part is where
it belongs; the others are copied behind it, each worker an equal share of all entries, whosever
they are. Not so the edges of a part's first parent, which another part may have, too: they are
written in order, in the end.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.ir import SSAValue

from tamale.dialects.cfir.parts import FreePartsOp, JoinOp
from tamale.dialects.cfir.storage import (
    AppendCoordOp,
    AppendEdgesOp,
    LoadOp,
    PosAccessOp,
    PosBoundsOp,
    StoreOp,
)
from tamale.dialects.format.spec import Format
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.assembling import Group
from tamale.passes.lowering.part_starts import Starts, find_starts
from tamale.passes.lowering.parts import Parts
from tamale.passes.lowering.tails import each_value


@dataclass(frozen=True)
class Share:
    """The places [low, high) of the result that one worker copies to."""

    low: SSAValue
    high: SSAValue

    def within(
        self, emit: Emitter, start: SSAValue, low: SSAValue, high: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        """What it has of [low, high), counted from the place `start`."""
        begin = emit.max(low, emit.sub(self.low, start))
        return begin, emit.min(high, emit.sub(self.high, start))


@dataclass(frozen=True)
class Run:
    """The parents of a group's entries in one part: where they begin in the result; how many."""

    first: SSAValue
    count: SSAValue


@dataclass(frozen=True)
class Joining:
    """Joins the parts of one result."""

    parts: Parts
    starts: Mapping[Group, Starts]
    result: SSAValue

    @property
    def emit(self) -> Emitter:
        return self.parts.emit

    def copy(self, worker: SSAValue) -> None:
        """Copies a worker's share of what all parts but the first hold, without first parents."""
        for group in self.parts.groups:
            share = self._share(self.parts.count(group, self._first), self._total(group), worker)
            with self._later_parts() as (part, owner):
                self._copy_entries(part, group, owner, share)
            if self._parents(group, self._first) is None:
                continue
            share = self._share_of_parents(group, worker)
            with self._later_parts() as (part, owner):
                self._copy_edges(part, group, owner, share)

    @property
    def _first(self) -> SSAValue:
        """The first worker."""
        return self.emit.constant(0)

    @contextmanager
    def _later_parts(self) -> Generator[tuple[SSAValue, SSAValue]]:
        """A loop over the parts behind the first one, and whose they are."""
        emit, one = self.emit, self.emit.constant(1)
        with emit.loop(one, emit.constant(self.parts.partition.parts), "owner") as owner:
            yield self.parts.part(owner), owner

    def _total(self, group: Group) -> SSAValue:
        """How many entries the result has in a group."""
        return self.emit.load(self.starts[group].total)

    def _share_of_parents(self, group: Group, worker: SSAValue) -> Share:
        last = self.emit.constant(self.parts.partition.parts - 1)
        first, final = self._parents(group, self._first), self._parents(group, last)
        assert first is not None
        assert final is not None
        return self._share(first.count, self.emit.add(final.first, final.count), worker)

    def _share(self, begin: SSAValue, end: SSAValue, worker: SSAValue) -> Share:
        """A worker's part of the places [begin, end), as large as the others'."""
        emit, parts = self.emit, self.emit.constant(self.parts.partition.parts)
        length = emit.sub(end, begin)
        low, high = (
            emit.add(begin, emit.div(emit.mul(length, share), parts))
            for share in (worker, emit.add(worker, emit.constant(1)))
        )
        return Share(low, high)

    def _copy_entries(self, part: SSAValue, group: Group, owner: SSAValue, share: Share) -> None:
        emit, starts = self.emit, self.starts[group]
        low = emit.constant(0) if starts.shared is None else emit.load(starts.shared, owner)
        start = emit.load(starts.first, owner)
        begin, end = share.within(emit, start, low, self.parts.count(group, owner))
        with emit.loop(begin, end, "p") as p:
            place = emit.add(start, p)
            for k in range(group.first, group.last + 1):
                coordinate = emit.insert(PosAccessOp(part, k, p)).coordinate
                emit.insert(AppendCoordOp(self.result, k, place, coordinate))
            if group is self.parts.groups[-1]:
                entries = (part, p), (self.result, place)
                with each_value(emit, self._format, *entries) as (source, target):
                    value = emit.insert(LoadOp(part, source)).value
                    emit.insert(StoreOp(value, self.result, target))

    def _copy_edges(self, part: SSAValue, group: Group, owner: SSAValue, share: Share) -> None:
        emit, run = self.emit, self._parents(group, owner)
        assert run is not None
        begin, end = share.within(emit, run.first, emit.constant(1), run.count)
        with emit.loop(begin, end, "p") as p:
            edges = self._edges(part, group, owner, p)
            self._write_edges(group, emit.add(run.first, p), *edges)

    @property
    def _format(self) -> Format:
        return self.parts.planned.kernel.result_format

    def _parents(self, group: Group, worker: SSAValue) -> Run | None:
        """The parents of a group's entries in a part; None: the root alone."""
        emit, parts = self.emit, self.parts
        if group is not parts.groups[0]:
            outer = parts.groups[parts.groups.index(group) - 1]
            return Run(emit.load(self.starts[outer].first, worker), parts.count(outer, worker))
        if parts.parents is None:
            return None
        return Run(emit.load(parts.parents.first, worker), emit.load(parts.parents.count, worker))

    def _edges(
        self, part: SSAValue, group: Group, worker: SSAValue, p: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        """The children of the part's parent p, as places in the result."""
        emit, bounds = self.emit, self.emit.insert(PosBoundsOp(part, group.first, p))
        start = emit.load(self.starts[group].first, worker)
        return emit.add(start, bounds.begin), emit.add(start, bounds.end)

    def _write_edges(self, group: Group, parent: SSAValue, begin: SSAValue, end: SSAValue) -> None:
        self.emit.insert(AppendEdgesOp(self.result, group.first, parent, begin, end))

    # Edges that parts share

    def close(self, group: Group) -> None:
        """Writes the edges of each part's first parent, or those of the root."""
        emit = self.emit
        zero, one = emit.constant(0), emit.constant(1)
        if group is self.parts.groups[0] and self.parts.parents is None:
            self._write_edges(group, zero, zero, emit.load(self.starts[group].total))
            return
        last = emit.variable(INDEX, "last_parent", emit.constant(-1))
        opened = emit.variable(INDEX, "opened", zero)
        with emit.loop(zero, emit.constant(self.parts.partition.parts), "worker") as worker:
            run = self._parents(group, worker)
            assert run is not None
            with emit.when(emit.compare("sgt", run.count, zero)):
                part = self.parts.part(worker)
                begin, end = self._edges(part, group, worker, zero)
                again = emit.compare("eq", run.first, emit.load(last))
                emit.store(emit.select(again, emit.load(opened), begin), opened)
                self._write_edges(group, run.first, emit.load(opened), end)
                final = emit.sub(run.count, one)
                emit.store(emit.add(run.first, final), last)
                with emit.when(emit.compare("sgt", final, zero)):
                    emit.store(self._edges(part, group, worker, final)[0], opened)


def join(parts: Parts) -> SSAValue:
    """Makes one result of all parts, and gives these back."""
    emit = parts.emit
    starts = find_starts(parts)
    rooms = [emit.load(own.total) for own in starts.values()]
    result = emit.insert(JoinOp(parts.tensor, rooms)).result
    emit.named(result, parts.planned.kernel.result.tensor)
    joining = Joining(parts, starts, result)
    with emit.workers(parts.partition.parts, "worker") as worker:
        joining.copy(worker)
    for group in parts.groups:
        joining.close(group)
    emit.insert(FreePartsOp(parts.tensor))
    return result
