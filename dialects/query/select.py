"""
Attribute queries as values: `select [i] -> count(j) as nir, max(j) as last`.

A query groups the nonzeros of a tensor by some coordinates and says something about each group:

| aggregation  | value for a group                                 | without nonzeros |
|--------------|---------------------------------------------------|------------------|
| `count(j,k)` | how many coordinates (j, k) its nonzeros have     | 0                |
| `count(*)`   | how many entries it has, duplicates counted       | 0                |
| `max(j)`     | the largest coordinate j, less the smallest       | 0                |
|              | possible one, plus 1                              |                  |
| `min(j)`     | the largest possible coordinate j, less the       | 0                |
|              | smallest, plus 1                                  |                  |
| `id()`       | 1 if it has any                                   | 0                |

`max` and `min` are encoded so that 0 can stand for "no nonzero", as in the paper.

What a query's result stores for a group is a number from 0 on, 0 for a group without nonzeros:

| aggregation  | stored                                             | so the value is     |
|--------------|----------------------------------------------------|---------------------|
| `count`      | the count                                          | stored              |
| `id`         | 1 or 0                                             | stored              |
| `max(j)`     | 1 + the value less the smallest possible j         | stored - 1 + `low`  |
| `min(j)`     | 1 + the largest possible j less the value          | `high` + 1 - stored |

`low` and `high` are the smallest and the largest value of j's expression over whole modes
(`symbolic_bounds`). A result has a mode for each coordinate of the group, which counts from that
coordinate's smallest value.

Nothing here imports xDSL: level kinds state their queries with these values. Source: Chou et al.,
PLDI 2020, sec. 5 (the numbers stored are its Q').
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Function: TypeAlias = Literal["count", "max", "min", "id"]

FUNCTIONS: Final[tuple[Function, ...]] = ("count", "max", "min", "id")

EVERY: Final = ("*",)
"""The coordinates of `count(*)`."""


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`function(coordinates) as label`."""

    function: Function
    coordinates: tuple[str, ...]
    label: str

    def __str__(self) -> str:
        return f"{self.function}({', '.join(self.coordinates)}) as {self.label}"


@dataclass(frozen=True, slots=True)
class Select:
    """`select [group] -> aggregates`; names are those of (remapped) coordinates."""

    group: tuple[str, ...]
    aggregates: tuple[Aggregate, ...]

    def __str__(self) -> str:
        return f"select [{', '.join(self.group)}] -> {', '.join(map(str, self.aggregates))}"


Place: TypeAlias = tuple[Literal["group", "label", "coordinates"], int]
"""A part of a query: a coordinate of the group, or the label or coordinates of an aggregation."""


def problems(select: Select) -> Iterator[tuple[Place, str]]:
    """
    What is wrong with a query whatever tensor it is of, in the order written.

    >>> [text for _, text in problems(Select(("i", "i"), (Aggregate("id", (), "nz"),)))]
    ["'i' is in the group twice"]
    """
    for number, name in enumerate(select.group):
        if name in select.group[:number]:
            yield ("group", number), f"'{name}' is in the group twice"
    labels = [aggregate.label for aggregate in select.aggregates]
    for number, aggregate in enumerate(select.aggregates):
        message = _misuse(aggregate, select.group)
        if message:
            yield ("coordinates", number), message
        if aggregate.label in labels[:number]:
            yield ("label", number), f"two aggregations have the label '{aggregate.label}'"


def _misuse(aggregate: Aggregate, group: tuple[str, ...]) -> str | None:
    """What is wrong with the coordinates that an aggregation is of."""
    names, written = aggregate.coordinates, str(aggregate).partition(" as ")[0]
    match aggregate.function:
        case "id" if names:
            return f"'{written}': id is of the group as a whole and takes no coordinates"
        case "max" | "min" if len(names) != 1 or names == EVERY:
            return f"'{written}': {aggregate.function} is of one coordinate"
        case "count" if not names:
            return f"'{written}': count is of coordinates, or of '*' for all entries"
        case _:
            pass
    if "*" in names and names != EVERY:
        return f"'{written}': '*' stands for all entries and by itself"
    for number, name in enumerate(names):
        if name in names[:number]:
            return f"'{written}' names '{name}' twice"
        if name in group:
            return f"'{written}': '{name}' is the same all over a group"
    return None
