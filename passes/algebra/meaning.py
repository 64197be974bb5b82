"""
What a loop of cin computes, read back as one expression.

build-lattices asks this where an operand turns out to be absent: what remains of the expression may
need fewer coordinates than the loop's domain, in which the operand stands for every coordinate of
the modes that it lacks.
"""

from __future__ import annotations

from collections.abc import Set

from xdsl.ir import Block, Operation

from tamale.dialects import cin
from tamale.dialects.cin.sets import SetExpr
from tamale.dialects.notation.ast import Access, Assignment, Reduce, walk
from tamale.dialects.operators import operator_named
from tamale.passes.algebra.absence import replace_access, without
from tamale.passes.algebra.derivation import derive_domain
from tamale.passes.algebra.simplification import simplify
from tamale.passes.algebra.stored_variables import StoredVariables


def remaining_domain(
    loop: cin.ForallOp, absent: Set[str], bound: tuple[str, ...], stored: StoredVariables
) -> SetExpr | None:
    """
    The loop's domain derived anew from what is left of its body without `absent`.

    None if the body does not read them, or is more than one statement: then the domain stands.
    """
    meaning = _read_block(loop.body.block, absent)
    if meaning is None or not _mentions(loop, absent):
        return None
    variable, expression = loop.index_var.data, meaning.expression
    reduced = [v for v in (*bound, variable) if v not in meaning.result.indices]
    if meaning.operator is not None and reduced:
        expression = Reduce(meaning.operator, tuple(reduced), expression)
    expression = stored.in_levels(expression)
    return simplify(derive_domain(expression, variable, dict.fromkeys(bound).keys()), variable)


def starts_from_identity(loop: cin.ForallOp, kernel: cin.KernelOp) -> bool:
    """
    Whether the loop accumulates into a dense result that starts from a nonzero identity.

    Then every coordinate has to be visited: one that is not would keep the identity.
    """
    if kernel.zeroed is not None:
        return False
    return any(
        statement.result == kernel.target.data
        and operator_named(statement.operator).counts_absent
        for op in loop.walk()
        if isinstance(op, cin.AssignOp) and (statement := op.statement.data).operator is not None
    )


def _mentions(loop: cin.ForallOp, absent: Set[str]) -> bool:
    return any(
        isinstance(node, Access) and node.tensor in absent
        for op in loop.walk()
        if isinstance(op, cin.AssignOp)
        for node in walk(op.statement.data.expression)
    )


def _read_block(block: Block, absent: Set[str]) -> Assignment | None:
    """The one statement of a block, with its reductions explicit."""
    first = block.first_op
    if first is None or first is not block.last_op:
        return None
    return _read(first, absent)


def _read(op: Operation, absent: Set[str]) -> Assignment | None:
    match op:
        case cin.AssignOp():
            statement = op.statement.data
            expression = without(statement.expression, absent)
            return Assignment(statement.result, statement.operator, expression)
        case cin.ForallOp():
            inner = _read_block(op.body.block, absent)
            return None if inner is None else _bind(op.index_var.data, inner)
        case cin.LetOp():
            return _read_block(op.body.block, absent)
        case cin.WhereOp():
            producer = _read_block(op.producer.block, absent)
            consumer = _read_block(op.consumer.block, absent)
            if producer is None or consumer is None:
                return None
            expression = replace_access(consumer.expression, op.workspace.name, producer.expression)
            return Assignment(consumer.result, consumer.operator, expression)
        case _:
            return None


def _bind(variable: str, statement: Assignment) -> Assignment:
    """The statement with a loop of `variable` around it: a reduction, if the result lacks it."""
    operator, expression = statement.operator, statement.expression
    if operator is None or variable in statement.result.indices:
        return statement
    return Assignment(statement.result, operator, Reduce(operator, (variable,), expression))
