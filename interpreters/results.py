"""Results of cin and of lattices: elements of a dense array, or entries in the order they come."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tamale.dialects.format.spec import Format
from tamale.dialects.operators import HIGHEST, LOWEST, Number, operator_named
from tamale.frontend.dtypes import INDEX_TYPES
from tamale.frontend.libraries.dense import from_numpy
from tamale.frontend.storage import LevelArrays
from tamale.frontend.tensor import Tensor
from tamale.interpreters.memory import InterpretationFailure, wrapped
from tamale.passes.levels import array_width


def identity(operator: str, dtype: np.dtype[Any]) -> Number:
    """What a reduction starts from, in an element type."""
    value = operator_named(operator).reduction_identity
    assert value is not None
    if dtype.kind in "iu" and value in (LOWEST, HIGHEST):
        limits = np.iinfo(dtype)
        return int(limits.min if value == LOWEST else limits.max)
    return value


def element(value: Number, dtype: np.dtype[Any]) -> Any:
    """A number in an element type; integers wrap around, and clamp where they were infinite."""
    if dtype.kind in "iu":
        real = value.real
        if math.isinf(real):
            return np.iinfo(dtype).max if real > 0 else np.iinfo(dtype).min
        return wrapped(int(real), dtype)
    return dtype.type(value)


@dataclass
class DenseElements:
    """A result that exists in full; every element starts from `start`."""

    format: Format
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    start: Number
    values: Any = field(init=False)

    def __post_init__(self) -> None:
        self.values = np.full(self.shape, element(self.start, self.dtype), self.dtype)

    def write(self, place: tuple[int, ...], operator: str | None, value: Number) -> None:
        """Assigns to, or combines with, the element at these coordinates of the modes."""
        if operator is not None:
            value = operator_named(operator).apply(self.values[place].item(), value)
        self.values[place] = element(value, self.dtype)

    def finish(self) -> Tensor:
        """The result in its format's order."""
        return from_numpy(self.values, self.format)


@dataclass
class AppendedEntries:
    """
    A result that stores what it is given, at coordinates of its levels: sums in a format that may
    repeat coordinates term by term, else one entry at each place.
    """

    format: Format
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    entries: dict[tuple[int, ...], list[Number]] = field(
        default_factory=dict[tuple[int, ...], list[Number]]
    )
    absent: dict[tuple[int, ...], Number] = field(default_factory=dict[tuple[int, ...], Number])
    """Combined values of places that have no entry so far."""
    scattered: bool = False
    """Whether entries come in whatever order."""

    def write(
        self, place: tuple[int, ...], operator: str | None, value: Number, *, stored: bool
    ) -> None:
        """
        Adds an entry, or combines with what came to these coordinates of the levels. What is not
        `stored` counts where it is combined, as 0 does in a minimum, but is no entry.
        """
        self.scattered |= operator is not None
        if self.format.may_repeat and operator in (None, "add"):
            if stored:
                self.entries.setdefault(place, []).append(value)
            return
        if operator is not None:
            old = self.absent.pop(place, identity(operator, self.dtype))
            (old,) = self.entries.get(place, [old])
            value = operator_named(operator).apply(old, value)
        if stored or place in self.entries:
            self.entries[place] = [value]
        elif operator is not None:
            self.absent[place] = value

    def finish(self) -> Tensor:
        """
        The result in storage.

        Raises:
            InterpretationFailure: the entries did not come in the order of storage.
        """
        order = sorted(self.entries) if self.scattered else list(self.entries)
        entries = [(place, value) for place in order for value in self.entries[place]]
        values = [element(value, self.dtype) for _, value in entries]
        places = [place for place, _ in entries]
        return packed(self.format, self.shape, places, np.array(values, self.dtype))


def packed(
    format: Format, shape: Sequence[int], places: Sequence[tuple[int, ...]], vals: Any
) -> Tensor:
    """
    Entries, each at the coordinates of its levels, as dense, compressed and singleton levels.

    Raises:
        InterpretationFailure: a level is of another kind, or entries do not come parent by parent.
    """
    last = format.tail if format.has_tail else len(format.levels)
    entries = list(places)
    if format.has_tail:
        entries = list(dict.fromkeys(place[:last] for place in places))
    parents, count = [0] * len(entries), 1
    levels: list[LevelArrays] = []
    for k in range(last):
        column = [entry[k] for entry in entries]
        arrays, parents, count = _packed_level(format, shape, k, (parents, count), column)
        levels.append(
            {
                name: np.array(array, INDEX_TYPES[array_width(format, k, name)])
                for name, array in arrays.items()
            }
        )
    levels += [{}] * (len(format.levels) - last)
    if format.has_tail:
        position = dict(zip(entries, parents, strict=True))
        parents = [position[place[:last]] for place in places]
    tail = (shape[mode] for mode in format.stored_modes[last:] if mode is not None)
    blocks = np.zeros((count, *tail), vals.dtype)
    for parent, place, value in zip(parents, places, vals, strict=True):
        blocks[(parent, *place[last:])] = value
    return Tensor(format, shape, levels, blocks.reshape(-1))


def _packed_level(
    format: Format, shape: Sequence[int], k: int, above: tuple[list[int], int], column: list[int]
) -> tuple[dict[str, list[int]], list[int], int]:
    """A level's arrays, the position of every entry in it, and how many positions it has."""
    parents, count = above
    match format.levels[k].kind:
        case "dense" if (mode := format.stored_modes[k]) is not None:
            size = shape[mode]
            own = [parent * size + c for parent, c in zip(parents, column, strict=True)]
            return {}, own, count * size
        case "singleton":
            return {"crd": column}, parents, count
        case "compressed":
            if parents != sorted(parents):
                raise InterpretationFailure(
                    f"interpret: entries of '{format}' do not come in the order of level {k + 1}"
                )
            return _compressed(parents, count, column, unique=format.properties(k).unique)
        case kind:
            raise InterpretationFailure(f"interpret: '{kind}' levels are not appended to")


def _compressed(
    parents: list[int], count: int, column: list[int], *, unique: bool
) -> tuple[dict[str, list[int]], list[int], int]:
    pos, crd, own = [0] * (count + 1), list[int](), list[int]()
    last: tuple[int, int] | None = None
    for key in zip(parents, column, strict=True):
        if not unique or key != last:
            crd.append(key[1])
            pos[key[0] + 1] += 1
        own.append(len(crd) - 1)
        last = key
    return {"pos": np.cumsum(pos).tolist(), "crd": crd}, own, len(crd)
