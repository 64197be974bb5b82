"""
Level expressions put together with constants folded and sums collected.

`low - high + 1` of two symbolic bounds should read `dim_i + dim_j - 1`, not repeat how it came
about. Dimension sizes, the variables `dim_...`, are taken to be at least 1.
"""

from collections.abc import Mapping
from typing import Final, TypeAlias

from tamale.dialects.format.expressions import Binary, Const, Expr, Operator, Var, apply

Linear: TypeAlias = tuple[dict[Expr, int], int]
"""Terms with their factors, none of them 0, and a constant."""

Known: TypeAlias = tuple[int | None, int | None]
"""The least and the largest possible value, as far as known."""

DIMENSION: Final = "dim_"
"""What the names of dimension sizes begin with."""


def dimension(mode: str) -> Var:
    """
    The size of a mode, or of the dimension of an index variable.

    >>> dimension("i").name
    'dim_i'
    """
    return Var(DIMENSION + mode)


def add(a: Expr, b: Expr) -> Expr:
    """`a + b`."""
    return from_linear(_sum(linear(a), linear(b), 1))


def subtract(a: Expr, b: Expr) -> Expr:
    """`a - b`."""
    return from_linear(_sum(linear(a), linear(b), -1))


def multiply(a: Expr, b: Expr) -> Expr:
    """`a * b`."""
    for factor, other in ((a, b), (b, a)):
        if isinstance(factor, Const):
            terms, constant = linear(other)
            return from_linear(_scaled(terms, constant, factor.value))
    return Binary("*", a, b)


def folded(op: Operator, a: Expr, b: Expr) -> Expr:
    """`a op b`, a number if both are; divisions by 1 and the like go."""
    match op, a, b:
        case _, Const(x), Const(y):
            return Const(apply(op, x, y))
        case "+", _, _:
            return add(a, b)
        case "-", _, _:
            return subtract(a, b)
        case "*", _, _:
            return multiply(a, b)
        case "/", _, Const(1):
            return a
        case (("<<" | ">>"), _, Const(0)):
            return a
        case _:
            return Binary(op, a, b)


def minimum(a: Expr, b: Expr) -> Expr:
    """The smaller one; of 64-bit values if it is not known which."""
    difference = subtract(a, b)
    low, high = known(difference)
    if high is not None and high <= 0:
        return a
    if low is not None and low >= 0:
        return b
    return add(b, _negative_part(difference))


def maximum(a: Expr, b: Expr) -> Expr:
    """The larger one; of 64-bit values if it is not known which."""
    difference = subtract(a, b)
    low, high = known(difference)
    if low is not None and low >= 0:
        return a
    if high is not None and high <= 0:
        return b
    return subtract(a, _negative_part(difference))


def _negative_part(value: Expr) -> Expr:
    """`min(value, 0)`: a shift by 63 bits leaves the sign alone."""
    return Binary("&", value, Binary(">>", value, Const(63)))


def linear(expr: Expr) -> Linear:
    """`expr` as a sum of terms; what is no sum is a term of its own."""
    match expr:
        case Const(value):
            return {}, value
        case Binary("+", lhs, rhs):
            return _sum(linear(lhs), linear(rhs), 1)
        case Binary("-", lhs, rhs):
            return _sum(linear(lhs), linear(rhs), -1)
        case Binary("*", lhs, Const(factor)) | Binary("*", Const(factor), lhs):
            return _scaled(*linear(lhs), factor)
        case _:
            return {expr: 1}, 0


def _sum(a: Linear, b: Linear, sign: int) -> Linear:
    terms = dict(a[0])
    for term, factor in b[0].items():
        terms[term] = terms.get(term, 0) + sign * factor
    return {term: factor for term, factor in terms.items() if factor}, a[1] + sign * b[1]


def _scaled(terms: Mapping[Expr, int], constant: int, factor: int) -> Linear:
    if factor == 0:
        return {}, 0
    return {term: own * factor for term, own in terms.items()}, constant * factor


def from_linear(sum: Linear) -> Expr:
    """The sum as an expression, what is added before what is subtracted."""
    terms, constant = sum
    total: Expr | None = None
    for term, factor in terms.items():
        if factor > 0:
            part = term if factor == 1 else Binary("*", term, Const(factor))
            total = part if total is None else Binary("+", total, part)
    if total is None:
        total, constant = Const(constant), 0
    for term, factor in terms.items():
        if factor < 0:
            total = Binary("-", total, term if factor == -1 else Binary("*", term, Const(-factor)))
    if constant:
        op: Operator = "+" if constant > 0 else "-"
        total = Binary(op, total, Const(abs(constant)))
    return total


def known(expr: Expr) -> Known:
    """Numbers that the value of `expr` lies between, whatever the dimension sizes."""
    match expr:
        case Const(value):
            return value, value
        case Var(name):
            return (1, None) if name.startswith(DIMENSION) else (None, None)
        case Binary("+" | "-", _, _):
            return _known_sum(linear(expr))
        case Binary("*", lhs, rhs):
            return _known_product(known(lhs), known(rhs))
        case Binary("/", x, Const(c)) if c > 0:
            low, high = known(x)
            return None if low is None else low // c, None if high is None else high // c
        case Binary("%", _, Const(c)) if c > 0:
            return 0, c - 1
        case Binary("&", x, Binary(">>", y, Const(63))) if x == y:
            return None, 0
        case Binary("&" | "|" | "^", lhs, rhs) if _nonnegative(lhs) and _nonnegative(rhs):
            return 0, None
        case _:
            return None, None


def _nonnegative(expr: Expr) -> bool:
    low = known(expr)[0]
    return low is not None and low >= 0


def _known_sum(sum: Linear) -> Known:
    terms, constant = sum
    low: int | None = constant
    high: int | None = constant
    for term, factor in terms.items():
        below, above = _scaled_known(known(term), factor)
        low = None if low is None or below is None else low + below
        high = None if high is None or above is None else high + above
    return low, high


def _scaled_known(value: Known, factor: int) -> Known:
    low, high = (None if end is None else end * factor for end in value)
    return (low, high) if factor > 0 else (high, low)


def _known_product(a: Known, b: Known) -> Known:
    if a[0] is None or b[0] is None or a[0] < 0 or b[0] < 0:
        return None, None
    return a[0] * b[0], None if a[1] is None or b[1] is None else a[1] * b[1]
