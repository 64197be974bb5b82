"""The result that parts are joined to, as arrays: the first part's, with room for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from tamale.passes.emit.emitter import Emitter
from tamale.passes.levels import storage_kind
from tamale.passes.lowering.assembling import result_groups
from tamale.passes.lowering.storage import (
    OperandStorage,
    ResultShape,
    block_size,
    check_positions,
    level_arrays,
    parent_count,
    value_count,
)


@dataclass(frozen=True)
class JoinedResult(OperandStorage):
    """Exact room, which is written in any order."""

    def append_coord(self, k: int, position: SSAValue, coordinate: SSAValue) -> None:
        storage_kind(self.format.levels[k].kind).append_coord(self.level(k), position, coordinate)

    def append_edges(self, k: int, parent: SSAValue, begin: SSAValue, end: SSAValue) -> None:
        kind = storage_kind(self.format.levels[k].kind)
        kind.append_edges(self.level(k), parent, begin, end, counted=False)

    def finish(self) -> list[SSAValue]:
        """The arrays in documented order."""
        return [*self.arrays.values(), self.values]


def array_lengths(emit: Emitter, shape: ResultShape, rooms: Sequence[SSAValue]) -> list[SSAValue]:
    """
    How long the arrays of a result are, in documented order, with so many entries in each appended
    group. Each has at least one element.
    """
    lengths: dict[tuple[int, str], SSAValue] = {}
    parents, groups = parent_count(emit, shape), result_groups(shape.format)
    appended = [group for group in groups if not group.dense]
    for group, room in zip(appended, rooms, strict=True):
        room = emit.named(emit.max(room, emit.constant(1)), f"{shape.name}{group.last + 1}_room")
        check_positions(emit, shape.format, room)
        edges = emit.add(parents, emit.constant(1))
        for k in range(group.first, group.last + 1):
            for array, extent in _extents(shape, k).items():
                lengths[k, array] = edges if extent == "edges" else room
        parents = room
    values = value_count(emit, shape, block_size(emit, shape), parents)
    return [*(lengths[key] for key in level_arrays(shape.format)), values]


def _extents(shape: ResultShape, k: int) -> Mapping[str, str]:
    return storage_kind(shape.format.levels[k].kind).extents
