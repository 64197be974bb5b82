"""Whether statements write every place of a result, so that it need not start from anything."""

from __future__ import annotations

from xdsl.ir import Block, Operation

from tamale.dialects import cfir
from tamale.dialects.cin.sets import leaves
from tamale.dialects.notation.ast import Access


def overwrites_all(op: Operation, target: Access, looped: frozenset[str]) -> bool:
    """Whether `op` plainly assigns every coordinate of a dense target."""
    match op:
        case cfir.LatticeOp():
            variable = op.index_var.data
            everywhere = any(not leaves(guard.data) for guard in op.guards)
            if not everywhere or variable not in target.indices:
                return False
            inside = looped | {variable}
            return all(block_overwrites_all(case.block, target, inside) for case in op.cases)
        case cfir.WhereOp():
            inner = op.consumer.block.last_op
            return inner is not None and overwrites_all(inner, target, looped)
        case cfir.AssignOp():
            statement = op.statement.data
            plain = statement.result == target and statement.operator is None
            return plain and set(target.indices) <= looped
        case _:
            return False


def block_overwrites_all(block: Block, target: Access, looped: frozenset[str]) -> bool:
    first = block.first_op
    alone = first is not None and first is block.last_op
    return first is not None and alone and overwrites_all(first, target, looped)
