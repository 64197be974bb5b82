"""How the operands of a merge move on once it is known which of them are present."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations

from xdsl.ir import SSAValue

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
    emit: Emitter, possible: Sequence[Present], meetings: Mapping[Stored, Meeting]
) -> None:
    """
    Moves on those operands of which presence tells whether they move.

    Where exactly one of several is present, a branch chooses it. Else an operand that all of
    `possible` have moves, one that none has stays, and the others decide by their own comparison.
    """
    advance_missing(emit, possible, meetings, ())


def advance_missing(
    emit: Emitter,
    possible: Sequence[Present],
    meetings: Mapping[Stored, Meeting],
    sought: Collection[Stored],
) -> None:
    """Likewise; those that are sought move to where the last of all operands stands."""
    moves = {leaf: _move(emit, leaf, meetings, sought) for leaf in meetings}
    moving = [leaf for leaf, meeting in meetings.items() if meeting.tells_advance]
    if len(possible) > 1 and all(len(present) == 1 for present in possible):
        candidates = [leaf for leaf in moving if frozenset((leaf,)) in possible]
        if len(candidates) == len(possible):
            _advance_one([(meetings[leaf].here, moves[leaf]) for leaf in candidates], emit)
            return
    for leaf in moving:
        having = sum(leaf in present for present in possible)
        if having:
            moves[leaf](having == len(possible))


def advances(possible: Sequence[Present], meetings: Mapping[Stored, Meeting]) -> bool:
    """Whether `advance_present` has anything to move."""
    return any(meetings[leaf].tells_advance for present in possible for leaf in present)


def _move(
    emit: Emitter,
    leaf: Stored,
    meetings: Mapping[Stored, Meeting],
    sought: Collection[Stored],
) -> Callable[[bool], None]:
    """How an operand moves on; the argument tells whether it is surely at the coordinate."""
    meeting = meetings[leaf]
    if leaf not in sought:
        return lambda surely: meeting.advance(emit, surely=surely)
    others = [m.stand.coordinate for other, m in meetings.items() if other != leaf]

    def seeking(_: bool) -> None:
        emit.store(seek(emit, meeting.stand, others), meeting.stand.variable)

    return seeking


def _advance_one(
    candidates: Sequence[tuple[SSAValue, Callable[[bool], None]]], emit: Emitter
) -> None:
    """Exactly one of them stands at the coordinate."""
    (here, move), *others = candidates
    if not others:
        move(True)
        return
    then, otherwise = emit.choice(here)
    with emit.filling(then):
        move(True)
    with emit.filling(otherwise):
        _advance_one(others, emit)
