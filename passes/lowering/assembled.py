"""
Tensors under assembly as arrays, made level by level by the kinds' assembly functions.

All sizes are known before anything is written: edges say how many positions a level has, dense
levels multiply. What a level kind makes is kept per level from one function to the next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Attribute, SSAValue

from tamale.dialects.format.spec import Format
from tamale.passes.emit.emitter import Emitter
from tamale.passes.levels import array_width, storage_kind
from tamale.passes.levels.functions import LevelAssembly, StorageKind
from tamale.passes.levels.made import Made, NotMadeError
from tamale.passes.lowering.level_context import level_numbers
from tamale.passes.lowering.products import check_product
from tamale.passes.lowering.storage import array_element, fill, level_arrays


class AssembledTensor:
    """One tensor under assembly."""

    def __init__(
        self,
        emit: Emitter,
        name: str,
        format: Format,
        dims: Sequence[SSAValue],
        element: Attribute,
        queries: Mapping[int, Mapping[str, SSAValue]],
        workers: int = 1,
    ) -> None:
        self.workers = workers
        self.emit, self.name, self.format, self.dims = emit, name, format, dims
        self.element = element
        self.numbers = [level_numbers(emit, format, dims, k) for k in range(len(format.levels))]
        self._check_coordinates()
        self._values: SSAValue | None = None
        self._counts: dict[int, SSAValue] = {0: emit.constant(1)}
        self._levels = [self._level(k, queries.get(k, {})) for k in range(len(format.levels))]

    # Levels

    def _level(self, k: int, queries: Mapping[str, SSAValue]) -> LevelAssembly:
        numbers = self.numbers[k]
        return LevelAssembly(
            emit=self.emit,
            arrays=Made(),
            size=numbers.size,
            low=numbers.low,
            relation=numbers.relation,
            evaluate=numbers.evaluate,
            queries=Made(queries),
            make=lambda array, length, zeroed: self._make(k, array, length, zeroed=zeroed),
        )

    def level(self, k: int) -> LevelAssembly:
        return self._levels[k]

    def kind(self, k: int) -> StorageKind:
        return storage_kind(self.format.levels[k].kind)

    @property
    def values(self) -> SSAValue:
        if self._values is None:
            what = "the values are needed here, which no assembly.init_values before has made"
            raise NotMadeError(what)
        return self._values

    def parents(self, k: int) -> SSAValue:
        """
        How many positions there are above level k; asked for outside of loops, in the order of
        levels.
        """
        if k not in self._counts:
            above = self.parents(k - 1)
            self._counts[k] = self._size_below(k - 1, above)
        return self._counts[k]

    def _size_below(self, k: int, parents: SSAValue) -> SSAValue:
        emit, kind, level = self.emit, self.kind(k), self.level(k)
        if kind.edges or kind.pads is None or "edges" in kind.extents.values():
            return kind.size_below(level, parents)  # Read off, or that of the parent.
        each = kind.size_below(level, emit.constant(1))
        if k > 0 or "single" not in kind.extents.values():  # That is a count of what there is.
            check_product(emit, parents, each)
        return emit.named(kind.size_below(level, parents), f"{self.name}{k + 1}_count")

    def row(self, k: int, coordinates: Sequence[SSAValue]) -> dict[str, SSAValue]:
        """The results of level k's queries for the coordinates of the levels above."""
        level, emit = self.level(k), self.emit
        names = [f"l{n}" for n in range(k + 1)]
        row: dict[str, SSAValue] = {}
        for query in self.kind(k).queries(self.format.levels[k], names[:-1], names[-1]):
            place = self._place([names.index(name) for name in query.group], coordinates)
            for aggregate in query.aggregates:
                value = emit.as_index(emit.load(level.queries[aggregate.label], place))
                row[aggregate.label] = emit.named(value, aggregate.label)
        return row

    def _place(self, group: Sequence[int], coordinates: Sequence[SSAValue]) -> SSAValue:
        """Where the group of some levels' coordinates is in the results of a query."""
        emit, place = self.emit, self.emit.constant(0)
        for k in group:
            own = emit.sub(coordinates[k], self.numbers[k].low)
            place = emit.add(emit.mul(place, self.numbers[k].size), own)
        return place

    # Arrays

    def _allocate(self, element: Attribute, length: SSAValue, hint: str, *, zeroed: bool):
        emit = self.emit
        count = emit.max(length, emit.constant(1))
        block = emit.allocate(element, count, hint)
        if zeroed:
            fill(emit, block, emit.constant(0, element), count, self.workers)
        return block

    def _make(self, k: int, array: str, length: SSAValue, *, zeroed: bool) -> SSAValue:
        element = array_element(self.format, k, array)
        return self._allocate(element, length, f"{self.name}{k + 1}_{array}", zeroed=zeroed)

    def init_values(self, *, zeroed: bool) -> None:
        """Makes the array of values."""
        count = self.parents(len(self.format.levels))
        self._values = self._allocate(self.element, count, f"{self.name}_vals", zeroed=zeroed)

    def _check_coordinates(self) -> None:
        """Coordinates must fit the arrays that store them."""
        emit = self.emit
        if self.format.crd != "i32":
            return
        for k in range(len(self.format.levels)):
            kind = self.kind(k)
            if any(array_width(self.format, k, array) == "i32" for array in kind.arrays) and any(
                kind.extents[array] not in ("edges", "single") for array in kind.arrays
            ):
                numbers = self.numbers[k]
                end = emit.add(numbers.low, numbers.size)
                limit = emit.constant(1 << 31)
                emit.check(emit.compare("sle", end, limit), "size overflow")

    @property
    def arrays(self) -> dict[tuple[int, str], SSAValue]:
        """(level, array) -> the array, in documented order."""
        return {(k, a): self._levels[k].arrays[a] for k, a in level_arrays(self.format)}

    def stored(self) -> list[SSAValue]:
        """The arrays in documented order."""
        return [*self.arrays.values(), self.values]
