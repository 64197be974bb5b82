"""How a loop nest reaches the entries of a sparse result: in storage order, or scattered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from tamale.dialects.format.spec import Format
from tamale.dialects.level_variables import level_variables
from tamale.dialects.notation.ast import Access
from tamale.dialects.operators import operator_named

Reach: TypeAlias = Literal["in order", "by rows", "scattered"]
"""
`by rows`: a reduction reaches the entries of the last level in any order, but for one parent after
the other, so that a list of them serves.
"""


def reach(
    result: Access, format: Format, order: Sequence[str], operator: str | None = None
) -> Reach:
    """
    How loops in this order reach the entries of a result that is appended to.

    Args:
        operator: by which the loops that the result does not have reduce. Only sums may be left
            to a list in which coordinates come again; and one that finds entries again misses the
            absent ones, which count unless they are the operator's identity.
    """
    levels = level_variables(result, format)
    if format.all_dense or not levels:
        return "in order"
    if format.may_repeat and not format.has_tail and operator in (None, "add"):
        return "in order"
    outer = outside_reductions(levels, format, operator)
    last = max(order.index(variable) for variable in outer)
    if all(variable in levels for variable in order[: last + 1]):
        return "in order"
    absent_count = operator is not None and operator_named(operator).counts_absent
    if absent_count or format.has_tail:
        return "scattered"
    return "by rows" if tuple(order[: len(levels) - 1]) == levels[:-1] else "scattered"


def outside_reductions(
    levels: Sequence[str], format: Format, operator: str | None = None
) -> Sequence[str]:
    """
    The variables of a result's `levels` whose loops have to lie outside of its reductions.

    Those that it appends to: the block of values of its tail is there from its entry's beginning
    to its end, so that loops of the tail may run again, and what they give is combined in place.
    The block starts from 0, which is wrong where absent entries count.
    """
    counts_absent = operator is not None and operator_named(operator).counts_absent
    return levels if counts_absent and format.has_tail else levels[: format.tail]
