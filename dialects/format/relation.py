"""
What the levels above say about a level's coordinates.

    (i, j) -> (j - i : squeezed, i : range, j : offset)

On diagonal `l0`, the row `l1` is such that neither `l1` nor the column `l0 + l1` leaves its
dimension, and both of them determine the column.
"""

from dataclasses import dataclass
from functools import lru_cache

from tamale.dialects.format.expressions import Const, Expr, Var, free_variables
from tamale.dialects.format.folding import add, dimension, from_linear, linear, subtract
from tamale.dialects.format.invert import facts_of, level_variable, value_from
from tamale.dialects.format.spec import Format


@dataclass(frozen=True)
class Relation:
    """
    What a format's level expressions say about one level, as expressions over the coordinates of
    the levels above (`l0`, `l1`, ..., outermost first) and over dimension sizes (`dim_i` for mode
    `i`).
    """

    value: Expr | None = None
    """The level's only coordinate, if the levels above determine it."""
    lows: tuple[Expr, ...] = ()
    """The level's coordinates are at least each of these: no mode falls below 0."""
    highs: tuple[Expr, ...] = ()
    """The level's coordinates are below each of these: no mode reaches its dimension size."""


@lru_cache(maxsize=1024)
def relation(format: Format, k: int) -> Relation:
    """
    The relation of level k to those above.

    A bound stands for each mode that is the level's coordinate, or its negative, plus something
    that the levels above tell.

    >>> from tamale.dialects.format.expressions import to_text
    >>> from tamale.dialects.format.notation import parse_format
    >>> dia = parse_format("(i, j) -> (j - i : dense, i : dense, j : dense)")
    >>> [to_text(end) for end in relation(dia, 1).lows], to_text(relation(dia, 2).value)
    (['0', '0 - l0'], 'l0 + l1')
    """
    expressions = [level.expression for level in format.levels]
    value = value_from(expressions[k], facts_of(expressions[:k]))
    known = facts_of(expressions[: k + 1])
    lows: list[Expr] = []
    highs: list[Expr] = []
    for mode in format.modes:
        bounds = _bounds(known.get(Var(mode)), Var(level_variable(k)), dimension(mode))
        if bounds is not None:
            lows.append(bounds[0])
            highs.append(bounds[1])
    return Relation(value, tuple(dict.fromkeys(lows)), tuple(dict.fromkeys(highs)))


def _bounds(mode: Expr | None, own: Var, size: Var) -> tuple[Expr, Expr] | None:
    """`0 <= mode < size` solved for the level's own coordinate: at least, and below."""
    if mode is None:
        return None
    terms, constant = linear(mode)
    factor = terms.pop(own, 0)
    if factor not in (1, -1) or any(own.name in free_variables(term) for term in terms):
        return None
    rest = from_linear((terms, constant))
    if factor == 1:
        return subtract(Const(0), rest), subtract(size, rest)
    return add(subtract(rest, size), Const(1)), add(rest, Const(1))
