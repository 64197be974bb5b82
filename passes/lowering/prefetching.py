"""What the level function `prefetch` means on arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from xdsl.ir import SSAValue

from tamale.dialects.cfir.storage import PrefetchOp
from tamale.dialects.format.spec import Format
from tamale.dialects.memref import PrefetchOp as PrefetchElementOp
from tamale.passes.emit.emitter import Emitter
from tamale.passes.emit.upstream import element_type
from tamale.passes.levels import storage_kind
from tamale.passes.levels.functions import Extent, LevelStorage


class Stored(Protocol):
    """A tensor in arrays."""

    @property
    def emit(self) -> Emitter: ...
    @property
    def format(self) -> Format: ...
    @property
    def values(self) -> SSAValue: ...
    def level(self, k: int) -> LevelStorage: ...


LINE = 64
"""Bytes that come into the cache together."""
MOST = 16
"""How many lines of a row are asked for; the processor goes on by itself."""


def prefetch(tensor: Stored, op: PrefetchOp) -> None:
    """One element of each array that belongs to the position, or of each line of a row."""
    if op.what.data == "row":
        _prefetch_row(tensor, op)
        return
    for array in _belonging(tensor, op):
        tensor.emit.insert(PrefetchElementOp(array, [op.position]))


def _prefetch_row(tensor: Stored, op: PrefetchOp) -> None:
    emit, values = tensor.emit, tensor.values
    element: Any = element_type(values)
    per_line = max(1, LINE // element.size)
    with emit.hoisted():
        length = emit.constant(1)
        for k in range(op.level_index + 1, len(tensor.format.levels)):
            kind = storage_kind(tensor.format.levels[k].kind)
            length = kind.size_below(tensor.level(k), length)
        lines = emit.div(emit.add(length, emit.constant(per_line - 1)), emit.constant(per_line))
        lines = emit.named(emit.min(lines, emit.constant(MOST)), "lines")
    first = emit.mul(op.position, length)
    with emit.loop(emit.constant(0), lines, "line") as line:
        place = emit.add(first, emit.mul(line, emit.constant(per_line)))
        emit.insert(PrefetchElementOp(values, [place]))


def _belonging(tensor: Stored, op: PrefetchOp) -> Iterator[SSAValue]:
    k = op.level_index
    if op.what.data == "edges":
        yield from _arrays(tensor, k, ("edges", "parents"))
        return
    yield from _arrays(tensor, k, ("positions",))
    if k + 1 < len(tensor.format.levels):
        yield from _arrays(tensor, k + 1, ("edges", "parents"))
    else:
        yield tensor.values


def _arrays(tensor: Stored, k: int, wanted: tuple[Extent, ...]) -> Iterator[SSAValue]:
    kind, arrays = storage_kind(tensor.format.levels[k].kind), tensor.level(k).arrays
    for name, extent in kind.extents.items():
        if extent in wanted:
            yield arrays[name]
