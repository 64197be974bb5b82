"""
Tensors as arrays: what `lower-levels` puts in their place.

An operand is its dimension sizes, the arrays of each level and its values, all arguments of the function. A dense
result is a values array of the caller's. A result that appends owns arrays that grow: pointers in rank-0
memrefs, with a count and a capacity per group of levels that share positions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerType, MemRefType, i32, i64
from xdsl.ir import Attribute, SSAValue

from tamale.dialects.format.spec import Format
from tamale.dialects.memref import ReallocOp
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.assembling import Group, result_groups
from tamale.passes.emit.emitter import Emitter, array_type
from tamale.passes.levels import storage_kind
from tamale.passes.levels.functions import LevelStorage

WIDTHS: Mapping[str, IntegerType] = {"i32": i32, "i64": i64}
FIRST_CAPACITY = 64


def array_element(format: Format, array: str) -> IntegerType:
    """The element type of a level's array: positions or coordinates."""
    return WIDTHS[format.pos if array == "pos" else format.crd]


def level_arrays(format: Format) -> tuple[tuple[int, str], ...]:
    """(level, array) of every level, in the order of the documented signature."""
    return tuple(
        (k, array)
        for k, level in enumerate(format.levels)
        for array in storage_kind(level.kind).arrays
    )


def level_size(format: Format, dims: Sequence[SSAValue], k: int) -> SSAValue:
    return dims[format.mode_order[k]]


@dataclass(frozen=True)
class OperandStorage:
    """A tensor that is only read."""

    emit: Emitter
    format: Format
    dims: Sequence[SSAValue]
    arrays: Mapping[tuple[int, str], SSAValue]
    values: SSAValue

    def level(self, k: int) -> LevelStorage:
        kind = storage_kind(self.format.levels[k].kind)
        arrays = {array: self.arrays[k, array] for array in kind.arrays}
        return LevelStorage(self.emit, arrays, level_size(self.format, self.dims, k))


@dataclass(frozen=True)
class DenseResult:
    """A dense result in the caller's array."""

    emit: Emitter
    format: Format
    dims: Sequence[SSAValue]
    values: SSAValue

    def level(self, k: int) -> LevelStorage:
        return LevelStorage(self.emit, {}, level_size(self.format, self.dims, k))

    def fill(self, value: SSAValue) -> None:
        """Sets every element."""
        count = self.emit.constant(1)
        for dim in self.dims:
            count = self.emit.mul(count, dim)
        with self.emit.loop(self.emit.constant(0), count, "p") as p:
            self.emit.store(value, self.values, p)


@dataclass(frozen=True)
class GroupStorage:
    """Levels that share positions: how many entries there are, and room for how many."""

    group: Group
    count: SSAValue
    capacity: SSAValue


