"""
What is left of an expression where some operands have no entry.

An absent access is its fill value, and the operators around it fold by their properties:
`0 + b = b`, `0 * b = 0`, `b - 0 = b`. Only folding that the absence caused is done; a zero that
the user wrote stays.
"""

from __future__ import annotations

from collections.abc import Set

from tamale.dialects.notation.ast import Access, Call, Expr, Literal, Reduce
from tamale.dialects.operators import operator_named

FILL = Literal(0)


def without(expression: Expr, absent: Set[str]) -> Expr:
    """`expression` with the accesses named in `absent` at their fill value, folded."""
    match expression:
        case Access(tensor=name):
            return FILL if name in absent else expression
        case Literal():
            return expression
        case Reduce(operator=operator, variables=variables, body=body):
            reduced = without(body, absent)
            return expression if reduced is body else Reduce(operator, variables, reduced)
        case Call(operator=operator, arguments=arguments):
            folded = tuple(without(a, absent) for a in arguments)
            unchanged = all(new is old for new, old in zip(folded, arguments, strict=True))
            return expression if unchanged else fold(operator, folded)


def replace_access(expression: Expr, name: str, by: Expr) -> Expr:
    """`expression` with one access replaced, folded where the replacement is a number."""
    match expression:
        case Access(tensor=tensor):
            return by if tensor == name else expression
        case Literal():
            return expression
        case Reduce(operator=operator, variables=variables, body=body):
            return Reduce(operator, variables, replace_access(body, name, by))
        case Call(operator=operator, arguments=arguments):
            replaced = tuple(replace_access(a, name, by) for a in arguments)
            return expression if replaced == arguments else fold(operator, replaced)


def fold(name: str, arguments: tuple[Expr, ...]) -> Expr:
    """The call, folded by its operator's identities and annihilators."""
    operator = operator_named(name)
    values = [a.value if isinstance(a, Literal) else None for a in arguments]
    for k, value in enumerate(values):
        if value is not None and value == operator.annihilator(k):
            return arguments[k]
    if all(value is not None for value in values):
        return Literal(operator.apply(*values))
    if len(arguments) == 2:
        for k, value in enumerate(values):
            if value is not None and value == operator.identity(k):
                return arguments[1 - k]
        if name == "sub" and values[0] == 0:
            return Call("neg", (arguments[1],))
    return Call(name, arguments)
