"""Statements taken apart: the terms that an operator joins, the reductions and variables inside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tamale.dialects.notation.ast import (
    Access,
    Assignment,
    Call,
    Expr,
    Reduce,
    free_variables,
    walk,
)
from tamale.dialects.operators import operator_named


def accesses_in(expression: Expr) -> tuple[Access, ...]:
    """The accesses of an expression, each once, in order."""
    return tuple(dict.fromkeys(node for node in walk(expression) if isinstance(node, Access)))


def outermost_reductions(expression: Expr) -> Iterator[Reduce]:
    """The reductions in `expression` that no other one contains."""
    if isinstance(expression, Reduce):
        yield expression
    elif isinstance(expression, Call):
        for argument in expression.arguments:
            yield from outermost_reductions(argument)


def has_reduction(expression: Expr) -> bool:
    return any(isinstance(node, Reduce) for node in walk(expression))


def free_in(expression: Expr) -> set[str]:
    """The index variables used outside of reductions that bind them."""
    return set(free_variables(expression))


def substitute_expression(expression: Expr, old: Expr, new: Expr) -> Expr:
    if expression == old:
        return new
    match expression:
        case Call(operator=operator, arguments=arguments):
            return Call(operator, tuple(substitute_expression(a, old, new) for a in arguments))
        case Reduce(operator=operator, variables=variables, body=body):
            return Reduce(operator, variables, substitute_expression(body, old, new))
        case _:
            return expression


def repeats_variables(statement: Assignment) -> bool:
    """Whether an access has an index variable twice."""
    accesses = (statement.result, *accesses_in(statement.expression))
    return any(len(set(access.indices)) < len(access.indices) for access in accesses)


def joined_terms(expression: Expr) -> tuple[str, list[Expr]]:
    """The operator that joins the top of an expression, and its terms; sums include differences."""
    match expression:
        case Call(operator=name) if name not in ("add", "sub", "neg"):
            if operator_named(name).reduction_identity is None:
                return name, [expression]
            return name, chain(name, expression)
        case _:
            return "add", additive_terms(expression)


def chain(name: str, expression: Expr) -> list[Expr]:
    """The terms or factors that an operator joins at the top of an expression."""
    match expression:
        case Call(operator=operator, arguments=arguments) if operator == name:
            return [term for argument in arguments for term in chain(name, argument)]
        case _:
            return [expression]


def additive_terms(expression: Expr, *, negative: bool = False) -> list[Expr]:
    """The terms that `+`, `-` and unary minus join, signs moved inside sums."""
    match expression:
        case Call(operator="add", arguments=(a, b)):
            return additive_terms(a, negative=negative) + additive_terms(b, negative=negative)
        case Call(operator="sub", arguments=(a, b)):
            return additive_terms(a, negative=negative) + additive_terms(b, negative=not negative)
        case Call(operator="neg", arguments=(a,)):
            return additive_terms(a, negative=not negative)
        case Reduce(operator="add", variables=variables, body=body) if negative:
            return [Reduce("add", variables, Call("neg", (body,)))]
        case _:
            return [Call("neg", (expression,)) if negative else expression]


def join(operator: str, terms: Sequence[Expr]) -> Expr:
    """The terms joined by an operator, negative ones of a sum subtracted."""
    total = terms[0]
    for term in terms[1:]:
        match term:
            case Call(operator="neg", arguments=(inner,)) if operator == "add":
                total = Call("sub", (total, inner))
            case _:
                total = Call(operator, (total, term))
    return total
