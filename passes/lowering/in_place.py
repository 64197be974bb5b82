"""
Lists of entries that are the end of the result: what is inserted is appended at once.

Where the entries of a list are appended to the result as they are, it needs no arrays for them: an
entry goes to the end of the result when its coordinate comes for the first time, and is found there
again. Then nothing is copied.
"""

from __future__ import annotations

from collections.abc import Container

from xdsl.ir import Block, Operation

from tamale.dialects import cfir
from tamale.dialects.cin.sets import Stored
from tamale.dialects.notation.ast import Assignment
from tamale.passes.lowering.assembling import Assembler


def lists_in_place(op: cfir.KernelOp, assembler: Assembler) -> frozenset[str]:
    """The names of a kernel's lists that can be the end of the result that it appends to."""
    if op.into is not None or not assembler.kernel.appends:
        return frozenset()
    wheres = [
        inner
        for inner in op.body.walk()
        if isinstance(inner, cfir.WhereOp) and not inner.workspace.is_scalar
    ]
    copied = {w.workspace.name for w in wheres if not is_appended_unchanged(w, assembler)}
    return frozenset(w.workspace.name for w in wheres) - copied


def is_appended_unchanged(op: cfir.WhereOp, assembler: Assembler) -> bool:
    """
    Whether all that the consumer does is `forall j in w.j { Z(i,j) = w(j) }`, j the last level.

    A hash table keeps its list: it looks into it to compare coordinates.
    """
    workspace = op.workspace
    (variable,) = workspace.access.indices
    if workspace.search != "dense" or assembler.variables[-1] != variable:
        return False
    loop = _only_op(op.consumer.block)
    if not isinstance(loop, cfir.LatticeOp) or len(loop.cases) != 1 or loop.located_leaves:
        return False
    if loop.domain.data != Stored(workspace.name, variable):
        return False
    append = _only_op(loop.cases[0].block)
    unchanged = Assignment(assembler.kernel.result, None, workspace.access)
    return isinstance(append, cfir.AppendOp) and append.statement.data == unchanged


def _only_op(block: Block) -> Operation | None:
    return block.first_op if block.first_op is block.last_op else None


def insertions(op: cfir.LatticeOp, lists: Container[str]) -> int:
    """How many entries of lists one step of a loop makes at most; not counting loops inside."""
    return max((_insertions(case.block, lists) for case in op.cases), default=0)


def _insertions(block: Block, lists: Container[str]) -> int:
    count = 0
    for op in block.ops:
        match op:
            case cfir.AssignOp():
                count += op.statement.data.result.tensor in lists
            case cfir.LetOp():
                count += _insertions(op.body.block, lists)
            case cfir.WhereOp():
                count += sum(_insertions(b, lists) for b in (op.producer.block, op.consumer.block))
            case _:
                pass
    return count
