"""
Which loops over a source's levels run through the values of some expressions, each once.

Inside of these loops the values stay the same, and no other iteration of them has them: what is
counted per value starts anew there, and needs one number instead of an array.
"""

from __future__ import annotations

from collections.abc import Sequence

from tamale.dialects.format.expressions import Expr
from tamale.dialects.format.invert import facts_of, value_from


def run_depth(levels: Sequence[tuple[Expr, bool]], values: Sequence[Expr]) -> int | None:
    """
    The number of outer levels whose loops run through `values`; None if there are none.

    Args:
        levels: per level of the source, its expression over modes and whether it is unique.
        values: expressions over modes.
    """
    known = facts_of(values)
    for depth in range(len(levels) + 1):
        outer = [expression for expression, _ in levels[:depth]]
        if depth and not levels[depth - 1][1]:
            return None
        facts = facts_of(outer)
        if all(value_from(value, facts) is not None for value in values):
            same = all(value_from(level, known) is not None for level in outer)
            return depth if same else None
    return None
