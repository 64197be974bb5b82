"""Coordinates and values into dense, compressed and singleton levels, by NumPy: no code is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from brute_force import store_entries
from numpy.typing import NDArray

from tamale.dialects.format.spec import Format
from tamale.frontend.dtypes import INDEX_TYPES
from tamale.frontend.entries import WIDE_TYPES
from tamale.frontend.storage import LevelArrays
from tamale.frontend.tensor import Tensor
from tamale.passes.levels import array_width

PACKED = ("dense", "compressed", "singleton")
Column = NDArray[np.int64]


def store(
    coordinates: Sequence[NDArray[Any]],
    vals: NDArray[Any],
    shape: Sequence[int],
    format: Format,
) -> Tensor:
    """The entries in any format, in the order given where it promises none."""
    ordered = all(format.properties(k).ordered for k in range(len(format.levels)))
    if ordered and is_packed(format):
        return pack(coordinates, vals, shape, format)
    modes = list(zip(*(column.tolist() for column in coordinates), strict=True))
    return store_entries(modes, vals, shape, format)


def is_packed(format: Format) -> bool:
    """Whether the levels store plain modes, in arrays that have nothing but entries."""
    return format.is_permutation and all(level.kind in PACKED for level in format.levels)


def pack(
    coordinates: Sequence[NDArray[Any]],
    vals: NDArray[Any],
    shape: Sequence[int],
    format: Format,
) -> Tensor:
    """The entries in a format, sorted; duplicates are added up where the format is unique."""
    columns = [np.asarray(coordinates[mode], dtype=np.int64) for mode in format.mode_order]
    order = np.lexsort(columns[::-1]) if columns else np.arange(len(vals))
    columns, vals = [column[order] for column in columns], vals[order]
    unique = [format.properties(k).unique for k in range(len(columns))]
    if all(unique) or unique[-1]:
        columns, vals = _add_duplicates(columns, vals)
    levels: list[LevelArrays] = []
    parents, count = np.zeros(len(vals), dtype=np.int64), 1
    for k, column in enumerate(columns):
        size = shape[format.mode_order[k]]
        arrays, parents, count = _level(format, k, size, (parents, count), column)
        levels.append(
            {
                name: array.astype(INDEX_TYPES[array_width(format, k, name)])
                for name, array in arrays.items()
            }
        )
    stored = np.zeros(count, dtype=vals.dtype)
    stored[parents] = vals
    return Tensor(format, shape, levels, stored)


def _level(
    format: Format, k: int, size: int, parents: tuple[Column, int], column: Column
) -> tuple[dict[str, Column], Column, int]:
    """A level's arrays, the position of every entry in it, and how many positions it has."""
    above, count = parents
    kind = format.levels[k].kind
    if kind == "dense":
        return {}, above * size + column, count * size
    if kind == "singleton":
        return {"crd": column}, above, count
    assert kind == "compressed", kind
    first = np.ones(len(column), dtype=np.bool_)
    if format.properties(k).unique:
        first[1:] = (above[1:] != above[:-1]) | (column[1:] != column[:-1])
    per_parent = np.bincount(above[first], minlength=count)
    pos = np.concatenate(([0], np.cumsum(per_parent))).astype(np.int64)
    return {"pos": pos, "crd": column[first]}, np.cumsum(first) - 1, int(pos[-1])


def _add_duplicates(columns: list[Column], vals: NDArray[Any]) -> tuple[list[Column], NDArray[Any]]:
    first = np.ones(len(vals), dtype=np.bool_)
    first[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0) if columns else 0
    if first.all():
        return columns, vals
    wide = vals.astype(WIDE_TYPES.get(vals.dtype.name, vals.dtype.name))
    total = np.add.reduceat(wide, first.nonzero()[0])
    return [column[first] for column in columns], total.astype(vals.dtype)
