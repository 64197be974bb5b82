"""What each level function of assembly means: by op, what it emits for a tensor under assembly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xdsl.ir import Operation, SSAValue

from tamale.dialects import assembly
from tamale.dialects.cfir.level_function import LevelFunction
from tamale.passes.levels.functions import LevelAssembly, StorageKind
from tamale.passes.lowering.assembled import AssembledTensor

Meaning = Callable[[AssembledTensor, Any], Sequence[SSAValue]]
"""Emits the meaning of an op; gives values for its results."""


def init_edges(tensor: AssembledTensor, op: assembly.InitEdgesOp) -> Sequence[SSAValue]:
    k = op.level_index
    kind, level, parents = tensor.kind(k), tensor.level(k), tensor.parents(k)
    (kind.seq_init_edges if op.sequenced is not None else kind.unseq_init_edges)(level, parents)
    return ()


def insert_edges(tensor: AssembledTensor, op: assembly.InsertEdgesOp) -> Sequence[SSAValue]:
    k, coordinates = op.level_index, list(op.coordinates)
    kind, level, row = tensor.kind(k), tensor.level(k), tensor.row(k, coordinates)
    insert = kind.seq_insert_edges if op.sequenced is not None else kind.unseq_insert_edges
    insert(level, op.parent_pos, coordinates, row)
    return ()


def count_edge(tensor: AssembledTensor, op: assembly.CountEdgeOp) -> Sequence[SSAValue]:
    k = op.level_index
    tensor.kind(k).unseq_count_edge(tensor.level(k), op.parent_pos)
    return ()


def end_edges(tensor: AssembledTensor, op: assembly.EndEdgesOp) -> Sequence[SSAValue]:
    k = op.level_index
    tensor.kind(k).end_edges(tensor.level(k), op.parent_pos, op.end)
    return ()


def enlarge(tensor: AssembledTensor, op: assembly.EnlargeOp) -> Sequence[SSAValue]:
    k = op.level_index
    tensor.kind(k).enlarge(tensor.level(k), op.count)
    return ()


def whole_level(
    function: Callable[[StorageKind], Callable[[LevelAssembly, SSAValue], None]],
) -> Meaning:
    """A function that is called once per level, with how many parent positions there are."""

    def meaning(tensor: AssembledTensor, op: LevelFunction) -> Sequence[SSAValue]:
        k = op.level_index
        function(tensor.kind(k))(tensor.level(k), tensor.parents(k))
        return ()

    return meaning


def get_pos(tensor: AssembledTensor, op: assembly.GetPosOp) -> Sequence[SSAValue]:
    k = op.level_index
    return (tensor.kind(k).get_pos(tensor.level(k), op.parent_pos, list(op.coordinates)),)


def yield_pos(tensor: AssembledTensor, op: assembly.YieldPosOp) -> Sequence[SSAValue]:
    k = op.level_index
    return (tensor.kind(k).yield_pos(tensor.level(k), op.parent_pos),)


def first_pos(tensor: AssembledTensor, op: assembly.FirstPosOp) -> Sequence[SSAValue]:
    k = op.level_index
    return (tensor.kind(k).size_below(tensor.level(k), op.parent_pos),)


def insert_coord(tensor: AssembledTensor, op: assembly.InsertCoordOp) -> Sequence[SSAValue]:
    k = op.level_index
    coordinates = list(op.coordinates)
    tensor.kind(k).insert_coord(tensor.level(k), op.parent_pos, op.position, coordinates)
    return ()


def init_values(tensor: AssembledTensor, op: assembly.InitValuesOp) -> Sequence[SSAValue]:
    tensor.init_values(zeroed=op.zeroed is not None)
    return ()


def store(tensor: AssembledTensor, op: assembly.StoreOp) -> Sequence[SSAValue]:
    emit, value = tensor.emit, op.value
    if op.adding is not None:
        value = emit.add(emit.load(tensor.values, op.position), value)
    emit.store(value, tensor.values, op.position)
    return ()


MEANINGS: Mapping[type[Operation], Meaning] = {
    assembly.InitEdgesOp: init_edges,
    assembly.InsertEdgesOp: insert_edges,
    assembly.CountEdgeOp: count_edge,
    assembly.EndEdgesOp: end_edges,
    assembly.EnlargeOp: enlarge,
    assembly.FinalizeEdgesOp: whole_level(lambda kind: kind.unseq_finalize_edges),
    assembly.InitCoordsOp: whole_level(lambda kind: kind.init_coords),
    assembly.InitPosOp: whole_level(lambda kind: kind.init_pos),
    assembly.FinalizePosOp: whole_level(lambda kind: kind.finalize_pos),
    assembly.GetPosOp: get_pos,
    assembly.YieldPosOp: yield_pos,
    assembly.FirstPosOp: first_pos,
    assembly.InsertCoordOp: insert_coord,
    assembly.InitValuesOp: init_values,
    assembly.StoreOp: store,
}
