"""What a picture shows of a tensor: the tree of its coordinates, and one entry's way through it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamale.dialects.errors import TamaleError
from tamale.frontend.levels import inside, positions, walked
from tamale.frontend.naming import shown
from tamale.frontend.tensor import Tensor
from tamale.passes.levels import storage_kind

MOST_COORDINATES = 32
"""The largest dimension size that is drawn."""

MOST_POSITIONS = 256
"""The largest number of positions of one level that is drawn."""


@dataclass(frozen=True)
class LevelTree:
    """One level of the hierarchy: every position with its parent and its coordinate."""

    owners: NDArray[np.int64]
    coordinates: NDArray[np.int64]


@dataclass(frozen=True)
class Storage:
    """A tensor that is small enough to be drawn."""

    tensor: Tensor

    def __post_init__(self) -> None:
        shape = " x ".join(map(str, self.tensor.shape)) or "a number"
        name = f"draw: the tensor ({shape}, {shown(self.tensor.format)})"
        if self.tensor.order == 0:
            raise TamaleError(f"{name} has no coordinates")
        if max(self.tensor.shape) > MOST_COORDINATES:
            raise TamaleError(
                f"{name} is too large to be drawn: dimension sizes may be up to {MOST_COORDINATES}"
                "\n  help: draw a corner of it"
            )
        most = max(len(level.owners) for level in self.tree)
        if most > MOST_POSITIONS:
            raise TamaleError(
                f"{name} is too large to be drawn: it has a level of {most} positions, more than "
                f"{MOST_POSITIONS}\n  help: draw a corner of it"
            )

    @cached_property
    def tree(self) -> tuple[LevelTree, ...]:
        """The levels, outermost first."""
        return tuple(self._levels())

    def _levels(self) -> Iterator[LevelTree]:
        for k, stored, parents in walked(self.tensor):
            kind = storage_kind(self.tensor.format.levels[k].kind)
            count = kind.count(stored, parents)
            if count > MOST_POSITIONS:  # Refused by the caller; not worth listing.
                yield LevelTree(np.zeros(count, np.int64), np.zeros(count, np.int64))
                return
            yield LevelTree(*kind.coordinates(stored, parents))

    @cached_property
    def coordinates(self) -> tuple[NDArray[np.int64], ...]:
        """Per mode: the coordinate of every value."""
        return positions(self.tensor)[0]

    @cached_property
    def is_entry(self) -> NDArray[np.bool_]:
        """For every value: whether it belongs to an entry, zeros left out where formats pad."""
        _, present = positions(self.tensor)
        within = inside(self.coordinates, self.tensor.shape)
        found = np.ones(len(self.tensor.vals), np.bool_)
        for mask in (present, within):
            found = found if mask is None else found & mask
        kept = len(self.tensor.nonzeros()[1])
        return found if int(found.sum()) == kept else found & (self.tensor.vals != 0)

    @cached_property
    def path(self) -> tuple[int, ...]:
        """The highlighted entry: its position in every level; empty if there is no entry."""
        entries = self.is_entry.nonzero()[0]
        if not len(entries):
            return ()
        way = [int(entries[len(entries) // 2])]
        for level in reversed(self.tree[1:]):
            way.append(int(level.owners[way[-1]]))
        return tuple(reversed(way))

    @cached_property
    def used(self) -> tuple[NDArray[np.bool_], ...]:
        """Per level: the positions that have an entry below them."""
        masks = [self.is_entry]
        for level, below in zip(self.tree[-2::-1], self.tree[:0:-1], strict=True):
            mask = np.zeros(len(level.owners), np.bool_)
            mask[below.owners[masks[-1]]] = True
            masks.append(mask)
        return tuple(reversed(masks))

    def chosen_elements(self, k: int, array: str) -> tuple[int, ...]:
        """The elements of one of level k's arrays that the highlighted entry is about."""
        if not self.path:
            return ()
        kind = storage_kind(self.tensor.format.levels[k].kind)
        position, parent = self.path[k], self.path[k - 1] if k else 0
        match kind.extents[array]:
            case "positions":
                return (position,)
            case "edges":
                return (parent, parent + 1)
            case "parents":
                return (parent,)
            case "single":
                return (0,)
            case "size":
                stored: Any = self.tensor.levels[k][array]
                own = self.tree[k].coordinates[position]
                return tuple((stored == own).nonzero()[0].tolist()[:1])
