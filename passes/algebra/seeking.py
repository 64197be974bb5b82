"""
Which operands of an intersection are sought: those with many more entries than another one.

To walk them would take a step for each of their entries, most of which meet nothing; to search for
the next one that can, from where they stand, takes a step for each doubling of the distance. So a
loop over a row of A and all rows of B that are not empty, `A.k & B.k`, takes time in A's entries.

Source: Bentley and Yao, IPL 1976 (unbounded search); Veldhuizen, ICDT 2014 (leapfrog join);
`docs/rationale/seeking.md` has the figures.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from tamale.dialects.cin.sets import Intersection, SetExpr, Stored
from tamale.dialects.format.level import LevelProperties
from tamale.passes.algebra.estimates import UNEQUAL, Estimates


def may_be_sought(level: LevelProperties) -> bool:
    """Whether a level has entries to be passed over, in the order of coordinates."""
    return level.ordered and not level.full and not level.branchless


def sought_leaves(
    domain: SetExpr,
    bound: Collection[str],
    estimates: Estimates,
    can_be_sought: Callable[[Stored], bool],
) -> list[Stored]:
    """The operands to seek in a loop over `domain`, inside of loops over `bound`."""
    if not isinstance(domain, Intersection):
        return []
    met = [leaf for leaf in domain.sets if isinstance(leaf, Stored)]
    if len(met) < len(domain.sets) or any(x.access not in estimates.accesses for x in met):
        return []
    entries = {leaf: estimates.fan(leaf, bound) for leaf in met}
    least = UNEQUAL * min(entries.values())
    return [leaf for leaf in met if entries[leaf] >= least and can_be_sought(leaf)]
