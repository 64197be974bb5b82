"""
When an expression over workspaces has an entry: a condition on the scalars in it.

A scalar has an entry where anything was put into it; what it is computed with decides whether all
of several are needed, or one of them. `docs/rationale/exact-structure.md` has the rules.
"""

from __future__ import annotations

from collections.abc import Set

from tamale.dialects.notation.ast import Access, Call, Expr, Literal
from tamale.dialects.operators import MAP, WIDTH, operator_named
from tamale.passes.algebra.derivation import fill_value
from tamale.passes.algebra.fills import is_fill, number

NOWHERE = Literal(0)
"""The condition of what never has an entry."""


def presence(expression: Expr, scalars: Set[str]) -> Expr | None:
    """
    When `expression` has an entry, as an expression of `and`, `or` and numbers that are not 0.

    A name of `scalars` in it stands for "has been filled". None if there surely is an entry.

    >>> from tamale.dialects.notation.ast import Access, Call, to_text
    >>> product = Call("mul", (Access("t"), Access("A", ("i",))))
    >>> to_text(presence(product, {"t"})), presence(product, set())
    ('t', None)
    """
    match expression:
        case Access(tensor=name):
            return Access(name) if name in scalars else None
        case Call() if is_fill(expression):
            # Zero is what an absent entry reads as anyway; any other value has to be stored.
            return NOWHERE if number(expression) == 0 else None
        case Call(operator=operator) if operator == WIDTH:
            return Call(MAP, (expression, Literal(1)))
        case Call(operator=operator, arguments=arguments):
            return _call_presence(operator, arguments, scalars)
        case _:
            return None


def _call_presence(name: str, arguments: tuple[Expr, ...], scalars: Set[str]) -> Expr | None:
    operator = operator_named(name)
    if fill_value(_as_operand(Call(name, arguments), scalars)) not in (0, None):
        return None  # Computed everywhere, because its value is not zero where nothing is stored.
    needed = [
        argument
        for k, argument in enumerate(arguments)
        if fill_value(_as_operand(argument, scalars)) == operator.annihilator(k)
        and operator.annihilator(k) is not None
    ]
    parts = [presence(argument, scalars) for argument in needed or arguments]
    known = [part for part in parts if part is not None]
    if not known or (not needed and len(known) < len(parts)):
        return None
    if needed and NOWHERE in known:
        return NOWHERE
    first, *rest = [part for part in known if part != NOWHERE] or [NOWHERE]
    total = first
    for part in rest:
        total = Call("and" if needed else "or", (total, part))
    return total


def _as_operand(expression: Expr, scalars: Set[str]) -> Expr:
    """Workspaces stand for what may be absent, as operands do, not for scalars."""
    match expression:
        case Access(tensor=name) if name in scalars:
            return Access(name, ("_",))
        case Call(operator=operator, arguments=arguments):
            return Call(operator, tuple(_as_operand(a, scalars) for a in arguments))
        case _:
            return expression
