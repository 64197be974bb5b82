"""What the level function `prefetch` means on arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from xdsl.ir import SSAValue

from tamale.dialects.cfir.storage import PrefetchOp
from tamale.dialects.format.spec import Format
from tamale.dialects.memref import PrefetchOp as PrefetchElementOp
from tamale.passes.emit.emitter import Emitter
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


def prefetch(tensor: Stored, op: PrefetchOp) -> None:
    """One element of each array that belongs to the position."""
    for array in _belonging(tensor, op):
        tensor.emit.insert(PrefetchElementOp(array, [op.position]))


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
