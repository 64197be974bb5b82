"""
What an absent entry is worth, as an expression.

`absent(0)` has the value 0 but, unlike a number that the user wrote, an entry nowhere. It is a call
of an operator like any other, so that it survives printing and reading.
"""

from __future__ import annotations

from tamale.dialects.notation.ast import Call, Expr, Literal
from tamale.dialects.operators import ABSENT, Number


def fill(value: Number) -> Call:
    """The value of what has no entry."""
    return Call(ABSENT, (Literal(value),))


FILL = fill(0)


def is_fill(expression: Expr) -> bool:
    """Whether the expression has no entry, only a value."""
    return isinstance(expression, Call) and expression.operator == ABSENT


def number(expression: Expr) -> Number | None:
    """The value of a number, present or absent; None for anything else."""
    match expression:
        case Literal(value=value):
            return value
        case Call(operator=name, arguments=(Literal(value=value),)) if name == ABSENT:
            return value
        case _:
            return None
