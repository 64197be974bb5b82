"""
A normal form of level expressions in which equal divisions and masks look alike.

    x >> n, x << n, x & (2^n - 1)   ->  x / 2^n, x * 2^n, x % 2^n
    (x / a) / b                     ->  x / (a * b)
    (x % m) % c,  c divides m       ->  x % c
    (x % m) / c,  c divides m       ->  (x / c) % (m / c)
    x / 1, x * 1, x % 1             ->  x, x, 0

All hold for negative `x` too, since `/` rounds down; all constants are positive.
"""

from tamale.dialects.format.expressions import Binary, Const, Expr, apply
from tamale.dialects.format.substitution import inline_lets


def normal_form(expr: Expr) -> Expr:
    """`expr` with its lets written out, normalized."""
    return normalize(inline_lets(expr))


def normalize(expr: Expr) -> Expr:
    """`expr`, which has no lets, with the rules above applied from the leaves up."""
    if not isinstance(expr, Binary):
        return expr
    lhs, rhs = normalize(expr.lhs), normalize(expr.rhs)
    match expr.op, lhs, rhs:
        case op, Const(a), Const(b):
            return Const(apply(op, a, b))
        case "&", Const(mask), x if is_low_mask(mask):
            return _remainder(x, mask + 1)
        case "&", x, Const(mask) if is_low_mask(mask):
            return _remainder(x, mask + 1)
        case ">>", x, Const(n):
            return _quotient(x, 1 << n)
        case "<<", x, Const(n):
            return _product(x, 1 << n)
        case "/", x, Const(c) if c > 0:
            return _quotient(x, c)
        case "%", x, Const(c) if c > 0:
            return _remainder(x, c)
        case "*", x, Const(c):
            return _product(x, c)
        case _:
            return Binary(expr.op, lhs, rhs)


def is_low_mask(value: int) -> bool:
    """Whether `value` is `2^n - 1` for some n."""
    return value >= 0 and value & (value + 1) == 0


def _product(x: Expr, c: int) -> Expr:
    return x if c == 1 else Binary("*", x, Const(c))


def _quotient(x: Expr, c: int) -> Expr:
    match x:
        case _ if c == 1:
            return x
        case Binary("/", y, Const(a)) if a > 0:
            return _quotient(y, a * c)
        case Binary("%", y, Const(m)) if m > 0 and m % c == 0:
            return _remainder(_quotient(y, c), m // c)
        case _:
            return Binary("/", x, Const(c))


def _remainder(x: Expr, c: int) -> Expr:
    match x:
        case _ if c == 1:
            return Const(0)
        case Binary("%", y, Const(m)) if m > 0 and m % c == 0:
            return _remainder(y, c)
        case _:
            return Binary("%", x, Const(c))
