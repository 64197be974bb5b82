"""Arrays for some entries: their coordinates and values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, SSAValue

from tamale.passes.emit.emitter import Emitter
from tamale.passes.emit.upstream import element_type


@dataclass(frozen=True)
class Scratch:
    """Arrays of coordinates, and of values if there are any."""

    emit: Emitter
    columns: Sequence[SSAValue]
    values: SSAValue | None

    @classmethod
    def allocate(
        cls,
        emit: Emitter,
        coordinates: Sequence[Attribute],
        value: Attribute | None,
        length: SSAValue,
    ) -> Scratch:
        """Room for `length` entries of these types."""
        room = emit.max(length, emit.constant(1))
        columns = [
            emit.allocate(type, room, f"scratch{k + 1}") for k, type in enumerate(coordinates)
        ]
        values = None if value is None else emit.allocate(value, room, "scratch_vals")
        return cls(emit, columns, values)

    def write(self, place: SSAValue, entry: Sequence[SSAValue]) -> None:
        """Stores coordinates and, last, the value."""
        emit, count = self.emit, len(self.columns)
        for column, coordinate in zip(self.columns, entry[:count], strict=True):
            emit.store(emit.cast(coordinate, element_type(column)), column, place)
        if self.values is not None:
            emit.store(entry[-1], self.values, place)

    def read(self, place: SSAValue) -> list[SSAValue]:
        """The coordinates and the value at a place."""
        emit = self.emit
        entry = [emit.as_index(emit.load(column, place)) for column in self.columns]
        return entry if self.values is None else [*entry, emit.load(self.values, place)]

    def free(self) -> None:
        for array in (*self.columns, *([] if self.values is None else [self.values])):
            self.emit.free(array)
