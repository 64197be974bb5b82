"""How a loop nest reaches the entries of a sparse result: in storage order, or scattered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from tamale.dialects.format.spec import Format
from tamale.dialects.level_variables import level_variables
from tamale.dialects.notation.ast import Access

Reach: TypeAlias = Literal["in order", "by rows", "scattered"]
"""
`by rows`: a reduction reaches the entries of the last level in any order, but for one parent after
the other, so that a list of them serves.
"""


def reach(result: Access, format: Format, order: Sequence[str]) -> Reach:
    """How loops in this order reach the entries of a result that is appended to."""
    levels = level_variables(result, format)
    if format.all_dense or format.may_repeat or not levels:
        return "in order"
    last = max(order.index(variable) for variable in levels)
    if all(variable in levels for variable in order[: last + 1]):
        return "in order"
    return "by rows" if tuple(order[: len(levels) - 1]) == levels[:-1] else "scattered"
