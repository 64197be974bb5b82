"""Arrays for some entries of a coordinate list, in the widths of its own."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, SSAValue

from tamale.dialects.format.spec import Format
from tamale.passes.emit.emitter import Emitter
from tamale.passes.emit.upstream import element_type
from tamale.passes.lowering.storage import array_element


class Scratch:
    """Room for `length` entries."""

    def __init__(self, emit: Emitter, format: Format, value: Attribute, length: SSAValue) -> None:
        self.emit = emit
        room = emit.max(length, emit.constant(1))
        self.columns = [
            emit.allocate(array_element(format, k, "crd"), room, f"scratch{k + 1}")
            for k in range(len(format.levels))
        ]
        self.values = emit.allocate(value, room, "scratch_vals")

    def write(self, place: SSAValue, entry: Sequence[SSAValue]) -> None:
        """Stores coordinates and, last, a value."""
        emit, (*coordinates, value) = self.emit, entry
        for column, coordinate in zip(self.columns, coordinates, strict=True):
            emit.store(emit.cast(coordinate, element_type(column)), column, place)
        emit.store(value, self.values, place)

    def read(self, place: SSAValue) -> list[SSAValue]:
        """The coordinates and the value at a place."""
        emit = self.emit
        coordinates = [emit.as_index(emit.load(column, place)) for column in self.columns]
        return [*coordinates, emit.load(self.values, place)]

    def free(self) -> None:
        for array in (*self.columns, self.values):
            self.emit.free(array)
