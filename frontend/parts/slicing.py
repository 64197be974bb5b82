"""
Tensors cut along a mode, at coordinates: each part is a tensor of the same format whose
coordinates count from where it begins.

Where the outermost level stores the mode, and every level below says by its positions alone what
lies below a parent, a part is made of views; only positions and outermost coordinates are counted
anew. All else is stored again from its entries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamale.frontend.entries import from_entries
from tamale.frontend.levels import Column, stored_level
from tamale.frontend.libraries.dense import from_numpy
from tamale.frontend.storage import LevelArrays
from tamale.frontend.tensor import Tensor
from tamale.passes.levels import storage_kind

SLICED_EXTENTS = {"positions", "edges", "parents"}
"""How long arrays are that have an element for each position, below or above."""


def sliced(tensor: Tensor, modes: Sequence[int], bounds: Sequence[int]) -> list[Tensor]:
    """
    The parts of a tensor.

    Args:
        tensor: what is cut.
        modes: the modes to cut, all at the same coordinates; an entry outside of the diagonal
            blocks that several modes leave is in no part.
        bounds: where parts begin and end, ascending, from 0 to the dimension size.
    """
    format = tensor.format
    if format.is_permutation and tuple(modes) == format.mode_order[:1]:
        parts = _outermost_parts(tensor, modes[0], bounds)
        if parts is not None:
            return parts
    if format.all_dense:
        return _dense_parts(tensor, modes, bounds)
    return _stored_again(tensor, modes, bounds)


def _shape(tensor: Tensor, modes: Sequence[int], size: int) -> list[int]:
    """The dimension sizes of a part that has `size` coordinates in the modes that are cut."""
    return [size if mode in modes else other for mode, other in enumerate(tensor.shape)]


# Views


def _outermost_parts(tensor: Tensor, mode: int, bounds: Sequence[int]) -> list[Tensor] | None:
    """Parts along the mode of the outermost level; None where levels do not allow views."""
    if not all(_positional(tensor, k) for k in range(len(tensor.levels))):
        return None
    level, kind = stored_level(tensor, 0), storage_kind(tensor.format.levels[0].kind)
    if not level.properties.ordered or kind.skips:
        return None
    coordinates = kind.coordinates(level, 1)[1]
    edges = np.searchsorted(coordinates, bounds).tolist()
    parts: list[Tensor] = []
    for (low, high), (begin, end) in zip(pairwise(bounds), pairwise(edges), strict=True):
        shape = _shape(tensor, [mode], high - low)
        outermost = {
            name: _outermost_array(kind.extents[name], array, low, begin, end)
            for name, array in tensor.levels[0].items()
        }
        part = _below(tensor, shape, outermost, begin, end)
        if not _reads_as(part, coordinates[begin:end] - low):
            return None
        parts.append(part)
    return parts


def _positional(tensor: Tensor, k: int) -> bool:
    """Whether what a level stores below a parent depends on the parent's position only."""
    kind = storage_kind(tensor.format.levels[k].kind)
    return not kind.asks_ancestors and set(kind.extents.values()) <= SLICED_EXTENTS


def _outermost_array(extent: str, array: NDArray[Any], low: int, begin: int, end: int) -> Any:
    """An array of the outermost level for its positions [begin, end), coordinates less `low`."""
    if extent == "edges":
        return np.array([0, end - begin], array.dtype)
    return array[begin:end] - array.dtype.type(low) if low else array[begin:end]


def _reads_as(part: Tensor, coordinates: Column) -> bool:
    """Whether the outermost level's own functions find these coordinates in what was made."""
    level, kind = stored_level(part, 0), storage_kind(part.format.levels[0].kind)
    if any(len(a) != kind.length(level, name, 1) for name, a in level.arrays.items()):
        return False
    return np.array_equal(kind.coordinates(level, 1)[1], coordinates)


def _below(
    tensor: Tensor, shape: Sequence[int], outermost: LevelArrays, begin: int, end: int
) -> Tensor:
    """The tensor below the positions [begin, end) of its outermost level."""
    levels = [outermost]
    for k in range(1, len(tensor.levels)):
        kind, level = storage_kind(tensor.format.levels[k].kind), stored_level(tensor, k)
        inside = kind.count(level, begin), kind.count(level, end)
        ends = {"positions": inside, "parents": (begin, end), "edges": (begin, end + 1)}
        levels.append(_level_below(level.arrays, kind.extents, ends))
        begin, end = inside
    return Tensor(tensor.format, shape, levels, tensor.vals[begin:end])


def _level_below(
    arrays: LevelArrays, extents: Mapping[str, Any], ends: Mapping[str, tuple[int, int]]
) -> LevelArrays:
    found: dict[str, Any] = {}
    for name, array in arrays.items():
        begin, end = ends[extents[name]]
        found[name] = array[begin:end]
        if extents[name] == "edges" and array[begin]:
            found[name] = found[name] - array[begin]
    return found


# Copies


def _dense_parts(tensor: Tensor, modes: Sequence[int], bounds: Sequence[int]) -> list[Tensor]:
    array = tensor.to_numpy()
    chosen = [
        tuple(slice(*run) if m in modes else slice(None) for m in range(tensor.order))
        for run in pairwise(bounds)
    ]
    return [from_numpy(array[key], tensor.format) for key in chosen]


def _stored_again(tensor: Tensor, modes: Sequence[int], bounds: Sequence[int]) -> list[Tensor]:
    """Parts from entries, each found once for all parts."""
    coordinates, vals = tensor.entries()
    owners = [np.searchsorted(bounds, coordinates[mode], "right") - 1 for mode in modes]
    alike = np.logical_and.reduce([owner == owners[0] for owner in owners])
    parts: list[Tensor] = []
    for part, (low, high) in enumerate(pairwise(bounds)):
        inside = alike & (owners[0] == part)
        own = [c[inside] - low * (m in modes) for m, c in enumerate(coordinates)]
        shape = _shape(tensor, modes, high - low)
        parts.append(from_entries(own, vals[inside], shape, tensor.format))
    return parts
