"""Ops before and behind a loop that are about the level of an op inside of it."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from tamale.dialects import assembly
from tamale.dialects.cfir.level_function import LevelFunction


def erase_next(
    loop: assembly.ForNonzerosOp,
    kind: type[assembly.FinalizeEdgesOp | assembly.FinalizePosOp],
    op: LevelFunction,
) -> None:
    """Erases the next op of a kind behind a loop that is about the level of `op`."""
    after = loop.next_op
    while after is not None and not _is_of(after, kind, op):
        after = after.next_op
    if after is not None:
        Rewriter.erase_op(after)


def erase_last(
    loop: assembly.ForNonzerosOp, kind: type[assembly.InitPosOp], op: LevelFunction
) -> None:
    """Likewise the last one before a loop."""
    before = loop.prev_op
    while before is not None and not _is_of(before, kind, op):
        before = before.prev_op
    if before is not None:
        Rewriter.erase_op(before)


def _is_of(other: Operation, kind: type[LevelFunction], op: LevelFunction) -> bool:
    """Whether an op is of this kind, and about the same level of the same tensor."""
    return (
        isinstance(other, kind)
        and other.operands[0] is op.operands[0]
        and other.level_index == op.level_index
    )
