"""
Results under assembly as the level functions of cfir leave them.

A result that appends knows how much room there is, which edges were written and which entries are
complete: to append beyond the room, to leave out edges or to close a result with half an entry is
an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamale.dialects.format.spec import Format
from tamale.frontend.dtypes import INDEX_TYPES
from tamale.frontend.levels import level_range
from tamale.frontend.storage import LevelArrays
from tamale.frontend.tensor import Tensor
from tamale.interpreters.memory import InterpretationFailure, Memory
from tamale.passes.levels import array_width
from tamale.passes.lowering.assembling import Group, result_groups


class Result:
    """What every result under assembly can be asked: its sizes, and its dense outer levels."""

    def __init__(self, format: Format, shape: tuple[int, ...]) -> None:
        self.format, self.shape = format, shape

    def count(self, k: int) -> int:
        return prod(level_range(self.format, self.shape, n)[1] for n in range(k + 1))

    def locate(
        self, k: int, parent: int, coordinate: int, ancestors: Sequence[int]
    ) -> tuple[int, bool]:
        """The position below a dense level."""
        low, size = self._dense(k)
        if not low <= coordinate < low + size:
            raise InterpretationFailure(
                f"interpret: coordinate {coordinate} of level {k} of a result, which has {size}"
            )
        return parent * size + coordinate - low, True

    def coord_bounds(self, k: int, parent: int, ancestors: Sequence[int]) -> tuple[int, int]:
        low, size = self._dense(k)
        return low, low + size

    def pos_bounds(self, k: int, parent: int, ancestors: Sequence[int]) -> tuple[int, int]:
        raise InterpretationFailure("interpret: a result is walked before it is finished")

    def pos_access(self, k: int, position: int, ancestors: Sequence[int]) -> int:
        raise InterpretationFailure("interpret: a result is walked before it is finished")

    def pos_found(self, k: int, position: int) -> bool:
        raise InterpretationFailure("interpret: a result is walked before it is finished")

    def _dense(self, k: int) -> tuple[int, int]:
        if self.format.levels[k].kind != "dense":
            raise InterpretationFailure(
                f"interpret: level {k} of '{self.format}' is asked for a coordinate under assembly"
            )
        return level_range(self.format, self.shape, k)


class DenseResult(Result):
    """A result that exists in full; elements have no value until they are written, or filled."""

    def __init__(self, format: Format, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        super().__init__(format, shape)
        self.values = Memory(np.zeros(prod(shape), dtype), "a dense result", written=False)

    def fill(self, value: Any) -> None:
        """Sets every element."""
        for place in range(len(self.values.array)):
            self.values.store(place, value)

    def load(self, position: int) -> Any:
        return self.values.load(position)

    def store(self, position: int, value: Any) -> None:
        self.values.store(position, value)

    def finish(self) -> Tensor:
        """The result; every element has been written."""
        if not self.values.written.all():
            place = int((~self.values.written).nonzero()[0][0])
            raise InterpretationFailure(f"interpret: element {place} of a result is never written")
        return Tensor(self.format, self.shape, [{} for _ in self.format.levels], self.values.array)


class AppendedResult(Result):
    """
    A result that grows: groups of levels that share positions, entries one after the other.

    The first group has `parents`, or all positions of the dense levels above.
    """

    def __init__(
        self,
        format: Format,
        shape: tuple[int, ...],
        dtype: np.dtype[Any],
        rooms: Sequence[int],
        *,
        counted: bool,
        parents: int | None = None,
    ) -> None:
        super().__init__(format, shape)
        self.dtype, self.counted, self.parents = dtype, counted, parents
        self.groups = {group.first: group for group in result_groups(format) if not group.dense}
        self.lengths = dict.fromkeys(self.groups, 0)
        self.rooms = dict(zip(self.groups, rooms, strict=True))
        self.coordinates: dict[int, dict[int, int]] = {k: {} for k in range(len(format.levels))}
        self.edges: dict[int, dict[int, tuple[int, int]]] = {first: {} for first in self.groups}
        self.values: dict[int, Any] = {}

    def _group(self, k: int) -> Group:
        """The group that level k is in."""
        return next(g for g in reversed(self.groups.values()) if g.first <= k <= g.last)

    def position(self, k: int) -> int:
        """The position of the next entry."""
        return self.lengths[k]

    def reserve(self, k: int, more: int) -> None:
        """Makes room."""
        self.rooms[k] = max(self.rooms[k], self.lengths[k] + more)

    def append_coord(self, k: int, position: int, coordinate: int) -> None:
        """The entry at a position has this coordinate."""
        self._check_room(self._group(k), position)
        self.coordinates[k][position] = coordinate

    def append_edges(self, k: int, parent: int, begin: int, end: int) -> None:
        """The children of a parent."""
        self.edges[k][parent] = begin, end

    def advance(self, k: int) -> None:
        """The entry at the current position is complete."""
        self._check_room(self._group(k), self.lengths[k])
        self.lengths[k] += 1

    def load(self, position: int) -> Any:
        if position not in self.values:
            raise InterpretationFailure(f"interpret: value {position} is read before written")
        return self.values[position]

    def store(self, position: int, value: Any) -> None:
        self._check_room(self._group(self.format.tail - 1), position // max(self.block, 1))
        self.values[position] = value

    @property
    def block(self) -> int:
        """How many values each entry has."""
        tail = range(self.format.tail, len(self.format.levels))
        return prod(level_range(self.format, self.shape, k)[1] for k in tail)

    def _check_room(self, group: Group, position: int) -> None:
        if not 0 <= position < self.rooms[group.first]:
            raise InterpretationFailure(
                f"interpret: position {position} of level {group.first} of a result, where "
                f"{self.rooms[group.first]} have room"
            )

    # Closing

    def finish(self) -> Tensor:
        """The result in storage."""
        levels, vals = self.stored()
        return Tensor(self.format, self.shape, levels, vals)

    def stored(self) -> tuple[list[LevelArrays], NDArray[Any]]:
        """The arrays of all levels, and the values."""
        levels: list[LevelArrays] = []
        parents = 1
        for k, level in enumerate(self.format.levels[: self.format.tail]):
            if level.kind == "dense":
                levels.append({})
                parents = self.count(k) if self.parents is None else self.parents
                continue
            group, arrays = self._group(k), dict[str, list[int]]()
            if k == group.first:
                arrays["pos"] = self._pos(k, parents)
            parents = self.lengths[group.first]
            arrays["crd"] = _sequence(self.coordinates[k], parents, f"coordinate of level {k}")
            levels.append(
                {
                    name: np.array(array, INDEX_TYPES[array_width(self.format, k, name)])
                    for name, array in arrays.items()
                }
            )
        levels += [{}] * (len(self.format.levels) - self.format.tail)
        values = _sequence(self.values, parents * self.block, "value")
        return levels, np.array(values, self.dtype)

    def _pos(self, k: int, parents: int) -> list[int]:
        """Where the children of each parent end; parents may be skipped where edges are counted."""
        pos = [0]
        for parent in range(parents):
            skipped = self.counted and k == min(self.groups)
            if parent not in self.edges[k] and not skipped:
                raise InterpretationFailure(
                    f"interpret: the edges of parent {parent} of level {k} are never written"
                )
            begin, end = self.edges[k].get(parent, (pos[-1], pos[-1]))
            if begin != pos[-1]:
                raise InterpretationFailure(
                    f"interpret: the children of parent {parent} of level {k} begin at {begin}, "
                    f"but those before end at {pos[-1]}"
                )
            pos.append(end)
        return pos


def _sequence(by_position: dict[int, Any], length: int, what: str) -> list[Any]:
    missing = [p for p in range(length) if p not in by_position]
    if missing:
        raise InterpretationFailure(f"interpret: {what} {missing[0]} of a result is never written")
    return [by_position[p] for p in range(length)]
