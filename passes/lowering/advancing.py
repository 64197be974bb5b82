"""How the operands of a merge move on once it is known which of them are present."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from tamale.dialects.cin.sets import Stored
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.seeking import seek
from tamale.passes.lowering.stands import Meeting

Present = frozenset[Stored]
"""The operands that have an entry at a coordinate."""


def subsets(operands: Collection[Stored], *, nonempty: bool) -> list[Present]:
    """All that can be present of some operands."""
    sizes = range(1 if nonempty else 0, len(operands) + 1)
    return [frozenset(chosen) for size in sizes for chosen in combinations(operands, size)]


def advance_present(
    emit: Emitter,
    possible: Sequence[Present],
    meetings: Mapping[Stored, Meeting],
    sought: Collection[Stored] = (),
) -> None:
    """
    Moves on those operands of which presence tells whether they move.

    Where exactly one of several is present, a branch chooses it. Else an operand that all of
    `possible` have moves, one that none has stays, and the others decide by their own comparison.
    Those that are `sought`, where an intersection has missed, move to where the last one stands.
    """
    moving = [leaf for leaf, meeting in meetings.items() if meeting.tells_advance]
    if len(possible) > 1 and all(len(present) == 1 for present in possible):
        candidates = [leaf for leaf in moving if frozenset((leaf,)) in possible]
        if len(candidates) == len(possible):
            _advance_one(emit, candidates, meetings, sought)
            return
    for leaf in moving:
        having = sum(leaf in present for present in possible)
        if having:
            _advance(emit, leaf, meetings, sought, surely=having == len(possible))


def advances(possible: Sequence[Present], meetings: Mapping[Stored, Meeting]) -> bool:
    """Whether `advance_present` has anything to move."""
    return any(meetings[leaf].tells_advance for present in possible for leaf in present)


def _advance(
    emit: Emitter,
    leaf: Stored,
    meetings: Mapping[Stored, Meeting],
    sought: Collection[Stored],
    *,
    surely: bool,
) -> None:
    """Moves one operand on; `surely`: it stands at the coordinate."""
    meeting = meetings[leaf]
    if leaf not in sought:
        meeting.advance(emit, surely=surely)
        return
    others = [m.stand.coordinate for other, m in meetings.items() if other != leaf]
    emit.store(seek(emit, meeting.stand, others), meeting.stand.variable)


def _advance_one(
    emit: Emitter,
    candidates: Sequence[Stored],
    meetings: Mapping[Stored, Meeting],
    sought: Collection[Stored],
) -> None:
    """Exactly one of them stands at the coordinate."""
    first, *others = candidates
    if not others:
        _advance(emit, first, meetings, sought, surely=True)
        return
    then, otherwise = emit.choice(meetings[first].here)
    with emit.filling(then):
        _advance(emit, first, meetings, sought, surely=True)
    with emit.filling(otherwise):
        _advance_one(emit, others, meetings, sought)
