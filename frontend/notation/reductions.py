"""
Implicit reductions made explicit, and the questions about variables that needs.

A variable that stands on the right only, and that no `sum` or `reduce` binds, is summed over:
Einstein's convention, one term of the right side at a time. The terms are what `+`, `-` and unary
minus join at the top of the expression; a term is never split further.

    y(i) = b(i) - A(i,j) * x(j)          y(i) = b(i) - sum(j, A(i,j) * x(j))
    y(i) = (A(i,j) + B(i,j)) * x(j)      y(i) = sum(j, (A(i,j) + B(i,j)) * x(j))
    y(i) += A(i,j) * x(j)                y(i) = y(i) + sum(j, A(i,j) * x(j))
    y(i) max= A(i,j) + b(j)              y(i) = max(y(i), reduce(max, j, A(i,j) + b(j)))

As the last line shows, under an assignment by another operator than `+=` that operator reduces, and
the whole right side is one term.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeGuard

from tamale.dialects.notation.ast import (
    Access,
    Assignment,
    Call,
    Expr,
    Reduce,
    free_variables,
    walk,
)

ADDITIVE = frozenset({"add", "sub", "neg"})


def accesses(expr: Expr) -> tuple[Access, ...]:
    """Every access in `expr`, in order of appearance; one that is written twice comes twice."""
    return tuple(node for node in walk(expr) if isinstance(node, Access))


def variables(expr: Expr) -> tuple[str, ...]:
    """The index variables that `expr` names, bound or not, each once, in order of appearance."""
    names: dict[str, None] = {}
    for node in walk(expr):
        if isinstance(node, Access):
            names |= dict.fromkeys(node.indices)
        elif isinstance(node, Reduce):
            names |= dict.fromkeys(node.variables)
    return tuple(names)


def reduction_terms(assignment: Assignment) -> tuple[Expr, ...]:
    """The parts of the right side that are reduced one by one, from left to right."""
    if _operator(assignment) != "add":
        return (assignment.expression,)
    return tuple(_additive_terms(assignment.expression))


def explicit_reductions(assignment: Assignment) -> Assignment:
    """
    Writes `assignment` as a plain `=` whose every reduction is a `Reduce`.

    The value is unchanged: `y(i) op= e` becomes `y(i) = op(y(i), e)`, `e` with its reductions.
    Nothing is left to do on the result: the function is idempotent.
    """
    operator = _operator(assignment)
    on_left = frozenset(assignment.result.indices)
    if operator == "add":
        reduced = _reduce_terms(assignment.expression, on_left)
    else:
        reduced = _reduce_missing(operator, assignment.expression, on_left)
    if assignment.operator is not None:
        span = assignment.expression.span
        reduced = Call(assignment.operator, (assignment.result, reduced), span=span)
    return replace(assignment, operator=None, expression=reduced)


def _operator(assignment: Assignment) -> str:
    return assignment.operator or "add"


def _additive_terms(expr: Expr) -> Iterator[Expr]:
    if not _is_additive(expr):
        yield expr
        return
    for argument in expr.arguments:
        yield from _additive_terms(argument)


def _reduce_terms(expr: Expr, on_left: frozenset[str]) -> Expr:
    if not _is_additive(expr):
        return _reduce_missing("add", expr, on_left)
    arguments = tuple(_reduce_terms(argument, on_left) for argument in expr.arguments)
    return replace(expr, arguments=arguments)


def _reduce_missing(operator: str, term: Expr, on_left: frozenset[str]) -> Expr:
    missing = tuple(name for name in free_variables(term) if name not in on_left)
    return Reduce(operator, missing, term, span=term.span) if missing else term


def _is_additive(expr: Expr) -> TypeGuard[Call]:
    return isinstance(expr, Call) and expr.operator in ADDITIVE
