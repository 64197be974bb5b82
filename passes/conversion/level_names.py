"""How queries of a plan call the coordinates of levels: `l0`, `l1`, ..."""

from __future__ import annotations

from collections.abc import Sequence

from tamale.dialects.query.select import EVERY, Select


def level_numbers(names: Sequence[str]) -> list[int]:
    """`l0`, `l1`, ... as numbers."""
    return [int(name.removeprefix("l")) for name in names]


def levels_asked(query: Select) -> set[int]:
    """The levels whose coordinates a query looks at."""
    counted = (a.coordinates for a in query.aggregates if a.coordinates != EVERY)
    return set(level_numbers([*query.group, *(name for names in counted for name in names)]))
