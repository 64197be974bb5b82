"""Hash tables on NumPy arrays: where coordinates belong, and whether they are there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tamale.dialects.errors import FormatError
from tamale.passes.levels.checks import check_edges, check_length
from tamale.passes.levels.functions import StoredLevel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FREE: Final = -1
"""What `crd` holds at a free place."""

MULTIPLIER: Final = 0x9E3779B97F4A7C15 - (1 << 64)
"""2^64 by the golden ratio, as a signed number; products wrap around."""

SHIFT: Final = 32
"""The bits of the product from here on choose the home place."""


def check_tables(level: StoredLevel, parents: int) -> None:
    """
    Tables have the right sizes, and everything in them is found where a search for it looks.

    Raises:
        FormatError: with the level, the place and the values that are wrong.
    """
    check_edges(level, parents)
    check_length(level, "crd", int(level.arrays["pos"][parents]))
    _check_sizes(level)
    _check_held(level)
    _check_places(level)


def _check_sizes(level: StoredLevel) -> None:
    import numpy as np

    pos = level.arrays["pos"]
    sizes = np.diff(pos)
    wrong = ((sizes & (sizes - 1)) != 0) | (sizes == 1)
    if wrong.any():
        p = int(wrong.nonzero()[0][0])
        raise FormatError(
            f"{level.where}: the table from pos[{p}] to pos[{p + 1}] has {sizes[p]} places, "
            "expected 0 or a power of two from 2"
        )
    free = np.concatenate(([0], np.cumsum(level.arrays["crd"] == FREE)))
    full = ((free[pos[1:]] == free[pos[:-1]]) & (sizes > 0)).nonzero()[0]
    if len(full):
        p = int(full[0])
        raise FormatError(
            f"{level.where}: the table from pos[{p}] to pos[{p + 1}] has no free place"
        )


def _check_held(level: StoredLevel) -> None:
    crd = level.arrays["crd"]
    wrong = ((crd < FREE) | (crd >= level.size)).nonzero()[0]
    if len(wrong):
        k = int(wrong[0])
        raise FormatError(
            f"{level.where}: crd[{k}] is {crd[k]}, expected {FREE} to {level.size - 1}"
        )


def _check_places(level: StoredLevel) -> None:
    """No free place, and not the same coordinate, between a coordinate's home and its place."""
    import numpy as np

    pos, crd = level.arrays["pos"].astype(np.int64), level.arrays["crd"].astype(np.int64)
    held = (crd != FREE).nonzero()[0]
    table = np.repeat(np.arange(len(pos) - 1), np.diff(pos))[held]
    begin, size = pos[table], np.diff(pos)[table]
    distance = (held - begin - home_places(crd[held], size)) % size
    missed = (distance >= _distance_from_free(pos, crd)[held]).nonzero()[0]
    if len(missed):
        k = int(held[missed[0]])
        raise FormatError(
            f"{level.where}: crd[{k}] is {crd[k]}, which a search for it does not reach"
        )
    order = np.lexsort((crd[held], table))
    same = (np.diff(crd[held][order]) == 0) & (np.diff(table[order]) == 0)
    if same.any():
        n = int(same.nonzero()[0][0])
        a, b = (int(k) for k in sorted(held[order[n : n + 2]]))
        raise FormatError(f"{level.where}: crd[{a}] and crd[{b}] are both {crd[a]} in one table")


def home_places(coordinates: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place in its table, of `sizes` places, where the search for a coordinate begins."""
    import numpy as np

    return ((coordinates * np.int64(MULTIPLIER)) >> SHIFT) & (sizes - 1)


def _distance_from_free(pos: NDArray[np.int64], crd: NDArray[np.int64]) -> NDArray[np.int64]:
    """Per place: how far back the nearest free place of its table is, around the beginning."""
    import numpy as np

    places = np.arange(len(crd))
    sizes = np.diff(pos)
    last_free = np.maximum.accumulate(np.where(crd == FREE, places, -1)) if len(crd) else places
    begin = np.repeat(pos[:-1], sizes)
    around = np.repeat(last_free[np.maximum(pos[1:] - 1, 0)] - sizes, sizes) if len(crd) else places
    return places - np.where(last_free >= begin, last_free, around)