class AppendedResult:
    """A result under assembly, with arrays that grow."""

    def __init__(
        self,
        emit: Emitter,
        name: str,
        format: Format,
        dims: Sequence[SSAValue],
        element: Attribute,
        *,
        counted: bool,
    ) -> None:
        self.emit, self.name, self.format, self.dims = emit, name, format, dims
        self.counted, self.element = counted, element
        self.groups = [g for g in result_groups(format) if not g.dense]
        self.arrays: dict[tuple[int, str], SSAValue] = {}
        self.storages: dict[int, GroupStorage] = {}
        for group in self.groups:
            self._open_group(group)
        self.values = self._pointer(element, f"{name}_vals", emit.constant(FIRST_CAPACITY))

    # Arrays

    def _pointer(self, element: Attribute, hint: str, count: SSAValue) -> SSAValue:
        """A pointer variable to a fresh block."""
        block = self.emit.allocate(element, count, f"{hint}_block")
        return self.emit.variable(array_type(element), hint, block)

    def _open_group(self, group: Group) -> None:
        emit, stem = self.emit, f"{self.name}{group.last + 1}"
        count = emit.variable(INDEX, f"p{stem}", emit.constant(0))
        capacity = emit.variable(INDEX, f"{stem}_capacity", emit.constant(FIRST_CAPACITY))
        self.storages[group.first] = GroupStorage(group, count, capacity)
        parents = self._initial_parents(group)
        for k in range(group.first, group.last + 1):
            for array, extent in storage_kind(self.format.levels[k].kind).extents.items():
                rows = emit.add(parents, emit.constant(1))
                length = rows if extent == "edges" else emit.constant(FIRST_CAPACITY)
                hint = f"{self.name}{k + 1}_{array}"
                element = array_element(self.format, array)
                self.arrays[k, array] = self._pointer(element, hint, length)
        self._kind(group.first).init_edges(
            self.level(group.first), self._known_parents(group), counted=self.counted
        )

    def _kind(self, k: int):  # noqa: ANN202
        return storage_kind(self.format.levels[k].kind)

    def _known_parents(self, group: Group) -> SSAValue:
        """How many parent positions a group has for sure: those of the dense levels above, or none."""
        emit, parents = self.emit, self.emit.constant(1)
        for k in range(group.first):
            if not self.format.properties(k).full:
                return emit.constant(0)
            parents = emit.mul(parents, level_size(self.format, self.dims, k))
        return parents

    def _initial_parents(self, group: Group) -> SSAValue:
        """Room for this many parents at first."""
        if all(self.format.properties(k).full for k in range(group.first)):
            return self._known_parents(group)
        return self.emit.constant(FIRST_CAPACITY)

    def level(self, k: int) -> LevelStorage:
        arrays = {
            array: self.emit.load(self.arrays[k, array])
            for level, array in level_arrays(self.format)
            if level == k
        }
        return LevelStorage(self.emit, arrays, level_size(self.format, self.dims, k))

    def values_array(self) -> SSAValue:
        return self.emit.load(self.values)

    # Level functions

    def position(self, k: int) -> SSAValue:
        return self.emit.load(self.storages[k].count)

    def advance(self, k: int) -> None:
        count = self.storages[k].count
        self.emit.store(self.emit.add(self.emit.load(count), self.emit.constant(1)), count)

    def append_coord(self, k: int, position: SSAValue, coordinate: SSAValue) -> None:
        self._kind(k).append_coord(self.level(k), position, coordinate)

    def append_edges(self, k: int, parent: SSAValue, begin: SSAValue, end: SSAValue) -> None:
        counted = self.counted and self.storages[k].group is self.groups[0]
        self._kind(k).append_edges(self.level(k), parent, begin, end, counted=counted)

    def reserve(self, k: int, more: SSAValue) -> None:
        """Makes room for `more` entries of the group that begins at level k."""
        emit, storage = self.emit, self.storages[k]
        needed = emit.named(emit.add(emit.load(storage.count), more), f"{self.name}{k + 1}_needed")
        capacity = emit.load(storage.capacity)
        with emit.when(emit.compare("sgt", needed, capacity)):
            if self.format.pos == "i32":
                limit = emit.constant((1 << 31) - 1)
                emit.check(emit.compare("sle", needed, limit), "position overflow")
            doubled = emit.add(emit.load(storage.capacity), emit.load(storage.capacity))
            room = emit.named(emit.max(doubled, needed), f"{self.name}{k + 1}_room")
            self._resize(storage.group, room)
            emit.store(room, storage.capacity)

    def _resize(self, group: Group, room: SSAValue) -> None:
        """All arrays with an element per entry of the group get `room` elements."""
        emit = self.emit
        for k, array in level_arrays(self.format):
            extent = self._kind(k).extents[array]
            if group.first <= k <= group.last and extent == "positions":
                self._reallocate(self.arrays[k, array], room)
            if k == group.last + 1 and extent == "edges":
                self._reallocate(self.arrays[k, array], emit.add(room, emit.constant(1)))
        if group.last == len(self.format.levels) - 1:
            self._reallocate(self.values, room)

    def _reallocate(self, pointer: SSAValue, count: SSAValue) -> None:
        block = self.emit.load(pointer)
        assert isinstance(block.type, MemRefType)
        self.emit.store(self.emit.insert(ReallocOp(block, count, block.type)).results[0], pointer)

    def finish(self) -> list[SSAValue]:
        """Sums up counted edges, cuts the arrays to their lengths, and gives them in documented order."""
        emit = self.emit
        first = self.groups[0]
        self._kind(first.first).finish_edges(
            self.level(first.first), self._known_parents(first), counted=self.counted
        )
        for group in self.groups:
            count = emit.load(self.storages[group.first].count)
            self._resize(group, emit.max(count, emit.constant(1)))
        pointers = [*(self.arrays[key] for key in level_arrays(self.format)), self.values]
        return [emit.load(pointer, hint=pointer.name_hint or "") for pointer in pointers]
