"""
The rank of a set: how much a loop over it walks before a coordinate.

A loop walks its universe, if only that finds every coordinate, and the entries of every operand
that it moves along, whatever of these the set keeps. So a rank is a sum of the ranks of leaves,
which levels tell:

| set                | before coordinate c                                                 |
|--------------------|---------------------------------------------------------------------|
| `A.i`              | the entries that A stores below its parent and before c             |
| `U.i`              | c, less the first coordinate                                        |
| `S & T`, or either | the rank of S and that of T: a merge moves along both               |
| `~S`               | the rank of U and that of S, of S alone beside what drives the loop |

Unions are walked to the end: their rank is exact. An intersection ends with its first operand, and
what is inside of coordinates in which its operands do not meet is skipped: `surely_meets`,
`is_needed_by` and `met_set` tell where that makes a difference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tamale.dialects.cin.sets import (
    Intersection,
    SetExpr,
    Stored,
    Union,
    Universe,
    belongs,
    complemented_leaves,
    leaves,
)
from tamale.passes.algebra.lattice import driven_by_universe, open_complements
from tamale.passes.algebra.simplification import simplify, substitute_all


@dataclass(frozen=True)
class Walked:
    """What a loop moves along."""

    universe: bool
    leaves: tuple[Stored, ...]


def walked(domain: SetExpr, variable: str) -> Walked:
    """
    What a loop of `variable` over a set walks; its rank is the sum of the ranks of these.

    >>> from tamale.dialects.cin.sets import parse_set
    >>> walked(parse_set("A.i & ~B.i"), "i").universe, walked(parse_set("A.i | U.i"), "i").universe
    (False, True)
    """
    moved = tuple(leaf for leaf in leaves(domain) if leaf.variable == variable)
    return Walked(driven_by_universe(domain), moved)


def met_set(domain: SetExpr, variable: str, is_resolved: Callable[[Stored], bool]) -> SetExpr:
    """
    The set of coordinates at which what is inside of a loop is visited.

    Complements of operands that are not resolved exclude nothing yet, and leaves of other loops
    are where the loops around have found them.
    """
    opened = open_complements(simplify(domain, variable), variable, is_resolved)
    elsewhere: dict[Stored, SetExpr] = {
        leaf: Universe(variable) for leaf in leaves(opened) if leaf.variable != variable
    }
    return substitute_all(opened, elsewhere, variable)


def surely_meets(met: SetExpr) -> bool:
    """Whether an entry of any operand that is walked makes its coordinate one of the set."""

    def alone(leaf: Stored) -> bool:
        return belongs(met, lambda member: isinstance(member, Universe) or member == leaf)

    return not complemented_leaves(met) and all(alone(leaf) for leaf in leaves(met))


def is_needed_by(met: SetExpr, access: str) -> bool:
    """Whether every coordinate of the set is one of an access."""
    match met:
        case Stored():
            return met.access == access
        case Intersection(sets):
            return any(is_needed_by(s, access) for s in sets)
        case Union(sets):
            return all(is_needed_by(s, access) for s in sets)
        case _:
            return False
