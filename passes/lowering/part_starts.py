"""
Where the entries of each worker's part begin in the result, found one part after the other.

Where a place lies inside of a coordinate that both sides have entries of, the last entry of one
part and the first of the next are one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects import memref
from xdsl.ir import SSAValue

from tamale.dialects.cfir.storage import PosAccessOp
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.assembling import Group
from tamale.passes.lowering.parts import Parts


@dataclass(frozen=True)
class Starts:
    """Where the parts' entries of one group go."""

    first: SSAValue
    """Per worker: the place in the result of the part's first entry."""
    shared: SSAValue | None
    """Per worker: 1 if that entry is also the last one of a part before; None: it never is."""
    total: SSAValue
    """How many entries the result has, in memory."""


def find_starts(parts: Parts) -> Mapping[Group, Starts]:
    """Emits the search for where the parts' entries go, in each appended group."""
    return _Finding(parts).starts()


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
