"""
Tensors in storage as level functions see them, told from their arrays by NumPy.

What a level's positions are, below which parent and at which coordinate, is read off the arrays
once; every level function follows from that, whatever the level's kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tamale.dialects.format.spec import Format
from tamale.frontend.levels import level_coordinates, level_range, mode_coordinates, walked
from tamale.frontend.tensor import Tensor
from tamale.interpreters.memory import InterpretationFailure
from tamale.passes.levels import storage_kind

Children = dict[int, list[int]]
"""Coordinate -> its positions below one parent, in order."""


class Walkable(Protocol):
    """What level functions ask of a tensor: given, or under assembly. Levels count from 0."""

    @property
    def format(self) -> Format: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    def count(self, k: int) -> int:
        """How many positions level k has."""
        ...

    def pos_bounds(self, k: int, parent: int, ancestors: Sequence[int]) -> tuple[int, int]:
        """The positions below a parent position."""
        ...

    def pos_access(self, k: int, position: int, ancestors: Sequence[int]) -> int:
        """The coordinate at a position."""
        ...

    def pos_found(self, k: int, position: int) -> bool:
        """Whether a position holds an entry."""
        ...

    def coord_bounds(self, k: int, parent: int, ancestors: Sequence[int]) -> tuple[int, int]:
        """The coordinates below a parent position."""
        ...

    def locate(
        self, k: int, parent: int, coordinate: int, ancestors: Sequence[int]
    ) -> tuple[int, bool]:
        """The position of a coordinate, and whether it is stored."""
        ...

    def load(self, position: int) -> Any:
        """The value at a position of the last level."""
        ...

    def store(self, position: int, value: Any) -> None:
        """Writes the value at a position of the last level."""
        ...


@dataclass(frozen=True)
class Positions:
    """The positions of one level: whose child each is, its coordinate, whether it is in use."""

    owners: NDArray[np.int64]
    coordinates: NDArray[np.int64]
    found: NDArray[np.bool_] | None
    low: int
    size: int

    @cached_property
    def children(self) -> dict[int, Children]:
        """Parent -> its children; without positions that are not in use."""
        tree: dict[int, Children] = {}
        for position, (owner, coordinate) in enumerate(
            zip(self.owners.tolist(), self.coordinates.tolist(), strict=True)
        ):
            if self.found is None or self.found[position]:
                tree.setdefault(owner, {}).setdefault(coordinate, []).append(position)
        return tree

    @cached_property
    def segments(self) -> dict[int, tuple[int, int]]:
        """Parent -> its first position and the one after its last."""
        starts: dict[int, tuple[int, int]] = {}
        for position, owner in enumerate(self.owners.tolist()):
            first, end = starts.get(owner, (position, position))
            if end != position:
                raise InterpretationFailure("interpret: the children of a parent do not adjoin")
            starts[owner] = first, position + 1
        return starts


class StoredTensor:
    """A tensor that is only read."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor

    @property
    def format(self) -> Format:
        return self.tensor.format

    @property
    def shape(self) -> tuple[int, ...]:
        return self.tensor.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.tensor.dtype

    @cached_property
    def levels(self) -> list[Positions]:
        """The positions of each level, outermost first."""
        levels: list[Positions] = []
        for k, stored, parents in walked(self.tensor):
            kind = storage_kind(self.format.levels[k].kind)
            owners, coordinates = kind.coordinates(stored, parents)
            found = kind.found(stored, parents)
            low, size = level_range(self.format, self.shape, k)
            levels.append(Positions(owners, coordinates, found, low, size))
        return levels

    def count(self, k: int) -> int:
        return len(self.levels[k].owners)

    def pos_bounds(self, k: int, parent: int, ancestors: Sequence[int]) -> tuple[int, int]:
        self._check_parent(k, parent)
        return self.levels[k].segments.get(parent, (0, 0))

    def pos_access(self, k: int, position: int, ancestors: Sequence[int]) -> int:
        self._check_position(k, position)
        return int(self.levels[k].coordinates[position])

    def pos_found(self, k: int, position: int) -> bool:
        self._check_position(k, position)
        found = self.levels[k].found
        return found is None or bool(found[position])

    def coord_bounds(self, k: int, parent: int, ancestors: Sequence[int]) -> tuple[int, int]:
        self._check_parent(k, parent)
        begin, end = self.levels[k].segments.get(parent, (0, 0))
        own, found = self.levels[k].coordinates[begin:end], self.levels[k].found
        if found is not None and storage_kind(self.format.levels[k].kind).follows:
            own = own[found[begin:end]]
        return (int(own.min()), int(own.max()) + 1) if len(own) else (0, 0)

    def locate(
        self, k: int, parent: int, coordinate: int, ancestors: Sequence[int]
    ) -> tuple[int, bool]:
        self._check_parent(k, parent)
        begin, end = self.levels[k].segments.get(parent, (0, 0))
        places = (self.levels[k].coordinates[begin:end] == coordinate).nonzero()[0]
        if not len(places):
            return 0, False
        position = begin + int(places[0])
        return position, self.pos_found(k, position)

    def below(self, k: int, parents: int) -> int:
        """How many positions level k has below the first positions of the level above."""
        if parents:
            self._check_parent(k, parents - 1)
        return int(np.searchsorted(self.levels[k].owners, parents))

    def rank(self, k: int, begin: int, end: int, coordinate: int) -> int:
        """Where in [begin, end) a walk has come to before a coordinate."""
        if end > begin:
            self._check_position(k, begin)
            self._check_position(k, end - 1)
        before = self.levels[k].coordinates[begin:end] < coordinate
        return begin + int(np.count_nonzero(before))

    def load(self, position: int) -> Any:
        self._check_position(len(self.format.levels) - 1, position)
        return self.tensor.vals[position]

    def store(self, position: int, value: Any) -> None:
        raise InterpretationFailure("interpret: an operand is only read, but a value is stored")

    def _check_parent(self, k: int, parent: int) -> None:
        if k:
            self._check_position(k - 1, parent)

    def _check_position(self, k: int, position: int) -> None:
        count = self.count(k) if k >= 0 else 1
        if not 0 <= position < count:
            raise InterpretationFailure(
                f"interpret: position {position} of level {k}, which has {count}"
            )

    def nonzeros(self) -> list[tuple[tuple[int, ...], Any]]:
        """Coordinates and value of every entry, in the order of storage; see `Tensor.nonzeros`."""
        columns, vals = self.tensor.nonzeros()
        rows = zip(*(c.tolist() for c in columns), strict=True) if columns else ((),) * len(vals)
        return list(zip(rows, vals, strict=True))

    def mode_columns(self) -> tuple[NDArray[np.int64], ...]:
        """The coordinates of every position, padding included."""
        return mode_coordinates(self.format, level_coordinates(self.tensor)[0])
