"""
What each step of a loop stores again, the same value in the same variable, is stored behind it.

    scf.for %k = %low to %high { .. memref.store %true, %filled[] }
    ->  scf.for %k = %low to %high { .. }
        scf.if %low < %high { memref.store %true, %filled[] }

Likewise where one condition decides of all steps, as it does of what came from an inner loop. What
is left of the loop may be nothing but a sum.
"""

from __future__ import annotations

from xdsl.dialects import arith, memref, scf
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tamale.dialects.walking import is_inside, walk_ops
from tamale.passes.emit.upstream import choosing, yielding


def sink(region: Region) -> None:
    """Moves such stores out of the loops of `region`, inner loops first."""
    loops = [op for op in walk_ops(region) if isinstance(op, scf.ForOp)]
    for loop in reversed(loops):
        for op in list(loop.body.block.ops):
            if _repeats(op, loop):
                _move_behind(op, loop)


def _repeats(op: Operation, loop: scf.ForOp) -> bool:
    """Whether an op stores the same at each step, or does not at any."""
    if isinstance(op, memref.StoreOp):
        return _is_the_same(op, loop)
    if not isinstance(op, scf.IfOp) or op.results or not _is_settled(op.cond, loop):
        return False
    inner = [each for region in op.regions for block in region.blocks for each in block.ops]
    stores = [each for each in inner if not isinstance(each, scf.YieldOp)]
    return len(stores) == 1 and isinstance(stores[0], memref.StoreOp) and _repeats(stores[0], loop)


def _is_settled(condition: SSAValue, loop: scf.ForOp) -> bool:
    """Whether a condition is the same at each step."""
    compared = condition.owner
    if isinstance(compared, arith.CmpiOp):
        return not any(is_inside(operand, loop) for operand in compared.operands)
    return not is_inside(condition, loop)


def _is_the_same(store: memref.StoreOp, loop: scf.ForOp) -> bool:
    """Whether a store does the same at each step, and no one else looks at the variable."""
    if store.indices or not isinstance(store.memref.owner, memref.AllocaOp):
        return False
    if is_inside(store.memref, loop) or is_inside(store.value, loop):
        return False
    users = (use.operation for use in store.memref.uses)
    return all(user is store or not loop.is_ancestor(user) for user in users)


def _move_behind(op: Operation, loop: scf.ForOp) -> None:
    runs = arith.CmpiOp(loop.lb, loop.ub, "slt")
    if isinstance(op, scf.IfOp) and is_inside(op.cond, loop):
        compared = op.cond.owner
        assert isinstance(compared, arith.CmpiOp)
        compared.detach()
        Rewriter.insert_op(compared, InsertPoint.before(loop))
    op.detach()
    block = Block([op, yielding()])
    added: list[Operation] = [runs, choosing(runs.result, block)]
    Rewriter.insert_op(added, InsertPoint.after(loop))
