"""What the expressions of queries are worth: folding, signs, and values where nothing is stored."""

from __future__ import annotations

from collections.abc import Set

from tamale.dialects.notation.ast import Access, Call, Expr, Literal, Reduce

ZERO = Literal(0)


def one(operand: Expr) -> Expr:
    """`map(operand, 1)`: 1 for each entry."""
    return mapped(operand, Literal(1))


def mapped(operand: Expr, value: Expr) -> Expr:
    """`map(operand, value)`."""
    return Call("map", (operand, value))


def plus_one(value: Expr) -> Expr:
    """`value + 1`."""
    return Call("add", (value, Literal(1)))


def replaced(expression: Expr, name: str, by: Expr) -> Expr:
    """`expression` with the access called `name` replaced."""
    match expression:
        case Access(tensor=tensor):
            return by if tensor == name else expression
        case Call(operator=operator, arguments=arguments):
            return Call(operator, tuple(replaced(a, name, by) for a in arguments))
        case _:
            return expression


def folded(expression: Expr) -> Expr:
    """
    The expression with these rules applied, from the leaves up, and constants folded:

        map(map(x, c), v)  ->  map(x, v)     c a number other than 0
        map(c, v)          ->  v, or 0 if c is 0
        x * 1              ->  x
        x * 0              ->  0

    The operands of numbers and products here are whole numbers, so that all are exact.
    """
    if not isinstance(expression, Call):
        return expression
    match expression.operator, tuple(map(folded, expression.arguments)):
        case "map", (Call(operator="map", arguments=(x, Literal(value=c))), v) if c != 0:
            return Call("map", (x, v))
        case "map", (Literal(value=c), v):
            return v if c != 0 else ZERO
        case "mul", (x, Literal(value=1)) | (Literal(value=1), x):
            return x
        case "mul", (Literal(value=0), _) | (_, Literal(value=0)):
            return ZERO
        case "mul", (Literal(value=int(a)), Literal(value=int(b))):
            return Literal(a * b)
        case "add", (Literal(value=int(a)), Literal(value=int(b))):
            return Literal(a + b)
        case operator, arguments:
            return Call(operator, arguments)


def vanishes(expression: Expr, name: str) -> bool:
    """Whether the expression is 0 where the access called `name` is."""
    match expression:
        case Access(tensor=tensor):
            return tensor == name
        case Literal(value=value):
            return value == 0
        case Call(operator="map", arguments=(x, v)):
            return vanishes(x, name) or vanishes(v, name)
        case Call(operator="mul", arguments=arguments):
            return any(vanishes(a, name) for a in arguments)
        case Call(operator="add" | "max" | "or", arguments=arguments):
            return all(vanishes(a, name) for a in arguments)
        case _:
            return False


def is_natural(expression: Expr, naturals: Set[str]) -> bool:
    """Whether the value is a whole number from 0 on; bare names in `naturals` are."""
    match expression:
        case Literal(value=value):
            return isinstance(value, int) and value >= 0
        case Access(tensor=name, indices=()):
            return name in naturals
        case Call(operator="width"):
            return True
        case Call(operator="map", arguments=(_, v)):
            return is_natural(v, naturals)
        case Call(operator="add" | "mul" | "max" | "or", arguments=arguments):
            return all(is_natural(a, naturals) for a in arguments)
        case _:
            return False


def reads(expression: Expr) -> tuple[Access, ...]:
    """The accesses with indices, `A(i,j)`, each once."""
    match expression:
        case Access(indices=indices):
            return (expression,) if indices else ()
        case Call(arguments=arguments):
            return tuple(dict.fromkeys(access for a in arguments for access in reads(a)))
        case Reduce(body=body):
            return reads(body)
        case Literal():
            return ()
