"""
Loops over the entries of one tensor, level by level, in the order of its storage.

What they do at each entry is the caller's business. They ask the tensor by level functions alone,
so that every level kind can be walked, of tensors that are given and of levels under assembly.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager

from xdsl.ir import SSAValue

from tamale.dialects.cfir.storage import (
    CoordBoundsOp,
    LocateOp,
    PosAccessOp,
    PosBoundsOp,
    PosFoundOp,
)
from tamale.dialects.format.spec import Format
from tamale.passes.emit.emitter import Emitter
from tamale.passes.levels import storage_kind

Reached = Callable[[int, list[SSAValue]], None]
"""Called inside the loop of each level: how many levels are bound now, and their coordinates."""


class EntryWalk:
    """Walks the first levels of a tensor."""

    def __init__(self, emit: Emitter, tensor: SSAValue, format: Format, name: str) -> None:
        self.emit, self.tensor, self.format, self.name = emit, tensor, format, name
        self.hints = [f"{name}{k + 1}" for k in range(len(format.levels))]

    @contextmanager
    def loops(
        self, levels: int, reached: Reached = lambda count, coordinates: None
    ) -> Generator[tuple[list[SSAValue], SSAValue]]:
        """Inserts into the innermost loop; gives the levels' coordinates and the last position."""
        position = self.emit.constant(0)
        coordinates: list[SSAValue] = []
        with ExitStack() as stack:
            reached(0, coordinates)
            for k in range(levels):
                loop = self._level(k, position, list(coordinates))
                coordinate, position = stack.enter_context(loop)
                coordinates.append(coordinate)
                reached(k + 1, coordinates)
            yield coordinates, position

    def _level(self, k: int, parent: SSAValue, above: list[SSAValue]):
        kind = storage_kind(self.format.levels[k].kind)
        by_coordinate = kind.iterates == "coordinates"
        return (self._by_coordinate if by_coordinate else self._by_position)(k, parent, above)

    def _ancestors(self, k: int, above: list[SSAValue]) -> list[SSAValue]:
        return above if storage_kind(self.format.levels[k].kind).asks_ancestors else []

    @contextmanager
    def _by_coordinate(
        self, k: int, parent: SSAValue, above: list[SSAValue]
    ) -> Generator[tuple[SSAValue, SSAValue]]:
        emit, kind = self.emit, storage_kind(self.format.levels[k].kind)
        ancestors = self._ancestors(k, above)
        bounds = emit.insert(CoordBoundsOp(self.tensor, k, parent, ancestors))
        with ExitStack() as stack:
            coordinate = stack.enter_context(emit.loop(bounds.low, bounds.high, self._index(k)))
            place = emit.insert(LocateOp(self.tensor, k, parent, coordinate, ancestors))
            place.position.name_hint = f"p{self.hints[k]}"
            if kind.skips:
                stack.enter_context(emit.when(place.found))
            yield coordinate, place.position

    @contextmanager
    def _by_position(
        self, k: int, parent: SSAValue, above: list[SSAValue]
    ) -> Generator[tuple[SSAValue, SSAValue]]:
        emit, kind = self.emit, storage_kind(self.format.levels[k].kind)
        ancestors = self._ancestors(k, above)
        bounds = emit.insert(PosBoundsOp(self.tensor, k, parent, ancestors))
        with ExitStack() as stack:
            if kind.defaults.branchless:
                position = bounds.begin
            else:
                loop = emit.loop(bounds.begin, bounds.end, f"p{self.hints[k]}")
                position = stack.enter_context(loop)
            if kind.skips:
                found = emit.insert(PosFoundOp(self.tensor, k, position)).found
                stack.enter_context(emit.when(found))
            access = emit.insert(PosAccessOp(self.tensor, k, position, ancestors))
            access.coordinate.name_hint = self._index(k)
            yield access.coordinate, position

    def _index(self, k: int) -> str:
        mode = self.format.stored_modes[k]
        return f"{self.name.lower()}{k + 1}" if mode is None else self.format.modes[mode]
