"""
Joining the parts of a sparse result: the entries of each worker's part follow those of the one
before.

A first loop finds out where the entries of each part begin in the result. Where a place lies inside
of a coordinate that both sides have entries of, the last entry of one part and the first of the
next are one. Then all parts are copied at the same time, but for the edges of their first parents,
which another part may have, too: they are written in order, in the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects import memref
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
from tamale.passes.lowering.parts import Parts
from tamale.passes.lowering.tails import each_value


@dataclass(frozen=True)
class Starts:
    """Where the parts' entries of one group go."""

    first: SSAValue
    """Per worker: the place in the result of the part's first entry."""
    shared: SSAValue | None
    """Per worker: 1 if that entry is also the last one of a part before; None: it never is."""
    total: SSAValue
    """How many entries the result has, in memory."""


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
        """Copies a worker's part, without the edges of first parents."""
        emit, part = self.emit, self.parts.part(worker)
        for group in self.parts.groups:
            self._copy_entries(part, group, worker)
            run = self._parents(group, worker)
            if run is not None:
                with emit.loop(emit.constant(1), run.count, "p") as p:
                    begin, end = self._edges(part, group, worker, p)
                    self._write_edges(group, emit.add(run.first, p), begin, end)

    def _copy_entries(self, part: SSAValue, group: Group, worker: SSAValue) -> None:
        emit, starts = self.emit, self.starts[group]
        low = emit.constant(0) if starts.shared is None else emit.load(starts.shared, worker)
        start = emit.load(starts.first, worker)
        with emit.loop(low, self.parts.count(group, worker), "p") as p:
            place = emit.add(start, p)
            for k in range(group.first, group.last + 1):
                coordinate = emit.insert(PosAccessOp(part, k, p)).coordinate
                emit.insert(AppendCoordOp(self.result, k, place, coordinate))
            if group is self.parts.groups[-1]:
                entries = (part, p), (self.result, place)
                with each_value(emit, self._format, *entries) as (source, target):
                    value = emit.insert(LoadOp(part, source)).value
                    emit.insert(StoreOp(value, self.result, target))

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


@dataclass(frozen=True)
class _Finding:
    """Finds out where the entries of each part go, one worker after the other."""

    parts: Parts

    @property
    def emit(self) -> Emitter:
        return self.parts.emit

    @cached_property
    def split(self) -> Sequence[Group]:
        """The groups whose entries places may lie inside of."""
        cut = len(self.parts.partition.variables)
        return [group for group in self.parts.groups if group.last < cut - 1]

    def starts(self) -> Mapping[Group, Starts]:
        starts = {group: self._open(group) for group in self.parts.groups}
        emit = self.emit
        previous = None
        if self.split:
            previous = emit.variable(INDEX, "previous", emit.constant(-1))
        workers = emit.constant(self.parts.partition.parts)
        with emit.loop(emit.constant(0), workers, "worker") as worker:
            if previous is not None:
                self._share(starts, worker, previous)
            for group, own in starts.items():
                begin = emit.load(own.total)
                if own.shared is not None:
                    begin = emit.sub(begin, emit.load(own.shared, worker))
                emit.store(begin, own.first, worker)
                emit.store(emit.add(begin, self.parts.count(group, worker)), own.total)
        return starts

    def _open(self, group: Group) -> Starts:
        emit, name = self.emit, f"{self.parts.planned.kernel.result.tensor}{group.last + 1}"

        def numbers(hint: str) -> SSAValue:
            op = memref.AllocaOp.get(INDEX, shape=[self.parts.partition.parts])
            return emit.named(emit.insert(op).memref, hint)

        shared = numbers(f"{name}_shared") if group in self.split else None
        total = emit.variable(INDEX, f"{name}_total", emit.constant(0))
        return Starts(numbers(f"{name}_starts"), shared, total)

    def _share(self, starts: Mapping[Group, Starts], worker: SSAValue, previous: SSAValue) -> None:
        """Compares the first entries of a part with the last ones of what comes before it."""
        emit = self.emit
        zero = emit.constant(0)
        for group in self.split:
            shared = starts[group].shared
            assert shared is not None
            emit.store(zero, shared, worker)
        with emit.when(emit.compare("sgt", self.parts.count(self.split[0], worker), zero)):
            before = emit.load(previous)
            with emit.when(emit.compare("sge", before, zero)):
                self._compare(starts, self.split, worker, before)
            emit.store(worker, previous)

    def _compare(
        self,
        starts: Mapping[Group, Starts],
        groups: Sequence[Group],
        worker: SSAValue,
        before: SSAValue,
    ) -> None:
        """The first entry of a part is shared if the one before has it, group by group inwards."""
        if not groups:
            return
        emit, (group, *inner) = self.emit, groups
        own, other = self.parts.part(worker), self.parts.part(before)
        last = emit.sub(self.parts.count(group, before), emit.constant(1))
        equal = emit.true()
        for k in range(group.first, group.last + 1):
            mine = emit.insert(PosAccessOp(own, k, emit.constant(0))).coordinate
            its = emit.insert(PosAccessOp(other, k, last)).coordinate
            equal = emit.and_(equal, emit.compare("eq", mine, its))
        with emit.when(equal):
            shared = starts[group].shared
            assert shared is not None
            emit.store(emit.constant(1), shared, worker)
            self._compare(starts, inner, worker, before)


def join(parts: Parts) -> SSAValue:
    """Makes one result of all parts, and gives these back."""
    emit = parts.emit
    starts = _Finding(parts).starts()
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
