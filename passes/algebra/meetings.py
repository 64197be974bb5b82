"""
Loops inside of which there is work only where several operands meet.

How much work comes before a coordinate of such a loop is not told by what levels hold before it: a
row of A has none inside of `A.i & B.i` where B has no such row. Where the operands meet has to be
found first, along an operand that the set needs: each of its positions then has a number, the work
inside. That is done for the loops from the first in which operands need not meet up to the last
one such, as far as the same operand is needed; the innermost loop has nothing inside. Operands that
are walked anew at each coordinate outside are not met so: to find them would take as long as the
kernel.

An operand that is located outside, and walked inside, is met like others: in the loops of
`i in A.i with B.i = i` and `j in A.j & B.j`, rows of B that A does not have are no work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from tamale.dialects.cin.partition import CutLoop
from tamale.dialects.cin.sets import SetExpr, Stored, leaves
from tamale.passes.algebra.lattice import driven_by_universe
from tamale.passes.algebra.ranks import is_needed_by, met_set, surely_meets, walked

LevelsOf: TypeAlias = Callable[[str], Sequence[str]]
"""The level variables of an access."""


def met_sets(loops: Sequence[CutLoop], levels_of: LevelsOf) -> list[SetExpr]:
    """Per loop, the coordinates at which what is inside of it is visited."""
    mets: list[SetExpr] = []
    for k, loop in enumerate(loops):
        bound = {outer.variable for outer in loops[: k + 1]}

        def is_resolved(leaf: Stored, bound: set[str] = bound) -> bool:
            return set(levels_of(leaf.access)) <= bound

        mets.append(met_set(loop.domain, loop.variable, is_resolved))
    return mets


def loops_along(access: str, loops: Sequence[CutLoop], levels_of: LevelsOf) -> range:
    """The loops for which it can be found along an access where operands meet; maybe none."""
    mets, variables = met_sets(loops, levels_of), [loop.variable for loop in loops]
    beside = [located_in_part(loops, k, levels_of) for k in range(len(loops))]
    sure = [surely_meets(met) and not beside[k] for k, met in enumerate(mets)]
    first = next((k for k in range(len(loops) - 1) if not sure[k]), len(loops))
    end = first
    for k in range(len(loops) - 1):
        operands = [*(leaf.access for leaf in leaves(mets[k])), *beside[k]]
        once = all(levels_of(operand)[0] == variables[0] for operand in operands)
        along = list(levels_of(access)[: k + 1]) == variables[: k + 1]
        if not (once and along and (k < first or is_needed_by(mets[k], access))):
            break
        if not sure[k]:
            end = k + 1  # The last one so far.
    return range(first, end)


def located_in_part(loops: Sequence[CutLoop], k: int, levels_of: LevelsOf) -> Sequence[str]:
    """
    The accesses that the loop k locates, not at all of their coordinates, and loops inside walk.
    """
    loop = loops[k]
    if driven_by_universe(loop.domain):
        return ()
    own = {leaf.access for leaf in leaves(loop.domain)}
    moved = [leaf.access for x in loops[k + 1 :] for leaf in walked(x.domain, x.variable).leaves]
    return [x for x in dict.fromkeys(moved) if x not in own and loop.variable in levels_of(x)]


def access_to_meet_along(loops: Sequence[CutLoop], levels_of: LevelsOf) -> str | None:
    """The access along which most loops know where operands meet, the first of several."""
    named = dict.fromkeys(leaf.access for loop in loops for leaf in leaves(loop.domain))
    best = max(named, key=lambda x: len(loops_along(x, loops, levels_of)), default=None)
    return best if best is not None and loops_along(best, loops, levels_of) else None


def finds_what_is_located(loops: Sequence[CutLoop], levels_of: LevelsOf) -> bool:
    """Whether loops find out what is inside of all coordinates at which operands are located."""
    along = access_to_meet_along(loops, levels_of)
    found = () if along is None else loops_along(along, loops, levels_of)
    return all(
        k in found or not located_in_part(loops, k, levels_of) for k in range(len(loops))
    )
