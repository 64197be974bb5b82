"""What the functions of results in parts mean on arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, TypeAlias

from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects.cfir.parts import ClosePartOp, FreePartsOp, JoinOp, OpenPartOp, PartOp
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.parts_storage import PartsStorage
from tamale.passes.lowering.storage import AppendedResult, grown_groups

Storages: TypeAlias = MutableMapping[SSAValue, Any]
"""Tensor -> the arrays in its place."""


def open_part(emit: Emitter, storages: Storages, op: OpenPartOp) -> None:
    shape, grown = _parts(storages, op.parts).shape, grown_groups(op.result)
    counted = op.counted is not None
    part = AppendedResult(shape, emit, op.room, grown, counted=counted, parents=op.parents)
    storages[op.result] = part


def close_part(emit: Emitter, storages: Storages, op: ClosePartOp) -> None:
    part, parts = storages.get(op.part), _parts(storages, op.parts)
    if not isinstance(part, AppendedResult):
        raise PassFailedException(f"lower-levels: '{op.part.name_hint}' is not appended to")
    part.finish_edges()
    parts.keep(part.blocks(), op.worker)


def part(emit: Emitter, storages: Storages, op: PartOp) -> None:
    storages[op.result] = _parts(storages, op.parts).part(op.worker)


def join(emit: Emitter, storages: Storages, op: JoinOp) -> None:
    storages[op.result] = _parts(storages, op.parts).join(op.room)


def free_parts(emit: Emitter, storages: Storages, op: FreePartsOp) -> None:
    _parts(storages, op.parts).free()


def _parts(storages: Storages, parts: SSAValue) -> PartsStorage:
    storage = storages.get(parts)
    if not isinstance(storage, PartsStorage):
        raise PassFailedException(f"lower-levels: '{parts.name_hint}' is no result in parts")
    return storage


PART_MEANINGS: Mapping[type[Operation], Callable[[Emitter, Storages, Any], None]] = {
    OpenPartOp: open_part,
    ClosePartOp: close_part,
    PartOp: part,
    JoinOp: join,
    FreePartsOp: free_parts,
}
"""By function: what it does to the arrays in the place of tensors."""
