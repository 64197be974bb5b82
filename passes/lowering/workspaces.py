"""
Workspaces as arrays: a list of entries, and what finds the entry of a coordinate.

The list has the coordinates in `crd` and their values, in the order of insertion. It is found
through `slots`:

- dense: `slots[i]` less `base` is the position of the entry of i, if it is not negative. Nothing is
  cleared from one use to the next: `base` moves past all positions handed out so far.
- hash: an open table of positions plus 1, twice as large as the list has room; both grow.

Source: Gustavson, TOMS 1978 (the marks of a row are told from older ones); Knuth, TAOCP 3, 6.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, SSAValue

from tamale.dialects.cfir.workspaces import WorkspaceOp
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.spec import Format
from tamale.dialects.memref import ReallocOp
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.emit.upstream import array_type
from tamale.passes.levels.compressed import Compressed
from tamale.passes.levels.functions import LevelStorage, StorageKind
from tamale.passes.levels.hash_tables import MULTIPLIER, SHIFT
from tamale.passes.lowering.list_sort import ListSort
from tamale.passes.lowering.scratch import Scratch
from tamale.passes.lowering.storage import array_element

FIRST_TABLE = 64
"""How many slots a hash table has at first: a power of two."""


class _Listed(Compressed):
    """The level of a workspace: below its only parent are all entries of the list."""

    def pos_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        return level.emit.constant(0), level.emit.load(level.arrays["count"])


@dataclass(frozen=True)
class Array:
    """An array; one that may move when it grows is in a mutable scalar."""

    emit: Emitter
    memory: SSAValue
    moves: bool

    @classmethod
    def allocate(
        cls, emit: Emitter, type: Attribute, length: SSAValue, hint: str, *, moves: bool
    ) -> Array:
        block = emit.allocate(type, length, f"{hint}_block" if moves else hint)
        memory = emit.variable(array_type(type), hint, block) if moves else block
        return cls(emit, memory, moves)

    def block(self) -> SSAValue:
        return self.emit.load(self.memory) if self.moves else self.memory

    def read(self, place: SSAValue) -> SSAValue:
        return self.emit.as_index(self.emit.load(self.block(), place))

    def write(self, value: SSAValue, place: SSAValue) -> None:
        block = self.block()
        element = cast("MemRefType[Attribute]", block.type).element_type
        self.emit.store(self.emit.cast(value, element), block, place)

    def fill_with_zeros(self, length: SSAValue) -> None:
        emit, block = self.emit, self.block()
        element = cast("MemRefType[Attribute]", block.type).element_type
        with emit.loop(emit.constant(0), length, "c") as c:
            emit.store(emit.constant(0, element), block, c)

    def grow(self, length: SSAValue) -> None:
        block = self.block()
        type = cast("MemRefType[Attribute]", block.type)
        moved = self.emit.insert(ReallocOp(block, length, type)).results[0]
        self.emit.store(moved, self.memory)


class WorkspaceStorage:
    """A workspace in arrays of its own, which live as long as the function."""

    def __init__(self, emit: Emitter, op: WorkspaceOp) -> None:
        type = op.result.type
        self.emit, self.name = emit, op.result.name_hint or "w"
        self.format: Format = tensor_format(type)
        self.dims: Sequence[SSAValue] = (op.size,)
        self.hashed = op.search.data == "hash"
        zero, self.one = emit.constant(0), emit.constant(1)
        self.zero = zero
        size = emit.max(op.size, self.one)
        self.count = emit.variable(INDEX, f"{self.name}_count", zero)
        self.table = None
        room, slots = size, size
        if self.hashed:
            slots, room = emit.constant(FIRST_TABLE), emit.constant(FIRST_TABLE // 2)
            self.table = emit.variable(INDEX, f"{self.name}_table", slots)
        self.element, self.width = type.element_type, array_element(self.format, 0, "crd")
        self.slots = self._array(INDEX if self.hashed else self.width, slots, "slots")
        self.slots.fill_with_zeros(slots)
        self.base = None if self.hashed else emit.variable(INDEX, f"{self.name}_base", self.one)
        self.crd = self._array(self.width, room, "crd")
        if self.hashed:
            self.crd.write(zero, zero)  # Searches look at an entry even where there is none.
        self.value = self._array(self.element, room, "vals")
        self.places = self._array(INDEX, room, "places") if self.hashed else None
        self.ordered = op.ordered is not None
        self.sorted_into: list[Array] = []
        self.sorter: ListSort | None = None
        if self.ordered:
            self.sorted_into = [
                self._array(self.width, room, "scratch"),
                self._array(self.element, room, "scratch_vals"),
            ]
            self.sorter = ListSort(self, self.name, None if self.hashed else size)

    def _array(self, type: Attribute, length: SSAValue, hint: str) -> Array:
        hint = f"{self.name}_{hint}"
        return Array.allocate(self.emit, type, length, hint, moves=self.hashed)

    # As a tensor

    @property
    def values(self) -> SSAValue:
        return self.value.block()

    def kind(self, k: int) -> StorageKind:
        return _Listed()

    def level(self, k: int) -> LevelStorage:
        arrays = {"count": self.count, "crd": self.crd.block()}
        return LevelStorage(self.emit, arrays, self.dims[0], self.zero)

    def arrays(self) -> list[SSAValue]:
        """All blocks, to be freed."""
        lists = [self.slots, self.crd, self.value, *self.sorted_into]
        blocks = [array.block() for array in (*lists, *([self.places] if self.places else []))]
        return [*blocks, *(self.sorter.arrays() if self.sorter else [])]

    # Level functions

    def clear(self) -> None:
        """Takes all entries out."""
        emit = self.emit
        if self.places is not None:
            with emit.loop(self.zero, emit.load(self.count), "p") as p:
                self.slots.write(self.zero, self.places.read(p))
        if self.base is not None:
            self._move_base(self.base)
        emit.store(self.zero, self.count)

    def _move_base(self, base: SSAValue) -> None:
        """Past the positions handed out; back to the beginning before slots overflow."""
        emit, size = self.emit, self.dims[0]
        emit.store(emit.add(emit.load(base), emit.load(self.count)), base)
        if self.width.width.data == 32:
            limit = emit.sub(emit.constant((1 << 31) - 1), size)
            with emit.when(emit.compare("sgt", emit.load(base), limit)):
                self.slots.fill_with_zeros(emit.max(size, self.one))
                emit.store(self.one, base)

    def find(self, coordinate: SSAValue) -> tuple[SSAValue, SSAValue, SSAValue]:
        """The position of a coordinate's entry, whether it has one, and where the search ended."""
        if self.hashed:
            return self._search(coordinate)
        emit = self.emit
        assert self.base is not None
        position = emit.sub(self.slots.read(coordinate), emit.load(self.base))
        return position, emit.compare("sge", position, self.zero), coordinate

    def _search(self, coordinate: SSAValue) -> tuple[SSAValue, SSAValue, SSAValue]:
        emit = self.emit
        assert self.table is not None
        mask = emit.sub(emit.load(self.table), self.one)
        product = emit.mul(coordinate, emit.constant(MULTIPLIER))
        home = emit.and_(emit.binary("shr", product, emit.constant(SHIFT)), mask)
        place = emit.variable(INDEX, f"{self.name}_place", home)

        def taken_by_another() -> SSAValue:
            slot = self.slots.read(emit.load(place))
            before = emit.max(emit.sub(slot, self.one), self.zero)
            differs = emit.compare("ne", self.crd.read(before), coordinate)
            return emit.and_(emit.compare("sgt", slot, self.zero), differs)

        with emit.loop_while(taken_by_another):
            emit.store(emit.and_(emit.add(emit.load(place), self.one), mask), place)
        end = emit.load(place)
        slot = self.slots.read(end)
        return emit.sub(slot, self.one), emit.compare("sgt", slot, self.zero), end

    def insert(self, value: SSAValue, coordinate: SSAValue, place: SSAValue) -> None:
        """A further entry."""
        emit = self.emit
        position = emit.load(self.count)
        following = emit.add(position, self.one)
        before = self.one if self.base is None else emit.load(self.base)
        self.slots.write(emit.add(position, before), place)
        self.crd.write(coordinate, position)
        emit.store(value, self.values, position)
        emit.store(following, self.count)
        if self.places is not None and self.table is not None:
            self.places.write(place, position)
            double = emit.add(following, following)
            with emit.when(emit.compare("sge", double, emit.load(self.table))):
                self._enlarge(self.places, self.table)

    def _enlarge(self, places: Array, table: SSAValue) -> None:
        """Twice as many slots, and every entry at its new place."""
        emit = self.emit
        room = emit.load(table)
        slots = emit.named(emit.add(room, room), f"{self.name}_room")
        emit.store(slots, table)
        for array in (self.crd, self.value, places, *self.sorted_into):
            array.grow(room)
        self.slots.grow(slots)
        self.slots.fill_with_zeros(slots)
        with emit.loop(self.zero, emit.load(self.count), "p") as p:
            _, _, place = self._search(self.crd.read(p))
            self.slots.write(emit.add(p, self.one), place)
            places.write(place, p)

    def sort(self) -> None:
        """The entries in the order of their coordinates."""
        assert self.sorter is not None
        column, values = self.sorted_into
        self.sorter.sort(Scratch(self.emit, [column.block()], values.block()))

    # As a list that is sorted

    def span(self) -> tuple[SSAValue, SSAValue]:
        return self.zero, self.emit.load(self.count)

    def coordinate(self, position: SSAValue) -> SSAValue:
        return self.crd.read(position)

    def put(self, coordinate: SSAValue, position: SSAValue) -> None:
        self.crd.write(coordinate, position)
