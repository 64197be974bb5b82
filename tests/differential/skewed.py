"""Arrays whose entries lie unevenly: what workers have to share all the same."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SIZE = 9


def scattered(seed: int, density: float = 0.3, order: int = 2) -> Array:
    """Entries anywhere."""
    random, shape = np.random.default_rng(seed), (SIZE,) * order
    return random.random(shape) * (random.random(shape) < density)


def arrow() -> Array:
    """A diagonal, a full row and a full column."""
    array = np.diag(np.arange(1.0, SIZE + 1))
    array[SIZE // 2], array[:, 0] = 2.0, 3.0
    return array


def one_row() -> Array:
    """All entries in one row."""
    array = np.zeros((SIZE, SIZE))
    array[4] = np.arange(1.0, SIZE + 1)
    return array


SQUARE: Mapping[str, Array] = {
    "scattered": scattered(1),
    "nearly empty": scattered(2, 0.02),
    "empty": np.zeros((SIZE, SIZE)),
    "arrow": arrow(),
    "one row": one_row(),
    "one column": one_row().T,
    "half in one row": np.where(np.arange(SIZE)[:, None] == 3, 1.0, scattered(3, 0.1)),
}
"""Label -> a matrix of `SIZE` rows and columns."""

ODD: Mapping[str, tuple[int, int]] = {
    "no rows": (0, 9),
    "no columns": (9, 0),
    "one by many": (1, 40),
    "many by one": (40, 1),
}
"""Label -> the sizes of a matrix."""


def third_order() -> Mapping[str, Array]:
    """Label -> a tensor of order three: even ones, and some with all in few fibers."""
    fiber, corner = np.zeros((SIZE,) * 3), np.zeros((SIZE,) * 3)
    fiber[4, 4] = np.arange(1.0, SIZE + 1)
    corner[7:, 8:] = corner[0, 0, 0] = 2.0
    slice = scattered(5, 0.05, 3)
    slice[3] = 1.0
    return {
        "scattered": scattered(4, 0.2, 3),
        "nearly empty": scattered(6, 0.005, 3),
        "empty": np.zeros((SIZE,) * 3),
        "one fiber": fiber,
        "first fiber": np.roll(fiber, (-4, -4), (0, 1)),
        "corner": corner,
        "half in one slice": slice,
    }
