"""
Loops over the entries of one tensor, level by level, in the order of its storage.

What they do at each entry is the caller's business. They ask the tensor by level functions alone,
so that every level kind can be walked, of tensors that are given and of levels under assembly.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import SSAValue

from tamale.dialects.cfir.storage import (
    CoordBoundsOp,
    LocateOp,
    PosAccessOp,
    PosBoundsOp,
    PosFoundOp,
)
from tamale.dialects.format.spec import Format
from tamale.dialects.memref import ASCENDING
from tamale.passes.emit.emitter import Emitter
from tamale.passes.levels import storage_kind
from tamale.passes.lowering.entry_shares import EntryShare, is_branchless

Reached = Callable[[int, list[SSAValue]], None]
"""Called inside the loop of each level: how many levels are bound now, and their coordinates."""


class EntryWalk:
    """Walks the first levels of a tensor."""

    def __init__(
        self,
        emit: Emitter,
        tensor: SSAValue,
        format: Format,
        name: str,
        share: EntryShare | None = None,
    ) -> None:
        self.emit, self.tensor, self.format, self.name = emit, tensor, format, name
        self.hints = [f"{name}{k + 1}" for k in range(len(format.levels))]
        self.share = share
        """What one worker walks of all levels, at the point where the walk is; None: all."""
        self.position = emit.constant(0)
        """The position where the walk is."""

    @contextmanager
    def loops(
        self, levels: int, reached: Reached = lambda count, coordinates: None
    ) -> Generator[tuple[list[SSAValue], SSAValue]]:
        """Inserts into the innermost loop; gives the levels' coordinates and the last position."""
        position = self.emit.constant(0)
        coordinates: list[SSAValue] = []
        with ExitStack() as stack:
            self.position = position
            reached(0, coordinates)
            for k in range(levels):
                loop = self._level(k, position, list(coordinates))
                coordinate, position = stack.enter_context(loop)
                coordinates.append(coordinate)
                self.position = position
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
            low, high = self._shared_coordinates(k, parent, (bounds.low, bounds.high), ancestors)
            coordinate = stack.enter_context(emit.loop(low, high, self._index(k)))
            place = emit.insert(LocateOp(self.tensor, k, parent, coordinate, ancestors))
            place.position.name_hint = f"p{self.hints[k]}"
            self._enter(k, place.position)
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
            if is_branchless(self.format, k):
                position = bounds.begin
            else:
                begin, end = self._shared_positions(k, (bounds.begin, bounds.end))
                loop = emit.loop(begin, end, f"p{self.hints[k]}")
                position = stack.enter_context(loop)
                self._enter(k, position)
            if kind.skips:
                found = emit.insert(PosFoundOp(self.tensor, k, position)).found
                stack.enter_context(emit.when(found))
            access = emit.insert(PosAccessOp(self.tensor, k, position, ancestors))
            access.coordinate.name_hint = self._index(k)
            if k == 0 and self.format.properties(k).ordered:
                access.attributes[ASCENDING] = UnitAttr()
            yield access.coordinate, position

    # The part of one worker

    def _enter(self, k: int, position: SSAValue) -> None:
        if self.share is not None:
            self.share = self.share.enter(self.emit, k, position, last=self._is_last(k))

    def _is_last(self, k: int) -> bool:
        """Whether no level below has a loop."""
        return all(is_branchless(self.format, n) for n in range(k + 1, len(self.format.levels)))

    def _shared_positions(
        self, k: int, bounds: tuple[SSAValue, SSAValue]
    ) -> tuple[SSAValue, SSAValue]:
        if self.share is None:
            return bounds
        return self.share.within(self.emit, k, bounds, last=self._is_last(k))

    def _shared_coordinates(
        self,
        k: int,
        parent: SSAValue,
        bounds: tuple[SSAValue, SSAValue],
        ancestors: list[SSAValue],
    ) -> tuple[SSAValue, SSAValue]:
        """Positions of such a walk lie in a row, from that of the first coordinate on."""
        if self.share is None:
            return bounds
        emit, (low, high) = self.emit, bounds
        first = emit.insert(LocateOp(self.tensor, k, parent, low, ancestors)).position
        positions = first, emit.add(first, emit.sub(high, low))
        begin, end = self.share.within(emit, k, positions, last=self._is_last(k))
        offset = emit.sub(low, first)
        return emit.max(emit.add(begin, offset), low), emit.min(emit.add(end, offset), high)

    def _index(self, k: int) -> str:
        mode = self.format.stored_modes[k]
        return f"{self.name.lower()}{k + 1}" if mode is None else self.format.modes[mode]
