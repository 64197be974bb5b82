"""
What each step of a loop stores again, the same value in the same variable, is stored behind it.

    scf.for %k = %low to %high { .. memref.store %true, %filled[] }
    ->  scf.for %k = %low to %high { .. }
        scf.if %low < %high { memref.store %true, %filled[] }

What is left of the loop may be nothing but a sum.
"""

from __future__ import annotations

from xdsl.dialects import arith, memref, scf
from xdsl.ir import Block, Operation, Region
from xdsl.rewriter import InsertPoint, Rewriter

from tamale.dialects.walking import is_inside, walk_ops
from tamale.passes.emit.upstream import choosing, yielding


def sink(region: Region) -> None:
    """Moves such stores out of the loops of `region`, inner loops first."""
    loops = [op for op in walk_ops(region) if isinstance(op, scf.ForOp)]
    for loop in reversed(loops):
        for store in [op for op in loop.body.block.ops if isinstance(op, memref.StoreOp)]:
            if _repeats(store, loop):
                _move_behind(store, loop)


def _repeats(store: memref.StoreOp, loop: scf.ForOp) -> bool:
    """Whether a store does the same at each step, and no one else looks at the variable."""
    if store.indices or not isinstance(store.memref.owner, memref.AllocaOp):
        return False
    if is_inside(store.memref, loop) or is_inside(store.value, loop):
        return False
    users = (use.operation for use in store.memref.uses)
    return all(user is store or not loop.is_ancestor(user) for user in users)


def _move_behind(store: memref.StoreOp, loop: scf.ForOp) -> None:
    runs = arith.CmpiOp(loop.lb, loop.ub, "slt")
    store.detach()
    block = Block([store, yielding()])
    added: list[Operation] = [runs, choosing(runs.result, block)]
    Rewriter.insert_op(added, InsertPoint.after(loop))
