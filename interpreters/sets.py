"""
Set expressions as sets of coordinates.

A set is asked for its members and for membership. An intersection generates the members of its
smallest part and asks the others, so that `b & ~a` never looks at the universe.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from tamale.dialects.cin.sets import (
    Complement,
    Empty,
    Intersection,
    SetExpr,
    Stored,
    Union,
    Universe,
    belongs,
)


class Coordinates(Protocol):
    """What the leaves of set expressions are, at some place in a loop nest."""

    def universe(self, variable: str) -> range:
        """Every coordinate of a variable."""
        ...

    def stored(self, leaf: Stored) -> Sequence[int]:
        """The coordinates of a level, in ascending order."""
        ...

    def stores(self, leaf: Stored, coordinate: int) -> bool:
        """Whether a level has a coordinate."""
        ...


def contains(domain: SetExpr, variable: str, coordinate: int, place: Coordinates) -> bool:
    """Whether a coordinate of the loop variable is in the set."""

    def is_member(leaf: Stored | Universe) -> bool:
        match leaf:
            case Stored():
                return place.stores(leaf, coordinate)
            case Universe():
                return coordinate in place.universe(variable)

    return belongs(domain, is_member)


def members(domain: SetExpr, variable: str, place: Coordinates) -> Sequence[int]:
    """The coordinates of the set, in ascending order."""
    match domain:
        case Stored():
            return place.stored(domain)
        case Universe():
            return place.universe(variable)
        case Empty():
            return ()
        case Union(sets):
            return sorted({c for s in sets for c in members(s, variable, place)})
        case Intersection(sets):
            generating = [members(s, variable, place) for s in sets if _bounds(s)]
            smallest = min(generating, key=len, default=place.universe(variable))
            return [c for c in smallest if contains(domain, variable, c, place)]
        case Complement():
            candidates = place.universe(variable)
            return [c for c in candidates if contains(domain, variable, c, place)]


def _bounds(domain: SetExpr) -> bool:
    """Whether the members of a set can be had without walking the universe."""
    match domain:
        case Stored() | Empty():
            return True
        case Universe() | Complement():
            return False
        case Union(sets):
            return all(map(_bounds, sets))
        case Intersection(sets):
            return any(map(_bounds, sets))


def opened(
    domain: SetExpr, variable: str, is_exact: Callable[[Complement], bool] = lambda _: False
) -> SetExpr:
    """The set with the universe in the place of complements, which bound nothing, unless exact."""
    match domain:
        case Complement():
            return domain if is_exact(domain) else Universe(variable)
        case Union(sets):
            return Union(tuple(opened(s, variable, is_exact) for s in sets))
        case Intersection(sets):
            return Intersection(tuple(opened(s, variable, is_exact) for s in sets))
        case _:
            return domain
