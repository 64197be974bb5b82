"""
The values of a result's tail: the block that each entry has, since its last levels are dense.

The block of the entry that may come next lies at the end of the result. It is written in any order,
by loops that may run again, and is the entry's as soon as that is appended.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager

from xdsl.ir import Block, Operation, SSAValue

from tamale.dialects import cfir
from tamale.dialects.cfir.storage import CoordBoundsOp, LocateOp
from tamale.dialects.format.spec import Format
from tamale.dialects.level_variables import level_variables
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.overwriting import block_overwrites_all


@contextmanager
def each_value(
    emit: Emitter, format: Format, *entries: tuple[SSAValue, SSAValue]
) -> Generator[Sequence[SSAValue]]:
    """
    Loops over the values of entries, given tensors of one format and a position in each; gives the
    positions of the values. Without a tail, that of the entry is the only one.
    """
    tensors = [tensor for tensor, _ in entries]
    positions: Sequence[SSAValue] = [position for _, position in entries]
    with ExitStack() as loops:
        for k in range(format.tail, len(format.levels)):
            bounds = emit.insert(CoordBoundsOp(tensors[0], k, positions[0]))
            coordinate = loops.enter_context(emit.loop(bounds.low, bounds.high, format.modes[k]))
            positions = [
                emit.insert(LocateOp(tensor, k, position, coordinate)).position
                for tensor, position in zip(tensors, positions, strict=True)
            ]
        yield positions


def writes_whole_entries(kernel: cfir.KernelOp, format: Format) -> bool:
    """Whether every block is assigned as a whole, so that it need not start from 0."""
    target = kernel.target.data
    appended = level_variables(target, format)[: format.tail]
    blocks = [block for op in kernel.body.walk() for block in _inside(op, appended[-1])]
    looped = frozenset(appended)
    return all(block_overwrites_all(block, target, looped) for block in blocks if block.ops)


def _inside(op: Operation, variable: str) -> list[Block]:
    """What runs at the coordinates of a variable, if `op` binds it."""
    match op:
        case cfir.LatticeOp() if op.index_var.data == variable:
            return [case.block for case in op.cases]
        case cfir.LetOp() if op.index_var.data == variable:
            return [op.body.block]
        case _:
            return []
