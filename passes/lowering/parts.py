"""
Sparse results in parts: each worker appends to a part of its own, from its place to the next.

Below dense levels, a part has the edges of the positions that its worker comes to. Where a place
lies inside of one, the worker before has its edges, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects import memref
from xdsl.ir import Attribute, SSAValue

from tamale.dialects.cfir.parts import ClosePartOp, OpenPartOp, PartOp, PartsOp
from tamale.dialects.cfir.storage import LocateOp
from tamale.dialects.cin.partition import Partition
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.assembling import Assembler, Group
from tamale.passes.lowering.scope import KernelContext, Scope
from tamale.passes.lowering.spans import Boundary, Span
from tamale.passes.lowering.universes import universe_bounds


@dataclass(frozen=True)
class PartAssembler(Assembler):
    """Assembles one part; the positions of dense levels that it comes to begin with `first`."""

    first: SSAValue | None

    def parent_position(self, scope: Scope, levels: int) -> SSAValue:
        position = self.dense_position(scope, levels)
        return position if self.first is None else self.kernel.emit.sub(position, self.first)


@dataclass(frozen=True)
class Parents:
    """Per worker: the first position of the dense levels that its part has edges of; how many."""

    first: SSAValue
    count: SSAValue


@dataclass(frozen=True)
class Parts:
    """The parts of all workers, and how large they are."""

    planned: Assembler
    """Of the result, whose tensor are the parts."""
    partition: Partition
    counts: Mapping[Group, SSAValue]
    """Per appended group an array: how many entries each part has there."""
    parents: Parents | None
    """If dense levels lie above the appended ones."""

    @property
    def emit(self) -> Emitter:
        return self.planned.kernel.emit

    @property
    def tensor(self) -> SSAValue:
        return self.planned.result

    @property
    def groups(self) -> Sequence[Group]:
        """The appended groups, outermost first."""
        return tuple(self.counts)

    def part(self, worker: SSAValue) -> SSAValue:
        """The part of a worker, to be walked."""
        part = self.emit.insert(PartOp(self.tensor, worker)).result
        return self.emit.named(part, f"{self.planned.kernel.result.tensor}_part")

    def count(self, group: Group, worker: SSAValue) -> SSAValue:
        """How many entries a worker's part has in a group."""
        name = self.planned.kernel.result.tensor
        return self.emit.load(self.counts[group], worker, f"{name}{group.last + 1}_count")

    # Making them

    def results_in(self, span: Span) -> SSAValue:
        """How many parts will be in a worker's room: the first part becomes the result of all."""
        emit, one = self.emit, self.emit.constant(1)
        is_first = emit.compare("eq", span.worker, emit.constant(0))
        return emit.select(is_first, emit.constant(self.partition.parts), one)

    def open(
        self, span: Span, room: Sequence[SSAValue], *, counted: bool
    ) -> tuple[SSAValue, SSAValue | None]:
        """Opens a worker's part; the first position of the dense levels that it has edges of."""
        first, count = None, None
        if self.parents is not None:
            first, count = self._parents(span)
            self.emit.store(first, self.parents.first, span.worker)
            self.emit.store(count, self.parents.count, span.worker)
        part = self.emit.insert(OpenPartOp(self.tensor, count, room, counted=counted)).result
        return self.emit.named(part, self.planned.kernel.result.tensor), first

    def close(self, assembler: PartAssembler, worker: SSAValue) -> None:
        """Closes a worker's part."""
        for group, counts in self.counts.items():
            self.emit.store(assembler.position(group), counts, worker)
        self.emit.insert(ClosePartOp(assembler.result, self.tensor, worker))

    def _parents(self, span: Span) -> tuple[SSAValue, SSAValue]:
        """The first position of the dense levels in a span, and how many there are."""
        emit, dense = self.emit, self.groups[0].first
        first = emit.named(self._dense_position(span.begin, dense), "first_parent")
        end = self._dense_position(span.end, dense)
        if len(span.variables) > dense:
            inside = emit.constant(1)
            for flag in span.end.inside[:dense]:
                inside = emit.mul(inside, flag)
            end = emit.add(end, inside)
        return first, emit.named(emit.sub(end, first), "parent_count")

    def _dense_position(self, boundary: Boundary, levels: int) -> SSAValue:
        """The position of the first levels, all dense, where a boundary is."""
        emit, position = self.emit, self.emit.constant(0)
        for k, variable in enumerate(self.planned.variables[:levels]):
            if k < len(boundary.coordinates):
                coordinate = boundary.coordinates[k]
            else:
                coordinate, _ = universe_bounds(self.planned.kernel, variable)
            located = LocateOp(self.tensor, k, position, coordinate)
            position = emit.insert(located).position
        return position


def open_parts(
    kernel: KernelContext, type: Attribute, sizes: Sequence[SSAValue], partition: Partition
) -> Parts:
    """The parts of a kernel's result; `sizes` are those of a result that the function keeps."""
    emit, name = kernel.emit, kernel.result.tensor
    tensor = emit.insert(PartsOp(partition.parts, type, sizes)).result
    emit.named(tensor, name)
    planned = Assembler(replace(kernel, tensors={**kernel.tensors, name: tensor}), tensor)

    def numbers(hint: str) -> SSAValue:
        op = memref.AllocaOp.get(INDEX, shape=[partition.parts])
        return emit.named(emit.insert(op).memref, hint)

    groups = [group for group in planned.groups if not group.dense]
    counts = {group: numbers(f"{name}{group.last + 1}_counts") for group in groups}
    parents = None
    if groups[0].first:
        parents = Parents(numbers("first_parents"), numbers("parent_counts"))
    return Parts(planned, partition, counts, parents)
