"""
Loops that only count what one operand stores are read off its positions.

    lattice j over A.j case A.j { c += 1 }  ->  c += width(A(i,j))
    lattice j over A.j case A.j { t = 1 }   ->  t |= map(width(A(i,j)), 1)
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from tamale.dialects import cfir
from tamale.dialects.cin.scope import level_of
from tamale.dialects.cin.sets import Stored
from tamale.dialects.notation.ast import Assignment, Call, Expr, Literal
from tamale.dialects.operators import MAP, WIDTH
from tamale.passes.levels import is_padded
from tamale.passes.levels.counting import countable_levels

ONE = Literal(1)


def measure_widths(kernel: cfir.KernelOp) -> None:
    """Rewrites the loops of a counting kernel, inside out."""
    loops = [op for op in kernel.body.walk() if isinstance(op, cfir.LatticeOp)]
    for op in reversed(loops):
        measured = _measured(op, kernel)
        if measured is not None:
            Rewriter.replace_op(op, cfir.AssignOp(measured), [])


def _measured(op: cfir.LatticeOp, kernel: cfir.KernelOp) -> Assignment | None:
    """What a loop comes to, if it walks one operand and counts its entries."""
    statement, leaf = _only_statement(op), op.domain.data
    if statement is None or not isinstance(leaf, Stored) or op.located_leaves:
        return None
    access, format = kernel.read_accesses[leaf.access], kernel.formats[leaf.access]
    level = level_of(leaf, kernel.read_accesses, kernel.formats)
    every = range(len(format.levels))
    if level not in countable_levels(format) or is_padded(format):
        return None
    if not all(format.properties(k).unique for k in every):
        return None
    width = Call(WIDTH, (access,))
    counted: Sequence[Expr] = (ONE,) if level == every[-1] else (width, Call(MAP, (width, ONE)))
    if statement.expression not in counted:
        return None
    if statement.operator == "add" and statement.expression in (ONE, width):
        return Assignment(statement.result, "add", width)
    if statement.operator == "add":
        return None
    return Assignment(statement.result, "or", Call(MAP, (width, ONE)))


def _only_statement(op: cfir.LatticeOp) -> Assignment | None:
    """The scalar assignment that is all a loop with one case does."""
    if len(op.cases) != 1 or op.guards.data[0].data != op.domain.data:
        return None
    inner: Operation | None = op.cases[0].block.first_op
    if not isinstance(inner, cfir.AssignOp) or inner.next_op is not None:
        return None
    statement = inner.statement.data
    return None if statement.result.indices else statement
