"""
Queries that number nonzeros, `min(#i)`: among padding, a loop over positions would number that too.
"""

from __future__ import annotations

from collections.abc import Iterable

from tamale.dialects.format.spec import Format
from tamale.dialects.notation.ast import Access
from tamale.dialects.query.remapping import Remapping
from tamale.dialects.query.select import Select
from tamale.passes.algebra.queries_canonical import numbers_nonzeros
from tamale.passes.levels.counting import query_operand


def numbering_query(source: Format, target: Format, queries: Iterable[Select]) -> Select | None:
    """The first of a target's queries, over `l0`, `l1`, ..., that numbers the source's nonzeros."""
    operand = query_operand(Access("A", target.modes), source)
    levels = enumerate(target.levels)
    remapping = Remapping(target.modes, tuple((f"l{k}", x.expression) for k, x in levels))
    for query in queries:
        for aggregate in query.aggregates:
            if numbers_nonzeros(query.group, aggregate, operand, remapping):
                return query
    return None
