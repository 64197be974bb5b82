"""
Loops inside of which there is work only where several operands meet.

How much work comes before a coordinate of such a loop is not told by what levels hold before it: a
row of A has none inside of `A.i & B.i` where B has no such row. Where the operands meet has to be
found first, along an operand that the set needs: each of its positions then has a number, the work
inside. That is done for the loops from the first in which operands need not meet up to the last
one such, as far as the same operand is needed; the innermost loop has nothing inside. Operands that
are walked anew at each coordinate outside are not met so: to find them would take as long as the
kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from tamale.dialects.cin.partition import CutLoop
from tamale.dialects.cin.sets import SetExpr, Stored, leaves
from tamale.passes.algebra.ranks import is_needed_by, met_set, surely_meets

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
    mets = met_sets(loops, levels_of)
    variables = [loop.variable for loop in loops]
    first = next((k for k, met in enumerate(mets[:-1]) if not surely_meets(met)), len(loops))
    end = first
    for k in range(len(loops) - 1):
        once = all(levels_of(leaf.access)[0] == variables[0] for leaf in leaves(mets[k]))
        along = list(levels_of(access)[: k + 1]) == variables[: k + 1]
        if not (once and along and (k < first or is_needed_by(mets[k], access))):
            break
        if not surely_meets(mets[k]):
            end = k + 1  # The last one so far.
    return range(first, end)


def access_to_meet_along(loops: Sequence[CutLoop], levels_of: LevelsOf) -> str | None:
    """The access along which most loops know where operands meet, the first of several."""
    named = dict.fromkeys(leaf.access for loop in loops for leaf in leaves(loop.domain))
    best = max(named, key=lambda x: len(loops_along(x, loops, levels_of)), default=None)
    return best if best is not None and loops_along(best, loops, levels_of) else None
