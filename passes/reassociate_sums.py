"""
`reassociate-sums`: the last form -> the last form.

Sums and products of floating-point numbers that follow one another in memory may be taken in any
order, so that compilers take several at a time. Before / after:

    scf.for %k = %c0 to %n step %c1 {
      %p = arith.addi %first, %k : index
      %x = memref.load %vals[%p] : memref<?xf64>
      %before = memref.load %t[] : memref<f64>
      %after = arith.addf %before, %x : f64
      memref.store %after, %t[] : memref<f64>
    }

      %after = arith.addf %before, %x fastmath<reassoc> : f64

Only in innermost loops over whole dimensions, which are long as a rule: segments have a few entries
each, and to begin to take several at a time costs more than to add them. Nor where elements must be
gathered. The same kernel gives the same bits at each call.
Source: `docs/rationale/sums-in-any-order.md`.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from tamale.dialects.reductions import ANY_ORDER, reductions_of
from tamale.dialects.walking import walk_ops
from tamale.passes.emit.arithmetic import constant_index

FEW = 16
"""Loops of a known, smaller number of steps are unrolled; nothing is gained."""


def is_long(loop: scf.ForOp) -> bool:
    """Whether a loop goes over a dimension, one by one, of more than a few coordinates."""
    low, high, step = (constant_index(bound) for bound in (loop.lb, loop.ub, loop.step))
    return low is not None and step == 1 and (high is None or high - low >= FEW)


def reads_in_order(loop: scf.ForOp) -> bool:
    """Whether all that a loop loads follows one another in memory, or stays the same."""
    loads = (op for op in loop.body.block.ops if isinstance(op, memref.LoadOp))
    return all(_stride(index, loop) is not None for load in loads for index in load.indices)


def _stride(index: SSAValue, loop: scf.ForOp) -> int | None:
    """How far an index goes with each step: 0 or 1; None if it is not known to."""
    block = loop.body.block
    if index is block.args[0]:
        return 1
    op = index.owner
    if not isinstance(op, Operation) or op.parent is not block:
        return 0
    if isinstance(op, memref.LoadOp):
        return None
    total = 0
    for operand in op.operands:
        stride = _stride(operand, loop)
        if stride is None or (stride and not isinstance(op, arith.AddiOp)):
            return None
        total += stride
    return total if total <= 1 else None


class ReassociateSumsPass(ModulePass):
    """Lets sums of what follows one another be taken in any order."""

    name = "reassociate-sums"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in walk_ops(op):
            if isinstance(loop, scf.ForOp) and is_long(loop) and reads_in_order(loop):
                for reduction in reductions_of(loop):
                    reduction.op.fastmath = ANY_ORDER
