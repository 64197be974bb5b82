"""Coordinates and values into a format: sorted, duplicates added up where the format is unique."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamale.dialects.errors import FormatError
from tamale.dialects.format.spec import Format
from tamale.frontend.dtypes import INDEX_TYPES
from tamale.frontend.tensor import LevelArrays, Tensor
from tamale.passes.levels import array_width, storage_kind


def pack(
    coordinates: Sequence[NDArray[Any]],
    vals: NDArray[Any],
    shape: Sequence[int],
    format: Format,
) -> Tensor:
    """
    Stores entries in a format.

    Args:
        coordinates: per mode, the coordinate of every entry, shape `(nnz,)`, in any order.
        vals: the value of every entry, shape `(nnz,)`.
        shape: dimension sizes.
        format: how to store them, one plain mode per level.

    Raises:
        FormatError: a coordinate lies outside of its dimension, or a count does not fit the
        format's
            positions or coordinates.
    """
    _check_coordinates(coordinates, shape)
    columns = [np.asarray(coordinates[mode], dtype=np.int64) for mode in format.mode_order]
    columns, vals = _sorted(columns, vals)
    if all(format.properties(k).unique for k in range(len(columns))) or _last_is_unique(format):
        columns, vals = _add_duplicates(columns, vals)
    levels: list[LevelArrays] = []
    parents, count = np.zeros(len(vals), dtype=np.int64), 1
    for k, (level, column) in enumerate(zip(format.levels, columns, strict=True)):
        size = shape[format.mode_order[k]]
        packed = storage_kind(level.kind).pack(format.properties(k), size, (parents, count), column)
        levels.append(_narrow(packed.arrays, format, k))
        parents, count = packed.positions, packed.count
    stored = np.zeros(count, dtype=vals.dtype)
    stored[parents] = vals
    return Tensor(format, shape, levels, stored)


def _check_coordinates(coordinates: Sequence[NDArray[Any]], shape: Sequence[int]) -> None:
    for mode, (column, size) in enumerate(zip(coordinates, shape, strict=True)):
        if len(column) and (column.min() < 0 or column.max() >= size):
            k = int(((column < 0) | (column >= size)).nonzero()[0][0])
            raise FormatError(
                f"tensor: entry {k} has coordinate {column[k]} in mode {mode + 1}, outside of its "
                f"dimension size {size}"
            )


def _last_is_unique(format: Format) -> bool:
    return bool(format.levels) and format.properties(len(format.levels) - 1).unique


def _sorted(
    columns: list[NDArray[np.int64]], vals: NDArray[Any]
) -> tuple[list[NDArray[np.int64]], NDArray[Any]]:
    if not columns or _is_sorted(columns):
        return columns, vals
    order = np.lexsort(columns[::-1])
    return [column[order] for column in columns], vals[order]


def _is_sorted(columns: list[NDArray[np.int64]]) -> bool:
    equal = np.ones(max(len(columns[0]) - 1, 0), dtype=np.bool_)
    for column in columns:
        if np.any(equal & (column[1:] < column[:-1])):
            return False
        equal &= column[1:] == column[:-1]
    return True


def _add_duplicates(
    columns: list[NDArray[np.int64]], vals: NDArray[Any]
) -> tuple[list[NDArray[np.int64]], NDArray[Any]]:
    """Sums values of equal coordinates, in the value type; f32 and its complex twin in double."""
    first = np.ones(len(vals), dtype=np.bool_)
    if columns:
        first[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    elif len(vals):
        first[1:] = False
    if first.all():
        return columns, vals
    wide = {np.dtype(np.float32): np.float64, np.dtype(np.complex64): np.complex128}
    starts = first.nonzero()[0]
    total = np.add.reduceat(vals.astype(wide.get(vals.dtype, vals.dtype)), starts)
    return [column[first] for column in columns], total.astype(vals.dtype)


def _narrow(arrays: LevelArrays, format: Format, k: int) -> LevelArrays:
    """The arrays in the format's widths, checked before anything wraps."""
    narrow: dict[str, NDArray[np.integer[Any]]] = {}
    for name, array in arrays.items():
        dtype = np.dtype(INDEX_TYPES[array_width(format, k, name)])
        if len(array) and int(array.max()) > np.iinfo(dtype).max:
            raise FormatError(
                f"tensor: {name} of level {k + 1} ('{format.levels[k]}') needs "
                f"{int(array.max())}, which "
                f"does not fit {dtype.name}\n  help: ask for 'pos = i64, crd = i64' in the format"
            )
        narrow[name] = np.ascontiguousarray(array, dtype=dtype)
    return narrow
