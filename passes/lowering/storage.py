"""
Tensors as arrays: what `lower-levels` puts in their place.

An operand is its dimension sizes, the arrays of each level and its values, all arguments of the
function. A dense result is a values array of the caller's. A result that appends owns arrays that
grow: pointers in rank-0 memrefs, with a count and a capacity per group of levels that share
positions.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import IntegerType, MemRefType, TensorType, i32, i64
from xdsl.ir import Attribute, SSAValue

from tamale.dialects.cfir.storage import ReserveOp
from tamale.dialects.format.relation import relation
from tamale.dialects.format.spec import Format
from tamale.dialects.format.symbolic_bounds import level_extent
from tamale.dialects.memref import ReallocOp
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.emit.upstream import array_type
from tamale.passes.levels import array_width, storage_kind
from tamale.passes.levels.functions import LevelStorage, StorageKind
from tamale.passes.lowering.assembling import Group, result_groups
from tamale.passes.lowering.coordinates import emit_level_expression
from tamale.passes.lowering.level_context import dimension_values, relation_values
from tamale.passes.lowering.products import check_product

WIDTHS: Mapping[str, IntegerType] = {"i32": i32, "i64": i64}


def is_tensor(type: Attribute) -> bool:
    return isinstance(type, TensorType)


def array_element(format: Format, k: int, array: str) -> IntegerType:
    """The element type of a level's array: positions or coordinates."""
    return WIDTHS[array_width(format, k, array)]


def level_arrays(format: Format) -> tuple[tuple[int, str], ...]:
    """(level, array) of every level, in the order of the documented signature."""
    return tuple(
        (k, array)
        for k, level in enumerate(format.levels)
        for array in storage_kind(level.kind).arrays
    )


def level_range(
    emit: Emitter, format: Format, dims: Sequence[SSAValue], k: int
) -> tuple[SSAValue, SSAValue]:
    """The smallest coordinate of level k and how many it can have."""
    mode = format.stored_modes[k]
    if mode is not None:
        return emit.constant(0), dims[mode]
    values = dimension_values(format.modes, dims)
    with emit.hoisted():
        low, size = (emit_level_expression(emit, e, values) for e in level_extent(format, k))
    return low, size


def stored_level(
    emit: Emitter,
    format: Format,
    dims: Sequence[SSAValue],
    k: int,
    arrays: Mapping[str, SSAValue],
) -> LevelStorage:
    """Level k of a tensor with these dimension sizes, in these arrays."""
    low, size = level_range(emit, format, dims, k)
    evaluate = relation_values(emit, format, dims)
    return LevelStorage(emit, arrays, size, low, relation=relation(format, k), evaluate=evaluate)


def fill(emit: Emitter, block: SSAValue, value: SSAValue, count: SSAValue, workers: int) -> None:
    """Sets the first `count` elements of a block; each worker an equal share."""

    def between(begin: SSAValue, end: SSAValue) -> None:
        with emit.loop(begin, end, "p") as p:
            emit.store(value, block, p)

    if workers == 1:
        between(emit.constant(0), count)
        return
    with emit.workers(workers, "worker") as worker:
        following = emit.add(worker, emit.constant(1))
        begin, end = (
            emit.div(emit.mul(count, share), emit.constant(workers))
            for share in (worker, following)
        )
        between(begin, end)


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
        return stored_level(self.emit, self.format, self.dims, k, arrays)


@dataclass(frozen=True)
class DenseResult:
    """A dense result in the caller's array."""

    emit: Emitter
    format: Format
    dims: Sequence[SSAValue]
    values: SSAValue

    def level(self, k: int) -> LevelStorage:
        return stored_level(self.emit, self.format, self.dims, k, {})

    def fill(self, value: SSAValue, workers: int = 1) -> None:
        """Sets every element; each worker an equal share."""
        emit, count = self.emit, self.emit.constant(1)
        for dim in self.dims:
            count = emit.mul(count, dim)
        fill(emit, self.values, value, count, workers)


@dataclass(frozen=True)
class ResultShape:
    """What a result under assembly is called, how it is stored, and its sizes."""

    name: str
    format: Format
    dims: Sequence[SSAValue]
    element: Attribute


def check_coordinates(emit: Emitter, shape: ResultShape) -> None:
    """Ends the kernel unless the coordinates of a result fit the width that stores them."""
    format = shape.format
    if format.crd != "i32":
        return
    limit = emit.constant(1 << 31)
    for k in range(len(format.levels)):
        if not format.properties(k).full:
            _, size = level_range(emit, format, shape.dims, k)
            emit.check(emit.compare("sle", size, limit), "size overflow")


def check_positions(emit: Emitter, format: Format, count: SSAValue) -> None:
    """Ends the kernel unless positions up to `count` fit their width."""
    if format.pos == "i32":
        limit = emit.constant((1 << 31) - 1)
        emit.check(emit.compare("sle", count, limit), "position overflow")


def parent_count(emit: Emitter, shape: ResultShape) -> SSAValue:
    """How many positions the dense levels above the first appended group have."""
    format, parents = shape.format, emit.constant(1)
    first = next(group.first for group in result_groups(format) if not group.dense)
    for k in range(first):
        level = stored_level(emit, format, shape.dims, k, {})
        parents = storage_kind(format.levels[k].kind).size_below(level, parents)
    return parents


def block_size(emit: Emitter, shape: ResultShape) -> SSAValue | None:
    """How many values each entry has; None: just one."""
    format, count = shape.format, emit.constant(1)
    if not format.has_tail:
        return None
    for k in range(format.tail, len(format.levels)):
        level = stored_level(emit, format, shape.dims, k, {})
        size = storage_kind(format.levels[k].kind).size_below(level, emit.constant(1))
        check_product(emit, count, size)
        count = emit.mul(count, size)
    return emit.named(count, f"{shape.name}_block")


