"""
Which bit of which expression each bit of an expression is: the way back from Morton codes.

Works on normalized expressions, see `tamale.dialects.format.normal`.
"""

from collections.abc import Mapping
from itertools import groupby
from typing import Final, TypeAlias

from tamale.dialects.format.expressions import Binary, Const, Expr
from tamale.dialects.format.normal import is_low_mask

Source: TypeAlias = tuple[Expr, int]
"""Bit number of an expression that is no arrangement of other bits."""

Bit: TypeAlias = Source | bool | None
"""A bit that is copied from a source, a constant one, or None: neither."""

WORD: Final = 63
"""Coordinates have this many bits beside the sign."""


def bits_of(expr: Expr) -> tuple[Bit, ...]:
    """
    Where each bit of `expr` comes from, the lowest first, `WORD` of them.

    >>> from tamale.dialects.format.expressions import Var
    >>> bits_of(Binary("*", Binary("&", Var("i"), Const(3)), Const(2)))[:4]
    (False, (Var(name='i'), 0), (Var(name='i'), 1), False)
    """
    match expr:
        case Const(value):
            return tuple(bool(value >> n & 1) for n in range(WORD))
        case Binary("*", x, Const(c)) if is_power(c):
            return ((False,) * _log2(c) + bits_of(x))[:WORD]
        case Binary("/", x, Const(c)) if is_power(c):
            return (bits_of(x)[_log2(c) :] + (None,) * _log2(c))[:WORD]
        case Binary("%", x, Const(c)) if is_power(c):
            return (bits_of(x)[: _log2(c)] + (False,) * WORD)[:WORD]
        case Binary("&" | "|" | "^" as op, lhs, rhs):
            pairs = zip(bits_of(lhs), bits_of(rhs), strict=True)
            return tuple(_combined(op, a, b) for a, b in pairs)
        case Binary("+", lhs, rhs):
            return _sum(bits_of(lhs), bits_of(rhs))
        case _:
            return tuple((expr, n) for n in range(WORD))


def is_power(value: int) -> bool:
    """Whether `value` is a power of two."""
    return value > 0 and is_low_mask(value - 1)


def _log2(power: int) -> int:
    return power.bit_length() - 1


def _combined(op: str, lhs: Bit, rhs: Bit) -> Bit:
    if op == "&" and False in (lhs, rhs):
        return False
    if op == "|" and True in (lhs, rhs):
        return True
    neutral = op == "&"
    if lhs is neutral:
        return rhs
    return lhs if rhs is neutral else None


def _sum(lhs: tuple[Bit, ...], rhs: tuple[Bit, ...]) -> tuple[Bit, ...]:
    """Like `|` up to the first place where both may be 1; from there on carries hide all."""
    clash = next((n for n in range(WORD) if lhs[n] is not False and rhs[n] is not False), WORD)
    disjoint = zip(lhs[:clash], rhs[:clash], strict=True)
    return (*(_combined("|", a, b) for a, b in disjoint), *((None,) * (WORD - clash)))


def known_bits(facts: Mapping[Expr, Expr]) -> dict[Source, tuple[Expr, int]]:
    """For each source bit that the facts show: the value that holds it, and its bit there."""
    known: dict[Source, tuple[Expr, int]] = {}
    for expr, value in facts.items():
        for n, bit in enumerate(bits_of(expr)):
            if isinstance(bit, tuple):
                known.setdefault(bit, (value, n))
    return known


def gathered(bits: list[tuple[Expr, int]]) -> Expr:
    """
    The integer whose bit `n` is `bits[n]`, a bit of a value; runs of bits move together.

    >>> from tamale.dialects.format.expressions import Var, to_text
    >>> to_text(gathered([(Var("l0"), 0), (Var("l0"), 1), (Var("l0"), 4)]))
    'l0 & 3 | (l0 >> 4 & 1) << 2'
    """
    total: Expr = Const(0)
    runs = groupby(enumerate(bits), lambda item: (item[1][0], item[1][1] - item[0]))
    for (value, offset), run in runs:
        target, *others = (n for n, _ in run)
        moved = _moved(value, target + offset, width=1 + len(others), target=target)
        total = moved if total == Const(0) else Binary("|", total, moved)
    return total


def _moved(value: Expr, source: int, *, width: int, target: int) -> Expr:
    """Bits `source`, `source + 1`, ... of `value`, `width` of them, at `target`."""
    low = Binary(">>", value, Const(source)) if source else value
    bits = Binary("&", low, Const((1 << width) - 1))
    return Binary("<<", bits, Const(target)) if target else bits
