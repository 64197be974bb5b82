"""
How much code the lattices of a kernel turn into.

There is a loop per lattice point and in it a case per point below, so that a k-way union of one
level has 3^k case bodies, and each of them holds those of the loops inside. Beyond a limit that is
refused, by name.
"""

from __future__ import annotations

from xdsl.ir import Block

from tamale.dialects import cfir
from tamale.dialects.cin.sets import leaves
from tamale.dialects.errors import TamaleError
from tamale.passes.algebra.lattice import points

MAX_CASES = 700


def check_code_size(block: Block) -> None:
    """
    Raises:
        TamaleError: the loops below would have more than `MAX_CASES` case bodies.
    """
    count = case_bodies(block)
    if count > MAX_CASES:
        raise TamaleError(
            f"build-lattices: merging this many sparse operands takes {count} cases of code, more "
            f"than {MAX_CASES}\n  help: compute the expression in parts"
        )


def case_bodies(block: Block) -> int:
    """How many case bodies the lattices in `block` turn into, nested ones included."""
    total = 0
    for op in block.ops:
        match op:
            case cfir.LatticeOp():
                total += _lattice_bodies(op)
            case cfir.LetOp():
                total += case_bodies(op.body.block)
            case cfir.WhereOp():
                total += case_bodies(op.producer.block) + case_bodies(op.consumer.block)
            case _:
                pass
    return total


def _lattice_bodies(op: cfir.LatticeOp) -> int:
    variable = op.index_var.data
    sizes = {
        frozenset(leaves(guard.data)): 1 + case_bodies(case.block)
        for guard, case in zip(op.guards, op.cases, strict=True)
    }
    return sum(
        sizes.get(frozenset(leaves(below)), 1)
        for point in points(op.domain.data, variable)
        for below in points(point, variable)
    )
