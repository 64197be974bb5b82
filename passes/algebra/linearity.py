"""Whether the duplicates of an operand may be worked off one by one: f(a + b) = f(a) + f(b)."""

from __future__ import annotations

from tamale.dialects.notation.ast import Access, Call, Expr, walk


def is_linear(expression: Expr, access: str) -> bool:
    """
    Whether the expression is a sum of terms that each have `access` as one plain factor.

    `map(A, v)` and `width(A)` speak of entries, one by one, whatever their values are.
    """
    match expression:
        case Call(operator="map" | "width"):
            return True
        case Access(tensor=tensor):
            return tensor == access
        case Call(operator="add" | "sub" | "neg", arguments=arguments):
            return all(is_linear(argument, access) for argument in arguments)
        case Call(operator="mul", arguments=(a, b)):
            one, other = (a, b) if reads(a, access) else (b, a)
            return is_linear(one, access) and not reads(other, access)
        case Call(operator="div", arguments=(a, b)):
            return is_linear(a, access) and not reads(b, access)
        case _:
            return False


def reads(expression: Expr, access: str) -> bool:
    """Whether the expression depends on `access`."""
    return any(isinstance(node, Access) and node.tensor == access for node in walk(expression))


def asks_for_entries(expression: Expr) -> bool:
    """Whether the expression is about entries alone, so that each may be visited for itself."""
    return isinstance(expression, Call) and expression.operator in ("map", "width")
