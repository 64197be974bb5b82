"""Tensors under assembly: what level functions mean by level kinds, run at once on real arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from xdsl.dialects.builtin import TensorType, i64
from xdsl.ir import Attribute, Operation, SSAValue

from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.spec import Format
from tamale.frontend.levels import level_range
from tamale.frontend.storage import LevelArrays
from tamale.frontend.tensor import Tensor
from tamale.interpreters.immediate import Immediate
from tamale.interpreters.memory import Memory, plain
from tamale.interpreters.stored import StoredTensor, Walkable
from tamale.passes.emit.upstream import array_type
from tamale.passes.levels import storage_kind
from tamale.passes.levels.functions import LevelAssembly, StoredLevel
from tamale.passes.lowering.assembled import AssembledTensor as EmittedTensor
from tamale.passes.lowering.assembly_functions import MEANINGS
from tamale.passes.lowering.scanning import make_room
from tamale.passes.lowering.storage import array_element, level_arrays

Queries: TypeAlias = Mapping[int, Mapping[str, StoredTensor]]


class AssembledTensor:
    """A tensor under assembly. Levels count from 0."""

    def __init__(
        self, type: TensorType[Attribute], shape: tuple[int, ...], queries: Queries
    ) -> None:
        self.format, self.shape = tensor_format(type), shape
        self.code = Immediate()
        self.handle = self.code.value(self, type)
        results = {
            k: {label: self._array(query) for label, query in labelled.items()}
            for k, labelled in queries.items()
        }
        dims = [self.code.index(size) for size in shape]
        self.emitted = EmittedTensor(
            self.code.emit, "B", self.format, dims, type.element_type, results
        )
        self.code.run()

    @classmethod
    def with_room(
        cls, type: TensorType[Attribute], shape: tuple[int, ...], counts: StoredTensor
    ) -> AssembledTensor:
        """A tensor with the levels of `counts`, and with room below them for what was counted."""
        tensor, format = cls(type, shape, {}), counts.format
        arrays = {
            (k, array): tensor.code.value(
                Memory(counts.tensor.levels[k][array], array, constant=True),
                array_type(array_element(format, k, array)),
            )
            for k, array in level_arrays(format)
        }
        make_room(tensor.emitted, len(format.levels), arrays, tensor._array(counts))
        tensor.code.run()
        return tensor

    def _array(self, query: StoredTensor) -> SSAValue:
        return self.code.value(Memory(query.tensor.vals, "a query", constant=True), array_type(i64))

    def perform(self, op: Operation) -> list[Any]:
        """What an op of the assembly dialect on `handle` does; gives its results."""
        return self.code.run(*MEANINGS[type(op)](self.emitted, op))

    # Walking what there is already

    def _level(self, k: int, ancestors: Sequence[int]) -> LevelAssembly:
        return replace(
            self.emitted.level(k), ancestors=tuple(self.code.index(c) for c in ancestors)
        )

    def count(self, k: int) -> int:
        (count,) = self.code.numbers(self.emitted.parents(k + 1))
        return count

    def pos_bounds(self, k: int, parent: int, ancestors: Sequence[int]) -> tuple[int, int]:
        level = self._level(k, ancestors)
        bounds = self.emitted.kind(k).pos_bounds(level, self.code.index(parent))
        begin, end = self.code.numbers(*bounds)
        return begin, end

    def pos_access(self, k: int, position: int, ancestors: Sequence[int]) -> int:
        level = self._level(k, ancestors)
        coordinate = self.emitted.kind(k).pos_access(level, self.code.index(position))
        return self.code.numbers(coordinate)[0]

    def pos_found(self, k: int, position: int) -> bool:
        found = self.emitted.kind(k).pos_found(self._level(k, ()), self.code.index(position))
        return bool(self.code.numbers(found)[0])

    def coord_bounds(self, k: int, parent: int, ancestors: Sequence[int]) -> tuple[int, int]:
        level = self._level(k, ancestors)
        bounds = self.emitted.kind(k).coord_bounds(level, self.code.index(parent))
        low, high = self.code.numbers(*bounds)
        return low, high

    def locate(
        self, k: int, parent: int, coordinate: int, ancestors: Sequence[int]
    ) -> tuple[int, bool]:
        level, where = self._level(k, ancestors), map(self.code.index, (parent, coordinate))
        position, found = self.code.numbers(*self.emitted.kind(k).locate(level, *where))
        return position, bool(found)

    # Arrays

    def array(self, k: int, name: str) -> Memory:
        """One of the arrays of a level."""
        return self.code.run(self.emitted.level(k).arrays[name])[0]

    @property
    def values(self) -> Memory:
        """The array of values."""
        return self.code.run(self.emitted.values)[0]

    def load(self, position: int) -> Any:
        return self.values.load(position)

    def store(self, position: int, value: Any) -> None:
        self.values.store(position, plain(value))

    def finish(self) -> Tensor:
        """The tensor, complete, in arrays cut to the length that the levels tell."""
        blocks = [self.array(k, name) for k, name in level_arrays(self.format)]
        return tensor_from_blocks(self.format, self.shape, [*blocks, self.values])


def tensor_from_blocks(format: Format, shape: tuple[int, ...], blocks: Iterable[Memory]) -> Tensor:
    """
    Blocks in documented order, each perhaps too long, as a tensor.

    Raises:
        InterpretationFailure: an element that counts was never written.
    """
    rest: Iterator[Memory] = iter(blocks)
    levels: list[LevelArrays] = []
    positions = 1
    for k, level in enumerate(format.levels):
        kind, (low, size) = storage_kind(level.kind), level_range(format, shape, k)
        found: dict[str, Any] = {}
        stored = StoredLevel(found, size, format.properties(k), f"level {k + 1}", low)
        for name in kind.arrays:
            found[name] = next(rest).first(kind.length(stored, name, positions))
        levels.append(found)
        positions = kind.count(stored, positions)
    return Tensor(format, shape, levels, next(rest).first(positions))


Visit = Callable[[list[int], int], None]


def walk(tensor: Walkable, levels: int) -> Iterator[tuple[int, list[int]]]:
    """Position and coordinates of everything in the first `levels` levels, in order."""
    if levels == 0:
        yield 0, []
        return
    k = levels - 1
    kind = storage_kind(tensor.format.levels[k].kind)
    for parent, above in walk(tensor, k):
        ancestors = above if kind.asks_ancestors else []
        if kind.iterates == "coordinates":
            for coordinate in range(*tensor.coord_bounds(k, parent, ancestors)):
                position, found = tensor.locate(k, parent, coordinate, ancestors)
                if found:
                    yield position, [*above, coordinate]
            continue
        for position in range(*tensor.pos_bounds(k, parent, ancestors)):
            if not kind.skips or tensor.pos_found(k, position):
                yield position, [*above, tensor.pos_access(k, position, ancestors)]
