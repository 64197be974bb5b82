"""
Entries from outside: coordinates in any order, perhaps with duplicates, become a tensor. They are
laid down as they are, as a list of coordinates, and converted.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamale.dialects.errors import FormatError
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.notation import parse_format
from tamale.dialects.format.spec import Format, Width, mode_names
from tamale.frontend.converting import convert
from tamale.frontend.dtypes import INDEX_TYPES
from tamale.frontend.storage import LevelArrays
from tamale.frontend.tensor import Tensor

WIDE_TYPES = {"float32": "float64", "complex64": "complex128"}
"""Types in which sums of duplicates lose too much -> the types to add them up in."""


def from_entries(
    coordinates: Sequence[NDArray[Any]],
    vals: NDArray[Any],
    shape: Sequence[int],
    format: Format | None = None,
) -> Tensor:
    """
    Stores entries in a format; in place where they come in order and no format is asked for.

    Args:
        coordinates: per mode, the coordinate of every entry, shape `(nnz,)`, in any order.
        vals: the value of every entry, shape `(nnz,)`. Values of equal coordinates are added up
            where the format holds coordinates once; float32 in float64.
        shape: dimension sizes.
        format: how to store them; as sorted coordinates by default.

    Raises:
        FormatError: the numbers of coordinates, values and sizes do not fit each other, or a
            coordinate lies outside of its dimension.
        KernelError: the tensor does not fit into the format.
    """
    check_entries(coordinates, vals, shape)
    order = len(shape)
    if ascend(coordinates):
        wide = format is None and {column.dtype.name for column in coordinates} == {"int64"}
        width = "i64" if wide else list_width(len(vals), shape)
        found = _over(coordinates, vals, shape, sorted_format(order, width))
        return found if format is None else convert(found, format)
    format = format or sorted_format(order, list_width(len(vals), shape))
    name = vals.dtype.name
    if name not in WIDE_TYPES:
        return convert(entry_list(coordinates, vals, shape), format)
    summed = convert(entry_list(coordinates, vals.astype(WIDE_TYPES[name]), shape), format)
    with np.errstate(over="ignore"):
        return Tensor(summed.format, summed.shape, summed.levels, summed.vals.astype(name))


def check_entries(
    coordinates: Sequence[NDArray[Any]], vals: NDArray[Any], shape: Sequence[int]
) -> None:
    """
    Every entry has a value and a coordinate in each mode, inside of the dimension sizes.

    Raises:
        FormatError: naming the mode and the entry.
    """
    if len(coordinates) != len(shape):
        raise FormatError(
            f"tensor: entries with {len(coordinates)} coordinates do not fit {len(shape)} sizes"
        )
    for mode, (column, size) in enumerate(zip(coordinates, shape, strict=True), 1):
        if not 0 <= size < 1 << 63:
            raise FormatError(
                f"tensor: mode {mode} has the dimension size {size}; sizes are from 0 to 2^63 - 1"
            )
        if column.shape != vals.shape or column.ndim != 1:
            raise FormatError(
                f"tensor: mode {mode} has coordinates of shape {column.shape}, the values have "
                f"shape {vals.shape}; expected one list of the same length for both"
            )
        if len(column) and (column.min() < 0 or column.max() >= size):
            k = int(((column < 0) | (column >= size)).nonzero()[0][0])
            raise FormatError(
                f"tensor: entry {k} has coordinate {column[k]} in mode {mode}, outside of its "
                f"dimension size {size}"
            )


def entry_list(
    coordinates: Sequence[NDArray[Any]], vals: NDArray[Any], shape: Sequence[int]
) -> Tensor:
    """The entries as a list of coordinates, in place if they have its width."""
    return _over(coordinates, vals, shape, list_format(len(shape), list_width(len(vals), shape)))


def ascend(coordinates: Sequence[NDArray[Any]]) -> bool:
    """Whether entries come in the order of their coordinates, each place once."""
    after: NDArray[np.bool_] = np.zeros(max(len(coordinates[0]) - 1, 0), np.bool_)
    equal = ~after
    for column in coordinates:
        if (equal & (column[1:] < column[:-1])).any():
            return False
        after |= equal & (column[1:] > column[:-1])
        equal &= column[1:] == column[:-1]
    return bool(after.all())


def _over(
    coordinates: Sequence[NDArray[Any]], vals: NDArray[Any], shape: Sequence[int], format: Format
) -> Tensor:
    """A tensor of a list of coordinates over these arrays, as far as they have its width."""
    dtype = np.dtype(INDEX_TYPES[format.crd])
    levels: list[LevelArrays] = [
        {"crd": np.ascontiguousarray(column, dtype=dtype)} for column in coordinates
    ]
    levels[0] = {"pos": np.array([0, len(vals)], INDEX_TYPES[format.pos]), **levels[0]}
    return Tensor(format, shape, levels, np.ascontiguousarray(vals))


def list_width(count: int, shape: Sequence[int]) -> Width:
    """The index width that so many entries of a tensor of these sizes need."""
    return "i32" if max([count, *shape]) <= np.iinfo(np.int32).max else "i64"


@cache
def list_format(order: int, width: Width) -> Format:
    """The format of coordinates in any order, perhaps with duplicates."""
    modes, options = mode_names(order), "(nonunique, nonordered)"
    kinds = ["compressed", *["singleton"] * (order - 1)]
    levels = (f"{mode} : {kind}{options}" for mode, kind in zip(modes, kinds, strict=True))
    line = f"({', '.join(modes)}) -> ({', '.join(levels)})"
    return parse_format(line).with_widths(pos=width, crd=width)


@cache
def sorted_format(order: int, width: Width) -> Format:
    """The format of coordinates in order, each place once."""
    return resolve_format("coo", order).with_widths(pos=width, crd=width)
