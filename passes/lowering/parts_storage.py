"""Results in parts as arrays: for each array of a part a row of pointers, one per worker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, SSAValue

from tamale.dialects.format.spec import Format
from tamale.dialects.memref import ReallocOp
from tamale.passes.emit.emitter import Emitter
from tamale.passes.emit.upstream import array_type
from tamale.passes.levels.functions import LevelStorage
from tamale.passes.levels.made import NotMadeError
from tamale.passes.lowering.joined import JoinedResult, array_lengths
from tamale.passes.lowering.storage import (
    OperandStorage,
    ResultShape,
    array_element,
    level_arrays,
    stored_level,
)

SUFFIX = "_parts"
"""Of the names of rows."""


@dataclass(frozen=True)
class PartsStorage:
    """The parts of one result."""

    emit: Emitter
    shape: ResultShape
    rows: Sequence[SSAValue]
    """The rows of pointers, in documented order of what they point to: values are the last."""
    workers: int

    @classmethod
    def open(cls, emit: Emitter, shape: ResultShape, workers: int) -> PartsStorage:
        """Rows without any part."""

        def row(element: Attribute, hint: str) -> SSAValue:
            op = memref.AllocaOp.get(array_type(element), shape=[workers])
            return emit.named(emit.insert(op).memref, f"{hint}{SUFFIX}")

        arrays = level_arrays(shape.format)
        rows = [
            row(array_element(shape.format, k, array), f"{shape.name}{k + 1}_{array}")
            for k, array in arrays
        ]
        return cls(emit, shape, [*rows, row(shape.element, f"{shape.name}_vals")], workers)

    # As a tensor: its sizes, and its dense levels

    @property
    def format(self) -> Format:
        return self.shape.format

    @property
    def dims(self) -> Sequence[SSAValue]:
        return self.shape.dims

    @property
    def values(self) -> SSAValue:
        raise NotMadeError("a result in parts has no values before they are joined")

    def level(self, k: int) -> LevelStorage:
        return stored_level(self.emit, self.format, self.dims, k, {})

    # Parts

    def keep(self, blocks: Sequence[SSAValue], worker: SSAValue) -> None:
        """Takes over the blocks of a worker's part."""
        for block, row in zip(blocks, self.rows, strict=True):
            self.emit.store(block, row, worker)

    def part(self, worker: SSAValue) -> OperandStorage:
        """A worker's part."""
        *arrays, values = [self.emit.load(row, worker) for row in self.rows]
        levels = dict(zip(level_arrays(self.format), arrays, strict=True))
        return OperandStorage(self.emit, self.format, self.dims, levels, values)

    def join(self, rooms: Sequence[SSAValue]) -> JoinedResult:
        """The first part with room for so many entries in each appended group."""
        lengths = array_lengths(self.emit, self.shape, rooms)
        pairs = zip(self.rows, lengths, strict=True)
        *arrays, values = [self._lengthen(row, length) for row, length in pairs]
        levels = dict(zip(level_arrays(self.format), arrays, strict=True))
        return JoinedResult(self.emit, self.format, self.dims, levels, values)

    def _lengthen(self, row: SSAValue, length: SSAValue) -> SSAValue:
        """The first part's block in a row, made so long; it stays in the row, which owns it."""
        emit, first = self.emit, self.emit.constant(0)
        block = emit.load(row, first)
        type = cast("MemRefType[Attribute]", block.type)
        emit.store(emit.insert(ReallocOp(block, length, type)).result, row, first)
        return emit.load(row, first, (row.name_hint or "").removesuffix(SUFFIX))

    def free(self) -> None:
        """Frees all parts but the first, which is the beginning of the result."""
        emit = self.emit
        with emit.loop(emit.constant(1), emit.constant(self.workers), "worker") as worker:
            for row in self.rows:
                emit.free(emit.load(row, worker))
