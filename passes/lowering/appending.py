"""What ops inside of a loop over entries remember from one entry to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tamale.dialects.assembly import (
    AppendOp,
    CountEdgeOp,
    FirstOp,
    ForNonzerosOp,
    InsertCoordOp,
    RankOp,
    StampOp,
)
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.stamping import lower_rank, lower_stamp

BEFORE_ALL = -(1 << 62)
"""A coordinate that no entry has."""


CountEdge: TypeAlias = Callable[[AppendOp, SSAValue], None]
"""Makes room below the parent of an op for the position that it appends."""


def lower_appends(emit: Emitter, loop: ForNonzerosOp) -> None:
    """Replaces the ops in the body of a loop; `emit` inserts before the loop."""

    def count(op: AppendOp, _position: SSAValue) -> None:
        emit.insert(CountEdgeOp(op.tensor, op.level_index, op.parent_pos))

    for op in list(loop.body.block.ops):
        match op:
            case FirstOp():
                lower_first(emit, op, lambda _, before_all: before_all)
            case AppendOp():
                lower_append(emit, op, emit.constant(0), count)
            case StampOp():
                lower_stamp(emit, loop, op)
            case RankOp():
                lower_rank(emit, loop, op)
            case _:
                pass


def lower_first(
    emit: Emitter, op: FirstOp, before: Callable[[SSAValue, SSAValue], SSAValue]
) -> None:
    """
    Replaces an op by a comparison with the entry before.

    Args:
        emit: inserts before the loop.
        op: in its body.
        before: gives what a coordinate was before the first entry, given one that no entry has.
    """
    previous = [
        emit.variable(
            INDEX,
            f"last_{coordinate.name_hint or 'c'}",
            before(coordinate, emit.constant(BEFORE_ALL)),
        )
        for coordinate in op.coordinates
    ]
    with emit.at(InsertPoint.before(op)):
        new: SSAValue | None = None
        for variable, coordinate in zip(previous, op.coordinates, strict=True):
            differs = emit.compare("ne", coordinate, emit.load(variable))
            new = differs if new is None else emit.or_(new, differs)
            emit.store(coordinate, variable)
        assert new is not None
        new.name_hint = op.result.name_hint
    Rewriter.replace_op(op, [], [new])


def lower_append(emit: Emitter, op: AppendOp, start: SSAValue, count_edge: CountEdge) -> None:
    """
    Replaces an op by a counter that numbers on.

    Args:
        emit: inserts before the loop.
        op: in its body.
        start: how many positions the level has before the first entry.
        count_edge: makes room for a position, where the op does that.
    """
    stem = op.tensor.name_hint or "B"
    count = emit.variable(INDEX, f"{stem}{op.level_index + 1}_next", start)
    with emit.at(InsertPoint.before(op)):
        if op.new is None:
            position = _append_one(emit, op, count, count_edge)
        else:
            with emit.when(op.new):
                _append_one(emit, op, count, count_edge)
            position = emit.sub(emit.load(count), emit.constant(1))
        position.name_hint = op.position.name_hint
    Rewriter.replace_op(op, [], [position])


def _append_one(
    emit: Emitter, op: AppendOp, count: SSAValue, count_edge: CountEdge
) -> SSAValue:
    """A further position; gives it."""
    position = emit.load(count, hint=op.position.name_hint or "")
    k = op.level_index
    if op.counting is not None:
        count_edge(op, position)
    if op.inserting is not None:
        emit.insert(InsertCoordOp(op.tensor, k, op.parent_pos, position, list(op.coordinates)))
    emit.store(emit.add(position, emit.constant(1)), count)
    return position
