"""Checks that several level kinds share, on NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tamale.dialects.errors import FormatError
from tamale.passes.levels.functions import StoredLevel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def check_length(level: StoredLevel, array: str, expected: int) -> None:
    """The array has exactly `expected` elements."""
    length = len(level.arrays[array])
    if length != expected:
        raise FormatError(f"{level.where}: {array} has {length} elements, expected {expected}")


def check_edges(level: StoredLevel, parents: int) -> None:
    """`pos` has `parents + 1` elements, starts at 0 and never falls."""
    check_length(level, "pos", parents + 1)
    pos = level.arrays["pos"]
    if pos[0] != 0:
        raise FormatError(f"{level.where}: pos[0] is {pos[0]}, expected 0")
    falls = (pos[1:] < pos[:-1]).nonzero()[0]
    if len(falls):
        k = int(falls[0])
        raise FormatError(f"{level.where}: pos falls from {pos[k]} to {pos[k + 1]} at pos[{k + 1}]")


def check_widths(level: StoredLevel, most: int | NDArray[np.int64]) -> None:
    """No parent position `p` has more than `most` (or `most[p]`) positions."""
    import numpy as np

    widths = np.diff(level.arrays["pos"])
    wrong = (widths > most).nonzero()[0]
    if len(wrong):
        p = int(wrong[0])
        limit = int(np.broadcast_to(most, widths.shape)[p])
        raise FormatError(
            f"{level.where}: pos[{p}] to pos[{p + 1}] make room for {widths[p]} coordinates, "
            f"but only {limit} are possible"
        )


def check_size(level: StoredLevel) -> int:
    """The array `size` holds one number of coordinates, between 0 and all; returns it."""
    check_length(level, "size", 1)
    size = int(level.arrays["size"][0])
    if not 0 <= size <= level.size:
        raise FormatError(f"{level.where}: size[0] is {size}, expected 0 to {level.size}")
    return size


def check_range(level: StoredLevel, array: str = "crd") -> None:
    """Every coordinate is one that the level can have."""
    crd, low, high = level.arrays[array], level.low, level.low + level.size
    if len(crd) and (crd.min() < low or crd.max() >= high):
        k = int(((crd < low) | (crd >= high)).nonzero()[0][0])
        possible = f"the coordinates {low} to {high - 1}" if low else f"the dimension size {high}"
        raise FormatError(f"{level.where}: {array}[{k}] is {crd[k]}, outside of {possible}")


def check_ascent(
    level: StoredLevel, same_parent: NDArray[np.bool_] | None = None, array: str = "crd"
) -> None:
    """
    Coordinates ascend between neighbours of one parent, strictly where the level is unique.

    `same_parent[k]` tells whether positions k and k + 1 have one parent; None: all have the same.
    """
    crd: NDArray[np.integer[Any]] = level.arrays[array]
    if not level.properties.ordered:
        return
    before, after = crd[:-1], crd[1:]
    wrong = (after <= before) if level.properties.unique else (after < before)
    bad = (wrong if same_parent is None else wrong & same_parent).nonzero()[0]
    if len(bad):
        k = int(bad[0])
        promise = "ordered and unique" if level.properties.unique else "ordered"
        raise FormatError(
            f"{level.where}: promises to be {promise}, but {array}[{k}] is {crd[k]} and "
            f"{array}[{k + 1}] is {crd[k + 1]}"
        )
