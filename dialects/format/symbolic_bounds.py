"""
The coordinates that a level can hold, as expressions over dimension sizes.

The model is `bounds.py`, which does it for sizes that are known. Generated code and the arrays of
a tensor have to agree on the size of a level: `level_extent` is the one place that says it. A
remainder by a constant has all its values even where a small dimension does not reach them, so
that blocks have one size.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, reduce
from typing import Final, TypeAlias

from tamale.dialects.format.bounds import bounds
from tamale.dialects.format.expressions import (
    LARGEST_SHIFT,
    Binary,
    Const,
    Counter,
    Expr,
    Operator,
    Var,
    evaluate,
)
from tamale.dialects.format.folding import (
    DIMENSION,
    add,
    dimension,
    folded,
    maximum,
    minimum,
    multiply,
    subtract,
)
from tamale.dialects.format.normal import normal_form
from tamale.dialects.format.spec import Format

Bounds: TypeAlias = tuple[Expr, Expr]
"""Smallest and largest value, both included."""

ZERO: Final = Const(0)
ONE: Final = Const(1)


def symbolic_bounds(expr: Expr, sizes: Mapping[str, Expr]) -> Bounds:
    """
    The smallest and the largest value of `expr`, as expressions over dimension sizes.

    Sound for every operator where no dimension is empty: no value lies outside. If one is, the
    largest may be below the smallest.

    Args:
        expr: a level expression.
        sizes: the size of every mode of the tensor, such as `dim_i` (`mode_sizes`).

    >>> from tamale.dialects.format.expressions import to_text
    >>> diagonal = Binary("-", Var("j"), Var("i"))
    >>> [to_text(end) for end in symbolic_bounds(diagonal, {m: dimension(m) for m in "ij"})]
    ['1 - dim_i', 'dim_j - 1']
    """
    return _bounds(normal_form(expr), sizes)


def mode_sizes(format: Format) -> dict[str, Expr]:
    """`dim_i` for every mode i."""
    return {mode: dimension(mode) for mode in format.modes}


@lru_cache(maxsize=1024)
def level_extent(format: Format, k: int) -> Bounds:
    """
    Level k's smallest coordinate, and how many it can have from there, over `dim_<mode>`.

    The number is below 1 if a dimension is empty. Not for levels of counters whose kind stores a
    size of its own.
    """
    low, high = symbolic_bounds(format.levels[k].expression, mode_sizes(format))
    return low, add(subtract(high, low), ONE)


def extent_of(format: Format, k: int, shape: tuple[int, ...]) -> tuple[int, int]:
    """
    `level_extent` in numbers, with no less than no coordinates at all.

    A level of an empty tensor can have some: generated code knows the level's own expression only,
    and walks them.

    >>> from tamale.dialects.format.named import resolve_format
    >>> extent_of(resolve_format("bcsr(2, 3)"), 1, (4, 7))
    (0, 3)
    """
    sizes = {DIMENSION + mode: n for mode, n in zip(format.modes, shape, strict=True)}
    low, size = level_extent(format, k)
    return evaluate(low, sizes), max(evaluate(size, sizes), 0)


def _bounds(expr: Expr, sizes: Mapping[str, Expr]) -> Bounds:
    match expr:
        case Var(name):
            return ZERO, subtract(sizes[name], ONE)
        case Const():
            return expr, expr
        case Counter(variables):
            others = (size for mode, size in sizes.items() if mode not in variables)
            return ZERO, subtract(reduce(multiply, others, ONE), ONE)
        case Binary(op, lhs, rhs):
            a, b = _bounds(lhs, sizes), _bounds(rhs, sizes)
            return _constant_bounds(op, a, b) or _COMBINE[op](a, b)
        case _:
            raise AssertionError("lets are inlined")


def _constant_bounds(op: Operator, a: Bounds, b: Bounds) -> Bounds | None:
    """In numbers, if all ends are."""
    match a, b:
        case (Const(al), Const(ah)), (Const(bl), Const(bh)):
            low, high = bounds(Binary(op, Var("a"), Var("b")), {"a": (al, ah), "b": (bl, bh)})
            return Const(low), Const(high)
        case _:
            return None


def _least(*values: Expr) -> Expr:
    return reduce(minimum, values)


def _largest(*values: Expr) -> Expr:
    return reduce(maximum, values)


def _negated(value: Expr) -> Expr:
    return subtract(ZERO, value)


def _inverted(value: Expr) -> Expr:
    """`~value`."""
    return subtract(Const(-1), value)


def _multiply(a: Bounds, b: Bounds) -> Bounds:
    for factor, (low, high) in ((b, a), (a, b)):
        if isinstance(factor[0], Const) and factor[0] == factor[1]:
            ends = multiply(low, factor[0]), multiply(high, factor[0])
            return ends if factor[0].value >= 0 else (ends[1], ends[0])
    corners = [multiply(x, y) for x in a for y in b]
    return _least(*corners), _largest(*corners)


def _divide(a: Bounds, b: Bounds) -> Bounds:
    low, high = a
    match b:
        case Const(c), Const(d) if c == d and c != 0:
            ends = folded("/", low, b[0]), folded("/", high, b[0])
            return ends if c > 0 else (ends[1], ends[0])
        case _:
            # Nearest to 0 by a divisor of 1 or -1; a negative quotient is rounded to -1 at most.
            by_negative = minimum(b[0], ZERO) != ZERO
            ends = (low, high, _negated(low), _negated(high)) if by_negative else (low, high)
            return _least(ZERO, *ends), _largest(ZERO, *ends)


def _modulo(a: Bounds, b: Bounds) -> Bounds:
    low, high = b
    return minimum(add(low, ONE), ZERO), maximum(subtract(high, ONE), ZERO)


def _shift_left(a: Bounds, b: Bounds) -> Bounds:
    width = b[1] if isinstance(b[1], Const) else Const(LARGEST_SHIFT)
    low, high = minimum(a[0], ZERO), maximum(a[1], ZERO)
    return folded("<<", low, width), folded("<<", high, width)


def _shift_right(a: Bounds, b: Bounds) -> Bounds:
    return minimum(a[0], ZERO), maximum(a[1], Const(-1))


def _and(a: Bounds, b: Bounds) -> Bounds:
    low = add(minimum(a[0], ZERO), minimum(b[0], ZERO))
    masks = [high for low_end, high in (a, b) if minimum(low_end, ZERO) == ZERO]
    constants = [high for high in masks if isinstance(high, Const)]
    if masks:
        return ZERO, (constants or masks)[0]
    return low, maximum(a[1], b[1])


def _or(a: Bounds, b: Bounds) -> Bounds:
    """`a | b = ~(~a & ~b)`; at most `a + b` where neither is negative."""
    if all(minimum(low, ZERO) == ZERO for low, _ in (a, b)):
        return ZERO, add(a[1], b[1])
    low, high = _and((_inverted(a[1]), _inverted(a[0])), (_inverted(b[1]), _inverted(b[0])))
    return _inverted(high), _inverted(low)


def _xor(a: Bounds, b: Bounds) -> Bounds:
    """`x ^ y` of what is left without the signs, or its inverse."""
    sizes = [maximum(high, _inverted(low)) for low, high in (a, b)]
    high = add(*sizes)
    signed = any(minimum(low, ZERO) != ZERO for low, _ in (a, b))
    return _inverted(high) if signed else ZERO, high


_COMBINE: Final[Mapping[Operator, Callable[[Bounds, Bounds], Bounds]]] = {
    "|": _or,
    "^": _xor,
    "&": _and,
    "<<": _shift_left,
    ">>": _shift_right,
    "+": lambda a, b: (add(a[0], b[0]), add(a[1], b[1])),
    "-": lambda a, b: (subtract(a[0], b[1]), subtract(a[1], b[0])),
    "*": _multiply,
    "/": _divide,
    "%": _modulo,
}
