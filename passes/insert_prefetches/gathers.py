"""
Which parts of a tensor a loop enters at each of its steps, by the stored coordinates of another.

A *segment* is what a level stores below a position, found by its edges; a *row* is the block of
values below a position whose later levels are dense.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar, cast

from xdsl.dialects import func, scf
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from tamale.dialects import assembly
from tamale.dialects.cfir.storage import FinishOp, LocateOp, PosAccessOp, PosBoundsOp
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.spec import Format
from tamale.dialects.walking import walk_ops
from tamale.passes.levels import storage_kind

OpT = TypeVar("OpT", bound=Operation)


@dataclass(frozen=True)
class Gather:
    """Where a loop reads a coordinate, and the position that it locates in another tensor."""

    access: PosAccessOp
    locate: LocateOp
    segment: PosBoundsOp | None
    """The edges of the segment that a loop runs over; None: a loop runs over a row."""

    @property
    def format(self) -> Format:
        """How the tensor is stored that the loop enters."""
        return tensor_format(cast(TensorType[Attribute], self.locate.tensor.type))

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
                if _runs_over_row(locate):
                    yield Gather(op, locate, None)


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


def _runs_over_row(op: LocateOp) -> bool:
    """Whether a loop runs over the values below what was located, a block of its own."""
    format = tensor_format(cast(TensorType[Attribute], op.tensor.type))
    if not format.tail <= op.level_index + 1 < len(format.levels):
        return False
    return any(
        isinstance(use.operation, LocateOp)
        and use.operation.parent_op() is not op.parent_op()
        and isinstance(use.operation.parent_op(), scf.ForOp)
        for use in op.position.uses
    )


def _is_outside(value: SSAValue, block: Block | None) -> bool:
    """Whether a value is made outside of a block."""
    maker = value.owner if isinstance(value.owner, Block) else value.owner.parent
    return maker is not block


def _is_complete(tensor: SSAValue) -> bool:
    """Whether a tensor is an operand, or a result that is finished."""
    return isinstance(tensor, BlockArgument) or isinstance(
        tensor.owner, FinishOp | assembly.FinishOp
    )
