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


def check_range(level: StoredLevel) -> None:
    """Every coordinate lies in [0, size)."""
    crd = level.arrays["crd"]
    if len(crd) and (crd.min() < 0 or crd.max() >= level.size):
        k = int(((crd < 0) | (crd >= level.size)).nonzero()[0][0])
        raise FormatError(
            f"{level.where}: crd[{k}] is {crd[k]}, outside of the dimension size {level.size}"
        )


def check_ascent(level: StoredLevel, same_parent: NDArray[np.bool_]) -> None:
    """
    Coordinates ascend between neighbours of one parent, strictly where the level is unique.

    `same_parent[k]` tells whether positions k and k + 1 have one parent.
    """
    crd: NDArray[np.integer[Any]] = level.arrays["crd"]
    if not level.properties.ordered:
        return
    before, after = crd[:-1], crd[1:]
    wrong = (after <= before) if level.properties.unique else (after < before)
    bad = (wrong & same_parent).nonzero()[0]
    if len(bad):
        k = int(bad[0])
        promise = "ordered and unique" if level.properties.unique else "ordered"
        raise FormatError(
            f"{level.where}: promises to be {promise}, but crd[{k}] is {crd[k]} and "
            f"crd[{k + 1}] is {crd[k + 1]}"
        )
