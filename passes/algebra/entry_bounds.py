"""
How many entries a result can get, from the sizes of the operands that drive its loops.

Each stored entry of an operand is visited at most once if every loop outside its level walks one
of its own levels; then the visits of a loop are bounded over the whole kernel by the operands'
sizes: a union by their sum, an intersection by the smallest. A universe, or an operand that is
walked again and again, bounds nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from tamale.dialects.cin.sets import Intersection, SetExpr, Stored, Union, Universe, walk
from tamale.passes.algebra.lattice import driven_by_universe


@dataclass(frozen=True)
class Count:
    """The number of entries in the level of a leaf."""

    leaf: Stored


@dataclass(frozen=True)
class Total:
    """The sum of `parts`, or with `least` the smallest of them."""

    parts: tuple[Bound, ...]
    least: bool = False


@dataclass(frozen=True)
class Size:
    """The dimension size of an index variable."""

    variable: str


Bound: TypeAlias = Count | Total | Size


def entry_bound(
    domain: SetExpr, walked_once: Callable[[Stored], bool], *, outermost: bool = False
) -> Bound | None:
    """
    A bound on the visits of a loop over `domain` in the whole kernel; None if there is none.

    The universe bounds the visits of an outermost loop, which runs only once.
    """
    if outermost and driven_by_universe(domain):
        return Size(variable_of(domain))
    match domain:
        case Stored():
            return Count(domain) if walked_once(domain) else None
        case Union(sets):
            parts = [entry_bound(s, walked_once) for s in sets]
            known = tuple(part for part in parts if part is not None)
            return Total(known) if len(known) == len(parts) else None
        case Intersection(sets):
            parts = [entry_bound(s, walked_once) for s in sets]
            known = tuple(part for part in parts if part is not None)
            return Total(known, least=True) if known else None
        case _:
            return None


def variable_of(domain: SetExpr) -> str:
    """The index variable that a domain is of."""
    return next(part.variable for part in walk(domain) if isinstance(part, Stored | Universe))
