"""
In which order the entries of a source arrive at a target: what conversion need not sort.

A source is walked in the lexicographic order of its levels, as far as they are ordered. Its
entries arrive in ascending order of an expression if the first level that still varies makes the
expression ascend:

| source       | target, below | order needed | arrives so, because                                |
|--------------|---------------|--------------|----------------------------------------------------|
| csc: j, i    | csr, i        | j            | j is the first level, and what is asked for        |
| dia: j-i, i  | csr, i        | j            | below a fixed i, `j = (j - i) + i` ascends with it |
| csr: i, j    | i / 4         | j            | not: i varies below a fixed i / 4                  |

Source: `order inference` of the design; the paper leaves it to the user.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from tamale.dialects.format.expressions import Binary, Const, Expr, Var, free_variables
from tamale.dialects.format.invert import facts_of, level_variable, value_from

Ascent: TypeAlias = Literal["strict", "weak"]


def determined(expression: Expr, known: Sequence[Expr]) -> bool:
    """Whether the values of `known` determine that of `expression`; all are over modes."""
    return value_from(expression, facts_of(known)) is not None


def arrives_in_order(
    source: Sequence[tuple[Expr, bool]], fixed: Sequence[Expr], wanted: Sequence[Expr]
) -> bool:
    """
    Whether entries with equal `fixed` arrive in the lexicographic order of `wanted`.

    Args:
        source: per level of the source, its expression over modes and whether it is ordered.
        fixed: expressions over modes.
        wanted: expressions over modes.
    """
    known, pending, levels = list(fixed), list(wanted), list(source)
    while pending:
        if determined(pending[0], known):
            pending.pop(0)
            continue
        while levels and determined(levels[0][0], known):
            levels.pop(0)
        if not levels or not levels[0][1]:
            return False
        level, asked = levels[0][0], pending[0]
        if ascent(asked, level, known) is None:
            return False
        known.append(asked)
    return True


def ascent(expression: Expr, level: Expr, known: Sequence[Expr]) -> Ascent | None:
    """How `expression` follows `level`, if it is an ascending function of it and of `known`."""
    value = value_from(expression, facts_of([*known, level]))
    return None if value is None else _ascent(value, level_variable(len(known)))


def _ascent(value: Expr, variable: str) -> Ascent | None:
    match value:
        case Var(name) if name == variable:
            return "strict"
        case Binary("+", a, b) if _is_free(b, variable):
            return _ascent(a, variable)
        case Binary("+", a, b) if _is_free(a, variable):
            return _ascent(b, variable)
        case Binary("-", a, b) if _is_free(b, variable):
            return _ascent(a, variable)
        case Binary("*", a, Const(c)) if c > 0:
            return _ascent(a, variable)
        case Binary("/", a, Const(c)) if c > 0:
            return None if _ascent(a, variable) is None else "weak"
        case _:
            return None


def _is_free(value: Expr, variable: str) -> bool:
    return variable not in free_variables(value)
