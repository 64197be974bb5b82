"""
How many entries the loops around a list visit: a bound on what it gives to the result.

Growing a large result step by step costs more than its loops do, because every step touches memory
anew. So that it is given room once, the loops are walked before by a kernel derived from them:

    forall i in U.i { { .. } where { forall k in A.k { forall j in B.j { w(j) += .. } } } }
    forall i in U.i { forall k in A.k { visits += width(B(k,j)) } }

Only where this walks one operand, once. Room that is not used is never touched, and given back.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, i64
from xdsl.ir import Block, Operation, Region

from tamale.dialects import cfir
from tamale.dialects.cin.sets import SetExpr, Stored, leaves
from tamale.dialects.notation.ast import Access, Assignment, Call
from tamale.passes.lowering.scope import KernelContext


def visits_kernel(op: cfir.KernelOp, kernel: KernelContext, variable: str) -> cfir.KernelOp | None:
    """The kernel that counts the visits of lists of `variable`; None if that takes too long."""
    filled = (w for w in op.vectors if w.access.indices == (variable,))
    if not any(filled):
        return None
    counter = Access(f"{op.target.data.tensor}_visits")
    body = _counting(op.body.block, kernel, variable, counter)
    if not body or len(_walked(body)) > 1 or counter.tensor in kernel.accesses:
        return None
    accesses = [attribute.data for attribute in op.accesses]
    result = TensorType(i64, [])
    return cfir.KernelOp(counter, accesses, op.tensors, result, Region(Block(body)))


def _counting(
    block: Block, kernel: KernelContext, variable: str, counter: Access
) -> list[Operation] | None:
    """The statements of a block as loops that count; None if one of them cannot be one."""
    found: list[Operation] = []
    for op in block.ops:
        match op:
            case cfir.LatticeOp() if op.index_var.data == variable:
                inner = _count_loop(op, kernel, counter)
            case cfir.LatticeOp():
                inner = _loop(op, kernel, variable, counter)
            case cfir.WhereOp() if not op.workspace.is_scalar:
                inner = _counting(op.producer.block, kernel, variable, counter)
            case _:
                inner = None
        if inner is None:
            return None
        found += inner
    return found


def _loop(
    op: cfir.LatticeOp, kernel: KernelContext, variable: str, counter: Access
) -> list[Operation] | None:
    if op.index_var.data in kernel.result.indices and not _is_read(kernel, op.index_var.data):
        return None  # Its size is that of the result, which the counter is not.
    cases: list[tuple[SetExpr, Region]] = []
    for guard, case in zip(op.guards, op.cases, strict=True):
        inner = _counting(case.block, kernel, variable, counter)
        if inner is None:
            return None
        cases.append((guard.data, Region(Block(inner))))
    variable, domain = op.index_var.data, op.domain.data
    return [cfir.LatticeOp(variable, domain, cases, op.located_leaves, op.sought_leaves)]


def _is_read(kernel: KernelContext, variable: str) -> bool:
    """Whether an operand has the index variable."""
    operands = (attribute.data for attribute in kernel.kernel.accesses)
    return any(variable in access.indices for access in operands)


def _count_loop(
    op: cfir.LatticeOp, kernel: KernelContext, counter: Access
) -> list[Operation] | None:
    """The loop of a list, as the number of entries that it walks."""
    leaf = op.domain.data
    if not isinstance(leaf, Stored) or leaf.access in kernel.vectors:
        return None
    if kernel.level(leaf) != len(kernel.formats[leaf.access].levels) - 1:
        return None
    width = Call("width", (kernel.accesses[leaf.access],))
    return [cfir.AssignOp(Assignment(counter, "add", width))]


def _walked(ops: Sequence[Operation]) -> set[str]:
    """The accesses whose levels loops walk."""
    loops = (inner for op in ops for inner in op.walk() if isinstance(inner, cfir.LatticeOp))
    return {leaf.access for loop in loops for leaf in leaves(loop.domain.data)}
