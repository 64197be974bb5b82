"""How many positions of a level lie before a coordinate: told by its walk, whatever its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamale.passes.emit.bisection import first_not_below
from tamale.passes.levels.functions import LevelStorage, StorageKind

if TYPE_CHECKING:
    from xdsl.ir import SSAValue


def has_rank(kind: StorageKind) -> bool:
    """Whether the kind tells how many positions lie before one of its parent's."""
    return type(kind).size_below is not StorageKind.size_below


def rank(
    kind: StorageKind,
    level: LevelStorage,
    parent: SSAValue,
    positions: tuple[SSAValue, SSAValue],
    coordinate: SSAValue,
) -> SSAValue:
    """
    The position that a walk of [begin, end) below `parent` has come to before `coordinate`.

    Args:
        kind: the level's.
        level: an ordered one.
        parent: the parent position; it is not looked at if there are no positions.
        positions: begin and end.
        coordinate: what the coordinates of the positions before are below.
    """
    if kind.iterates == "coordinates":
        return _rank_of_coordinates(kind, level, parent, positions, coordinate)
    begin, end = positions
    return first_not_below(
        level.emit, begin, end, coordinate, lambda p: kind.pos_access(level, p)
    )


def _rank_of_coordinates(
    kind: StorageKind,
    level: LevelStorage,
    parent: SSAValue,
    positions: tuple[SSAValue, SSAValue],
    coordinate: SSAValue,
) -> SSAValue:
    """Such a walk has its positions in a row, from that of the first coordinate on."""
    emit, (begin, end) = level.emit, positions
    zero = emit.constant(0)
    found = emit.variable(zero.type, "rank", begin)
    with emit.when(emit.compare("slt", begin, end)):
        low, _ = kind.coord_bounds(level, parent)
        first, _ = kind.locate(level, parent, low)
        position = emit.add(first, emit.sub(coordinate, low))
        emit.store(emit.min(emit.max(position, begin), end), found)
    return emit.load(found)
