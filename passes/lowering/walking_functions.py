"""What level functions that walk a tensor mean on arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from xdsl.dialects import arith, memref
from xdsl.ir import Operation, SSAValue

from tamale.dialects.cfir.storage import (
    CoordBoundsOp,
    LocateOp,
    PosAccessOp,
    PosBoundsOp,
    PosFoundOp,
)
from tamale.dialects.memref import ASCENDING
from tamale.passes.levels.functions import LevelStorage, StorageKind

Walking: TypeAlias = PosBoundsOp | PosAccessOp | PosFoundOp | CoordBoundsOp | LocateOp


def pos_bounds(kind: StorageKind, level: LevelStorage, op: PosBoundsOp) -> Sequence[SSAValue]:
    return kind.pos_bounds(level, op.parent_pos)


def pos_access(kind: StorageKind, level: LevelStorage, op: PosAccessOp) -> Sequence[SSAValue]:
    coordinate = kind.pos_access(level, op.position)
    if ASCENDING in op.attributes:
        load = coordinate.owner
        while isinstance(load, arith.IndexCastOp):
            load = load.input.owner
        if isinstance(load, memref.LoadOp):
            load.attributes[ASCENDING] = op.attributes[ASCENDING]
    return (coordinate,)


def pos_found(kind: StorageKind, level: LevelStorage, op: PosFoundOp) -> Sequence[SSAValue]:
    return (kind.pos_found(level, op.position),)


def coord_bounds(kind: StorageKind, level: LevelStorage, op: CoordBoundsOp) -> Sequence[SSAValue]:
    return kind.coord_bounds(level, op.parent_pos)


def locate(kind: StorageKind, level: LevelStorage, op: LocateOp) -> Sequence[SSAValue]:
    return kind.locate(level, op.parent_pos, op.coordinate)


WALKING_MEANINGS: Mapping[
    type[Operation], Callable[[StorageKind, LevelStorage, Any], Sequence[SSAValue]]
] = {
    PosBoundsOp: pos_bounds,
    PosAccessOp: pos_access,
    PosFoundOp: pos_found,
    CoordBoundsOp: coord_bounds,
    LocateOp: locate,
}
"""By level function: what gives its results."""
