"""
`insert-prefetches`: cfir level functions -> the same, with prefetches.

Where a loop goes from coordinate to coordinate of one tensor and into a segment of another that
each of them locates, the segments are anywhere in memory. They are asked for some steps ahead,
their edges first, so that the loop does not wait for them. Before / after:

    scf.for %pA2 = .. {
      %k = cfir.pos_access %A 1(%pA2)
      %pB1, %found = cfir.locate %B 0(%c0, %k)
      %begin, %end = cfir.pos_bounds %B 1(%pB1)
      scf.for %pB2 = %begin to %end { .. }
    }

    scf.for %pA2 = .. {
      %far = cfir.pos_access %A 1(min(%pA2 + 16, %last))
      %edges, %found1 = cfir.locate %B 0(%c0, %far)
      cfir.prefetch "edges" of %B 1(%edges)
      %near = cfir.pos_access %A 1(min(%pA2 + 8, %last))
      %parent, %found2 = cfir.locate %B 0(%c0, %near)
      %first, %end1 = cfir.pos_bounds %B 1(%parent)
      cfir.prefetch "entries" of %B 1(%first)
      ..
    }

Looking ahead goes on over the ends of segments, up to the last position that A has. Only where it
costs a few loads: the coordinate is stored, and found by arithmetic. Source: Ainsworth and Jones,
CGO 2017 (software prefetching for indirect memory accesses).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar, cast

from xdsl.context import Context
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from tamale.dialects import assembly
from tamale.dialects.cfir.storage import (
    CountOp,
    FinishOp,
    LocateOp,
    PosAccessOp,
    PosBoundsOp,
    PrefetchOp,
)
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.walking import walk_ops
from tamale.passes.emit.emitter import Emitter
from tamale.passes.levels import storage_kind

NEAR = 8
"""How many steps ahead the entries of a segment are asked for."""
FAR = 16
"""The same of the edges, which tell where the entries are."""

OpT = TypeVar("OpT", bound=Operation)


@dataclass(frozen=True)
class Gather:
    """A segment that a loop enters at each of its steps: where it is, by which coordinate."""

    access: PosAccessOp
    locate: LocateOp
    bounds: PosBoundsOp

    @property
    def loop(self) -> scf.ForOp:
        parent = self.access.parent_op()
        assert isinstance(parent, scf.ForOp)
        return parent


def gathers(function: func.FuncOp) -> Iterator[Gather]:
    """All of a function's, outside in."""
    for op in walk_ops(function.body):
        if isinstance(op, PosAccessOp) and _looks_ahead(op):
            for locate in _users(op.coordinate, LocateOp, op.parent):
                if not _is_far(locate, op):
                    continue
                for bounds in _users(locate.position, PosBoundsOp, op.parent):
                    if _enters(bounds, locate):
                        yield Gather(op, locate, bounds)


def _users(value: SSAValue, wanted: type[OpT], block: Block | None) -> Iterator[OpT]:
    """The ops of a class in a block that use a value."""
    for use in value.uses:
        if isinstance(use.operation, wanted) and use.operation.parent is block:
            yield use.operation


def _looks_ahead(op: PosAccessOp) -> bool:
    """Whether the coordinates of later positions can be read in a loop over positions."""
    loop = op.parent_op()
    if not isinstance(loop, scf.ForOp) or op.position is not loop.body.block.args[0]:
        return False
    format = tensor_format(cast(TensorType[Attribute], op.tensor.type))
    kind = storage_kind(format.levels[op.level_index].kind)
    stored = "positions" in kind.extents.values()
    return stored and not kind.skips and not op.ancestors and _is_complete(op.tensor)


def _is_far(op: LocateOp, access: PosAccessOp) -> bool:
    """Whether a coordinate tells a position by arithmetic, below the same parent at each step."""
    format = tensor_format(cast(TensorType[Attribute], op.tensor.type))
    located = op.coordinate is access.coordinate and format.properties(op.level_index).full
    outside = _is_outside(op.parent_pos, access.parent) and not op.ancestors
    return located and outside and _is_complete(op.tensor)


def _enters(op: PosBoundsOp, locate: LocateOp) -> bool:
    """Whether a loop runs over the positions below what was located."""
    starts = (use.operation for use in op.begin.uses if use.index == 0)
    same = op.tensor is locate.tensor and op.parent_pos is locate.position
    return same and not op.ancestors and any(isinstance(start, scf.ForOp) for start in starts)


def _is_outside(value: SSAValue, block: Block | None) -> bool:
    """Whether a value is made outside of a block."""
    maker = value.owner if isinstance(value.owner, Block) else value.owner.parent
    return maker is not block


def _is_complete(tensor: SSAValue) -> bool:
    """Whether a tensor is an operand, or a result that is finished."""
    return isinstance(tensor, BlockArgument) or isinstance(
        tensor.owner, FinishOp | assembly.FinishOp
    )


def insert_prefetch(emit: Emitter, function: func.FuncOp, gather: Gather) -> None:
    """Asks for a gather's later segments, at the beginning of each step."""
    access, bounds = gather.access, gather.bounds
    position, level = access.position, access.level_index
    with emit.at(InsertPoint.before(_outermost(gather.loop, function)), access):
        stem = f"{access.tensor.name_hint or 'A'}{level + 1}"
        count = emit.named(emit.insert(CountOp(access.tensor, level)).count, f"{stem}_count")
        last = emit.named(emit.sub(count, emit.constant(1)), f"{stem}_last")

    def parent_at(steps: int) -> SSAValue:
        """The position that the coordinate so many steps ahead locates."""
        ahead = emit.min(emit.add(position, emit.constant(steps)), last)
        coordinate = emit.insert(PosAccessOp(access.tensor, level, ahead)).coordinate
        same = gather.locate
        located = LocateOp(same.tensor, same.level_index, same.parent_pos, coordinate)
        return emit.insert(located).position

    with emit.at(InsertPoint.before(access), access):
        emit.insert(PrefetchOp("edges", bounds.tensor, bounds.level_index, parent_at(FAR)))
        first = emit.insert(PosBoundsOp(bounds.tensor, bounds.level_index, parent_at(NEAR))).begin
        emit.insert(PrefetchOp("entries", bounds.tensor, bounds.level_index, first))


def _outermost(loop: scf.ForOp, function: func.FuncOp) -> Operation:
    """The op of the function's own block that a loop is in."""
    op: Operation = loop
    while (parent := op.parent_op()) is not function:
        assert parent is not None
        op = parent
    return op


class InsertPrefetchesPass(ModulePass):
    """Asks for segments that a loop will come to before it does."""

    name = "insert-prefetches"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [f for f in walk_ops(op) if isinstance(f, func.FuncOp)]:
            if function.is_declaration:
                continue
            block = function.body.block
            emit = Emitter(InsertPoint.at_end(block), block)
            for gather in list(gathers(function)):
                insert_prefetch(emit, function, gather)
