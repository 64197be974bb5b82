"""
Interval arithmetic on level expressions: the coordinates that a level can hold.

Sound for all operators: no value of the expression lies outside. Exact for whole modes
under `+ - *`, division, remainder and shifts by constants, masks of low bits and Morton
codes, as long as every mode occurs once: that covers the formats that we know of.
"""

from collections.abc import Callable, Iterable, Mapping
from math import prod
from typing import Final, TypeAlias

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expressions import (
    LARGEST_SHIFT,
    Binary,
    Const,
    Counter,
    Expr,
    Let,
    Operator,
    Var,
    apply,
    free_variables,
    to_text,
)

Interval: TypeAlias = tuple[int, int]
"""Smallest and largest value, both included; empty if the smallest is the larger."""

EMPTY: Final[Interval] = (0, -1)


def bounds(expr: Expr, modes: Mapping[str, Interval]) -> Interval:
    """
    The smallest interval found for the values of `expr`.

    A counter is bounded by the number of coordinates that share its modes, which holds
    for tensors without duplicates and needs `modes` to hold every mode of the tensor.

    Args:
        expr: a level expression.
        modes: the interval of each mode; `(0, size - 1)` for a whole one.

    Raises:
        FormatError: `expr` always divides by zero, or can shift by more than 63 bits.

    >>> bounds(Binary("-", Var("j"), Var("i")), {"i": (0, 3), "j": (0, 5)})
    (-3, 5)
    """
    if any(_is_empty(modes[name]) for name in free_variables(expr)):
        return EMPTY
    return _bounds(expr, modes, modes)


def _is_empty(interval: Interval) -> bool:
    return interval[0] > interval[1]


def _bounds(expr: Expr, modes: Mapping[str, Interval], scope: Mapping[str, Interval]) -> Interval:
    """`scope` is `modes` and the let variables around `expr`."""
    match expr:
        case Var(name):
            return scope[name]
        case Const(value):
            return value, value
        case Counter(variables):
            others = (hi - lo + 1 for name, (lo, hi) in modes.items() if name not in variables)
            return 0, prod(others) - 1
        case Binary(op, lhs, rhs):
            operands = _bounds(lhs, modes, scope), _bounds(rhs, modes, scope)
            if EMPTY in operands:
                return EMPTY
            try:
                return _COMBINE[op](*operands)
            except FormatError as error:
                raise FormatError(f"{error} (in '{to_text(expr)}')") from None
        case Let(name, value, body):
            return _bounds(body, modes, {**scope, name: _bounds(value, modes, scope)})


def _corners(op: Operator, lhs: Iterable[int], rhs: Iterable[int]) -> Interval:
    """The hull of `op` on the corners, exact where `op` is monotone between them."""
    results = [apply(op, a, b) for b in rhs for a in lhs]
    return min(results), max(results)


def _divide(lhs: Interval, rhs: Interval) -> Interval:
    """Monotone in the divisor on either side of zero, so -1 and 1 are corners too."""
    lo, hi = rhs
    divisors = [d for d in {lo, hi, -1, 1} if lo <= d <= hi and d != 0]
    return _corners("/", lhs, divisors or (0,))


def _modulo(lhs: Interval, rhs: Interval) -> Interval:
    if rhs == (0, 0):
        return _corners("%", lhs, rhs)
    lo, hi = rhs
    if lo == hi and lhs[0] // lo == lhs[1] // lo:
        return lhs[0] % lo, lhs[1] % lo
    if 0 <= lhs[0] and lhs[1] < lo:
        return lhs
    largest = max(hi - 1, 0)
    if lhs[0] >= 0 and lo > 0:
        largest = min(largest, lhs[1])
    return min(lo + 1, 0), largest


def _shift(op: Operator) -> Callable[[Interval, Interval], Interval]:
    def combine(lhs: Interval, rhs: Interval) -> Interval:
        lo, hi = rhs
        if hi < 0 or hi > LARGEST_SHIFT:
            return _corners(op, lhs, (hi,))
        return _corners(op, lhs, (max(lo, 0), hi))

    return combine


def _bit_width(*intervals: Interval) -> int:
    """The bits that two's complement needs beside the sign."""
    return max((end if end >= 0 else ~end).bit_length() for pair in intervals for end in pair)


def _and(lhs: Interval, rhs: Interval) -> Interval:
    if lhs[0] < 0 and rhs[0] < 0:
        return -(1 << _bit_width(lhs, rhs)), max(lhs[1], rhs[1])
    largest = min(hi for lo, hi in (lhs, rhs) if lo >= 0)
    for (lo, hi), mask in ((lhs, rhs), (rhs, lhs)):
        if lo >= 0 and mask[0] == mask[1]:
            largest = min(largest, mask[0] & ((1 << hi.bit_length()) - 1))
    return 0, largest


def _or(lhs: Interval, rhs: Interval) -> Interval:
    if lhs[1] < 0 or rhs[1] < 0:
        return min(lhs[0], rhs[0]), -1
    largest = (1 << _bit_width((0, lhs[1]), (0, rhs[1]))) - 1
    if lhs[0] < 0 or rhs[0] < 0:
        return min(lhs[0], rhs[0]), largest
    return max(lhs[0], rhs[0]), min(largest, lhs[1] + rhs[1])


def _xor(lhs: Interval, rhs: Interval) -> Interval:
    largest = (1 << _bit_width(lhs, rhs)) - 1
    if lhs[0] < 0 or rhs[0] < 0:
        return ~largest, largest
    return 0, min(largest, lhs[1] + rhs[1])


_COMBINE: Final[Mapping[Operator, Callable[[Interval, Interval], Interval]]] = {
    "|": _or,
    "^": _xor,
    "&": _and,
    "<<": _shift("<<"),
    ">>": _shift(">>"),
    "+": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "-": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "*": lambda a, b: _corners("*", a, b),
    "/": _divide,
    "%": _modulo,
}
