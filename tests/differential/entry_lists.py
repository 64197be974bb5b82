"""What conversions are tested on: entries in any order, twice, zero, or not a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.spec import Format, mode_names
from tamale.frontend.dtypes import INDEX_TYPES
from tamale.frontend.tensor import Tensor
from tamale.passes.levels import is_padded

Array = NDArray[Any]


def any_list(order: int) -> Format:
    """A list of entries in any order, in which coordinates may come again."""
    first, *others = mode_names(order)
    levels = [
        f"{first} : compressed(nonunique, nonordered)",
        *(f"{mode} : singleton(nonunique, nonordered)" for mode in others),
    ]
    return resolve_format(f"({', '.join([first, *others])}) -> ({', '.join(levels)})")


@dataclass(frozen=True)
class EntryList:
    """Entries of a tensor as they come."""

    label: str
    shape: tuple[int, ...]
    coordinates: Array
    """A row per entry."""
    values: Array

    @property
    def dense(self) -> Array:
        """The tensor; equal coordinates are added up."""
        dense = np.zeros(self.shape, self.values.dtype)
        np.add.at(dense, tuple(self.coordinates.T), self.values)
        return dense

    def chosen(self, mask: Array) -> EntryList:
        """Only some of the entries."""
        return EntryList(self.label, self.shape, self.coordinates[mask], self.values[mask])

    @property
    def lower(self) -> EntryList:
        """The entries up to the diagonal, which skyline holds."""
        rows, columns = self.coordinates.T[:2]
        return self.chosen(columns <= rows)

    def as_list(self) -> Tensor:
        """A tensor in a format that promises nothing: any order, equal coordinates."""
        format = any_list(len(self.shape))
        crd = INDEX_TYPES[format.crd]
        columns = [np.ascontiguousarray(column, crd) for column in self.coordinates.T]
        pos = np.array([0, len(self.values)], INDEX_TYPES[format.pos])
        levels = [{"pos": pos, "crd": columns[0]}, *({"crd": column} for column in columns[1:])]
        return Tensor(format, self.shape, levels, self.values)


def random_entries(
    random: np.random.Generator, shape: Sequence[int], dtype: str = "float64"
) -> EntryList:
    """Few or many entries, unsorted; some twice, some zero."""
    space = int(np.prod(shape))
    count = int(random.integers(0, space + 1)) if space else 0
    places = random.choice(space, count, replace=False) if space else np.zeros(0, np.int64)
    twice = random.choice(places, count // 4) if count else places
    flat = np.concatenate([places, twice]).astype(np.int64)
    random.shuffle(flat)
    coordinates = (
        np.stack(np.unravel_index(flat, shape), axis=1) if space else flat.reshape(0, len(shape))
    )
    values = random.integers(-4, 9, len(flat)).astype(dtype)
    if dtype.startswith("complex"):
        values = values + 1j * random.integers(-2, 3, len(flat))
    return EntryList(f"random {tuple(shape)}", tuple(shape), coordinates, values.astype(dtype))


def unlike(result: Tensor, source: Tensor, expected: Array) -> str:
    """
    What is wrong with the result of converting `source`, whose values are `expected`; or nothing.

    A result without padding has the source's entries, explicit zeros included; of a padded source,
    those that are not zero.
    """
    result.check()
    found = result.to_numpy()
    if found.dtype != expected.dtype or not np.array_equal(found, expected, equal_nan=True):
        return f"wrong values: got\n{found}\nexpected\n{expected}"
    if is_padded(result.format):
        return ""
    got, wanted = (structure(tensor, expected.shape) for tensor in (result, source))
    if not np.array_equal(got, wanted):
        return f"wrong entries: got\n{got}\nexpected\n{wanted}"
    return ""


def structure(tensor: Tensor, shape: Sequence[int]) -> Array:
    """Which coordinates have an entry."""
    mask = np.zeros(shape, np.bool_)
    mask[tuple(tensor.nonzeros()[0])] = True
    return mask


def unlike_entries(result: Tensor, source: Tensor) -> str:
    """As `unlike`, of tensors without duplicates or zeros that are too large to be made dense."""
    got, wanted = (listed(tensor) for tensor in (result, source))
    return "" if got == wanted else f"wrong entries: got\n{got}\nexpected\n{wanted}"


def listed(tensor: Tensor) -> list[tuple[Any, ...]]:
    """The entries that are not zero: coordinates and value, in their order."""
    columns, vals = tensor.nonzeros()
    entries = zip(*(column.tolist() for column in columns), vals.tolist(), strict=True)
    return sorted(entry for entry in entries if entry[-1] != 0)
