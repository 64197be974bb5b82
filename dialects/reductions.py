"""
Loops of the last form that do nothing but accumulate in variables.

    scf.for %k = %low to %high step %c1 {
      %x = memref.load %vals[%k]
      %before = memref.load %t[]
      %after = arith.addf %before, %x
      memref.store %after, %t[]
    }

Where the operations are `fastmath<reassoc>`, elements may be accumulated in any order, several at
a time.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import SSAValue

from tamale.dialects.effects import facts_of

Accumulation: TypeAlias = "arith.AddfOp | arith.MulfOp"

ANY_ORDER = arith.FastMathFlagsAttr([FastMathFlag.REASSOC])
"""What an accumulation is marked with whose order does not matter."""


@dataclass(frozen=True)
class Reduction:
    """A variable, and the operation that each step of a loop changes it by."""

    variable: SSAValue
    op: Accumulation

    @property
    def in_any_order(self) -> bool:
        return FastMathFlag.REASSOC in self.op.fastmath.data


def reductions_of(loop: scf.ForOp) -> tuple[Reduction, ...]:
    """The reductions of a loop; none where it does anything else."""
    if loop.results:
        return ()
    found: list[Reduction] = []
    loads: Counter[SSAValue] = Counter()
    for op in loop.body.block.ops:
        if isinstance(op, memref.LoadOp):
            loads[op.memref] += 1
        elif isinstance(op, memref.StoreOp):
            reduction = _reduction(op)
            if reduction is None:
                return ()
            found.append(reduction)
        elif not isinstance(op, scf.YieldOp) and (op.regions or facts_of(type(op)).effect):
            return ()
    once = all(loads[each.variable] == 1 for each in found)
    apart = len({each.variable for each in found}) == len(found)
    return tuple(found) if once and apart else ()


def _reduction(store: memref.StoreOp) -> Reduction | None:
    """What a store is the end of: `variable = variable + x`."""
    op, variable = store.value.owner, store.memref
    if store.indices or not isinstance(variable.owner, memref.AllocaOp):
        return None
    if not isinstance(op, arith.AddfOp | arith.MulfOp) or not op.result.has_one_use():
        return None
    before = [operand for operand in (op.lhs, op.rhs) if _is_load_of(operand, variable, store)]
    return Reduction(variable, op) if len(before) == 1 and before[0].has_one_use() else None


def _is_load_of(value: SSAValue, variable: SSAValue, store: memref.StoreOp) -> bool:
    load = value.owner
    return (
        isinstance(load, memref.LoadOp)
        and load.memref is variable
        and load.parent is store.parent
    )