def value_count(
    emit: Emitter, shape: ResultShape, block: SSAValue | None, room: SSAValue
) -> SSAValue:
    """How many values to make room for, given that of the last group: at least 1."""
    if block is None:
        return room
    check_product(emit, room, block)
    values = emit.mul(room, block)
    return emit.named(emit.max(values, emit.constant(1)), f"{shape.name}_values")


def grown_groups(result: SSAValue) -> set[int]:
    """The first levels of the groups of a result that room is made for as they grow."""
    operations = (use.operation for use in result.uses)
    return {op.level_index for op in operations if isinstance(op, ReserveOp)}


@dataclass(frozen=True)
class GroupStorage:
    """
    Levels that share positions: how many entries there are, and room for how many if that changes.
    """

    group: Group
    count: SSAValue
    capacity: SSAValue | None


class AppendedResult:
    """
    A result under assembly, in arrays of its own; groups in `grown` may outgrow their first room.

    The first group has `parents`, or the positions of all levels above it.
    """

    def __init__(
        self,
        shape: ResultShape,
        emit: Emitter,
        rooms: Sequence[SSAValue],
        grown: Container[int],
        *,
        counted: bool,
        parents: SSAValue | None = None,
    ) -> None:
        self.emit, self.shape, self.counted = emit, shape, counted
        self.name, self.format, self.dims = shape.name, shape.format, shape.dims
        self.element = shape.element
        self.groups = [g for g in result_groups(self.format) if not g.dense]
        self.arrays: dict[tuple[int, str], SSAValue] = {}
        self.storages: dict[int, GroupStorage] = {}
        self._parents = parents = parents or parent_count(emit, shape)
        for group, room in zip(self.groups, rooms, strict=True):
            room = emit.named(emit.max(room, emit.constant(1)), f"{self.name}{group.last + 1}_room")
            self._open_group(group, room, parents, grown=group.first in grown)
            parents = room
        self._block = block_size(emit, shape)
        values = value_count(emit, shape, self._block, parents)
        self.values = self._pointer(shape.element, f"{self.name}_vals", values)

    # Arrays

    def _pointer(self, element: Attribute, hint: str, count: SSAValue) -> SSAValue:
        """A pointer variable to a fresh block."""
        block = self.emit.allocate(element, count, f"{hint}_block")
        return self.emit.variable(array_type(element), hint, block)

    def _open_group(self, group: Group, room: SSAValue, parents: SSAValue, *, grown: bool) -> None:
        emit, stem = self.emit, f"{self.name}{group.last + 1}"
        check_positions(emit, self.format, room)
        count = emit.variable(INDEX, f"p{stem}", emit.constant(0))
        capacity = emit.variable(INDEX, f"{stem}_capacity", room) if grown else None
        self.storages[group.first] = GroupStorage(group, count, capacity)
        for k in range(group.first, group.last + 1):
            for array, extent in self._kind(k).extents.items():
                rows = emit.add(parents, emit.constant(1))
                element = array_element(self.format, k, array)
                self.arrays[k, array] = self._pointer(
                    element, f"{self.name}{k + 1}_{array}", rows if extent == "edges" else room
                )
        first = group is self.groups[0]
        self._kind(group.first).init_edges(
            self.level(group.first), parents, counted=self.counted and first
        )

    def _kind(self, k: int) -> StorageKind:
        return storage_kind(self.format.levels[k].kind)

    def level(self, k: int) -> LevelStorage:
        arrays = {
            array: self.emit.load(self.arrays[k, array])
            for level, array in level_arrays(self.format)
            if level == k
        }
        return stored_level(self.emit, self.format, self.dims, k, arrays)

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
        assert storage.capacity is not None
        needed = emit.named(emit.add(emit.load(storage.count), more), f"{self.name}{k + 1}_needed")
        with emit.when(emit.compare("sgt", needed, emit.load(storage.capacity))):
            check_positions(emit, self.format, needed)
            doubled = emit.mul(emit.load(storage.capacity), emit.constant(2))
            doubled.name_hint = f"{self.name}{k + 1}_doubled"
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
        if group is self.groups[-1]:
            self._reallocate(self.values, value_count(emit, self.shape, self._block, room))

    def _reallocate(self, pointer: SSAValue, count: SSAValue) -> None:
        block = self.emit.load(pointer)
        type = cast("MemRefType[Attribute]", block.type)
        self.emit.store(self.emit.insert(ReallocOp(block, count, type)).results[0], pointer)

    def finish(self) -> list[SSAValue]:
        """
        Sums up counted edges, cuts the arrays to their lengths, and gives them in documented
        order.
        """
        emit = self.emit
        self.finish_edges()
        for group in self.groups:
            length = emit.max(emit.load(self.storages[group.first].count), emit.constant(1))
            length.name_hint = f"{self.name}{group.last + 1}_length"
            self._resize(group, length)
        return self.blocks()

    def finish_edges(self) -> None:
        """Sums up counted edges."""
        first = self.groups[0].first
        if self.counted:
            self._kind(first).finish_edges(self.level(first), self._parents, counted=True)

    def blocks(self) -> list[SSAValue]:
        """The arrays in documented order."""
        pointers = [*(self.arrays[key] for key in level_arrays(self.format)), self.values]
        return [self.emit.load(pointer, hint=pointer.name_hint or "") for pointer in pointers]
