"""
What a level kind must be able to do, and what it may do with: the interface of every file in this
folder.

A level function builds IR through the emitter it is given; it prints nothing and knows no other
level. The functions on stored arrays (`count`, `check`) run on NumPy arrays when a tensor comes
from outside.

Source: Chou et al., OOPSLA 2018, sec. 3 and 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tamale.dialects.format.kinds import LevelKind
from tamale.dialects.format.level import LevelProperties

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from xdsl.ir import SSAValue

    from tamale.passes.emit.emitter import Emitter


@dataclass(frozen=True)
class LevelStorage:
    """One level of one tensor while its code is being built."""

    emit: Emitter
    arrays: Mapping[str, SSAValue]
    """The level's arrays by the names of its kind."""
    size: SSAValue
    """How many coordinates the level has."""

    def read(self, array: str, position: SSAValue) -> SSAValue:
        """An element as index."""
        return self.emit.as_index(self.emit.load(self.arrays[array], position))

    def write(self, array: str, position: SSAValue, value: SSAValue) -> None:
        """Stores an index in the array's own width; the caller has checked that it fits."""
        memory: Any = self.arrays[array].type
        self.emit.store(self.emit.cast(value, memory.element_type), self.arrays[array], position)


@dataclass(frozen=True)
class Packed:
    """A level made from the entries of a tensor in storage order."""

    arrays: Mapping[str, NDArray[np.integer[Any]]]
    positions: NDArray[np.int64]
    """For each entry: its position in this level."""
    count: int
    """How many positions the level has."""


@dataclass(frozen=True)
class StoredLevel:
    """One level of one tensor in memory."""

    arrays: Mapping[str, NDArray[np.integer[Any]]]
    size: int
    """How many coordinates the level has."""
    properties: LevelProperties
    where: str
    """How messages name the level: `level 2 ('j : compressed') of A`."""


class StorageKind(LevelKind):
    """A level kind with its level functions; subclasses override what their storage can do."""

    extents: ClassVar[Mapping[str, str]] = {}
    """Array -> `positions` (one element per position) or `edges` (one per parent, and one more)."""
    appends: ClassVar[bool] = False
    """Whether entries can be added at the end."""

    def pos_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The positions [begin, end) below a parent position."""
        raise NotImplementedError(f"{self.name}: positions cannot be walked")

    def pos_access(self, level: LevelStorage, position: SSAValue) -> SSAValue:
        """The coordinate at a position."""
        raise NotImplementedError(f"{self.name}: positions cannot be walked")

    def locate(
        self, level: LevelStorage, parent: SSAValue, coordinate: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        """The position of a coordinate below a parent position, and whether it is stored (i1)."""
        raise NotImplementedError(f"{self.name}: coordinates cannot be located")

    def size_below(self, level: LevelStorage, parents: SSAValue) -> SSAValue:
        """How many positions the level has below its first `parents` parent positions."""
        raise NotImplementedError(f"{self.name}: does not say how many positions it has")

    def append_coord(self, level: LevelStorage, position: SSAValue, coordinate: SSAValue) -> None:
        """The entry at `position` has this coordinate."""
        raise NotImplementedError(f"{self.name}: entries cannot be appended")

    def append_edges(
        self,
        level: LevelStorage,
        parent: SSAValue,
        begin: SSAValue,
        end: SSAValue,
        *,
        counted: bool,
    ) -> None:
        """The children of `parent` are [begin, end); counted: store how many, to be summed up."""

    def init_edges(self, level: LevelStorage, parents: SSAValue, *, counted: bool) -> None:
        """Before anything is appended below the first `parents` parent positions."""

    def finish_edges(self, level: LevelStorage, parents: SSAValue, *, counted: bool) -> None:
        """After the last append."""

    def count(self, level: StoredLevel, parents: int) -> int:
        """How many positions the stored level has below `parents` parent positions."""
        raise NotImplementedError(f"{self.name}: does not say how many positions it has")

    def check(self, level: StoredLevel, parents: int) -> None:
        """
        Checks every promise of the level in time linear in its arrays.

        Raises:
            FormatError: with the level, the place and the values that break a promise.
        """

    def pack(
        self,
        properties: LevelProperties,
        size: int,
        parents: tuple[NDArray[np.int64], int],
        coordinates: NDArray[np.int64],
    ) -> Packed:
        """
        Stores entries in this level.

        `parents` has the parent position of every entry and how many there are; entries are sorted
        by the coordinates of this level and those above.
        """
        raise NotImplementedError(f"{self.name}: cannot be made from coordinates")

    def coordinates(
        self, level: StoredLevel, parents: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For every position in order: its parent position and its coordinate."""
        raise NotImplementedError(f"{self.name}: does not list its coordinates")
