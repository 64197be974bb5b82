"""
The matrix of Figure 1 of Chou et al., PLDI 2020, in the formats of its Figure 2 and in others, and
a walk down the levels of a stored tensor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamale.dialects.format.expressions import evaluate
from tamale.dialects.format.invert import invert
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.relation import relation
from tamale.dialects.format.spec import Format
from tamale.frontend.levels import level_range
from tamale.passes.levels import storage_kind
from tamale.passes.levels.functions import StorageKind, StoredLevel

SHAPE = (4, 6)
ENTRIES = {
    (0, 0): 5, (0, 1): 1, (1, 1): 7, (1, 2): 3, (2, 0): 8,
    (2, 2): 2, (2, 3): 4, (3, 1): 6, (3, 4): 9,
}  # fmt: skip
LOWER = {place: value for place, value in ENTRIES.items() if place[1] <= place[0]}
"""What skyline can hold."""

ROWS, COLUMNS = ([place[mode] for place in ENTRIES] for mode in (0, 1))
VALUES = list(ENTRIES.values())

EVERYWHERE = [(i, j) for i in range(4) for j in range(6)]

Arrays = Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class Stored:
    """The arrays of a format's levels, outermost first, and the values."""

    format: str
    levels: Sequence[Arrays]
    values: Sequence[int]
    entries: Mapping[tuple[int, int], int]


FIGURE: Mapping[str, Stored] = {
    stored.format: stored
    for stored in (
        Stored("dense", ({}, {}), [ENTRIES.get(place, 0) for place in EVERYWHERE], ENTRIES),
        Stored("coo", ({"pos": [0, 9], "crd": ROWS}, {"crd": COLUMNS}), VALUES, ENTRIES),
        Stored("csr", ({}, {"pos": [0, 2, 4, 7, 9], "crd": COLUMNS}), VALUES, ENTRIES),
        Stored(
            "dia",
            ({"size": [3], "perm": [-2, 0, 1]}, {}, {}),
            [0, 0, 8, 6, 5, 7, 2, 0, 1, 3, 4, 9],
            ENTRIES,
        ),
        Stored(
            "ell",
            ({"size": [3]}, {}, {"crd": [0, 1, 0, 1, 1, 2, 2, 4, 0, 0, 3, 0]}),
            [5, 7, 8, 6, 1, 3, 2, 9, 0, 0, 4, 0],
            ENTRIES,
        ),
        Stored(
            "jad",
            (
                {"size": [3]},
                {"pos": [0, 4, 8, 9], "perm": [2, 0, 1, 3]},
                {"crd": [0, 0, 1, 1, 2, 1, 2, 4, 3]},
            ),
            [8, 5, 7, 6, 2, 1, 3, 9, 4],
            ENTRIES,
        ),
        Stored(
            "sell(2)",
            ({}, {"pos": [0, 2, 5]}, {}, {"crd": [0, 1, 1, 2, 0, 1, 2, 4, 3, 0]}),
            [5, 7, 1, 3, 8, 6, 2, 9, 4, 0],
            ENTRIES,
        ),
        Stored("skyline", ({}, {"pos": [0, 1, 2, 5, 8]}), [5, 7, 8, 0, 2, 6, 0, 0], LOWER),
        Stored(
            "bitmap",
            ({}, {"present": [int(place in ENTRIES) for place in EVERYWHERE]}),
            [ENTRIES.get(place, 0) for place in EVERYWHERE],
            ENTRIES,
        ),
    )
}  # fmt: skip


def walk(
    format: Format, levels: Sequence[Arrays], shape: Sequence[int] = SHAPE
) -> Iterator[tuple[StorageKind, StoredLevel, int]]:
    """Each level with its kind and the number of parent positions."""
    parents, ancestors = 1, list[NDArray[np.int64]]()
    for k, (level, arrays) in enumerate(zip(format.levels, levels, strict=True)):
        low, size = level_range(format, shape, k)
        kind = storage_kind(level.kind)
        stored = StoredLevel(
            {name: np.array(array, np.int32) for name, array in arrays.items()},
            size,
            format.properties(k),
            f"level {k + 1}",
            low,
            tuple(ancestors),
            relation(format, k),
            {f"dim_{mode}": n for mode, n in zip(format.modes, shape, strict=True)},
        )
        yield kind, stored, parents
        owners, column = kind.coordinates(stored, parents)
        ancestors = [*(above[owners] for above in ancestors), column]
        parents = kind.count(stored, parents)


def check(name: str, levels: Sequence[Arrays], shape: Sequence[int] = SHAPE) -> None:
    """Checks every level; raises what the level kinds raise."""
    for kind, stored, parents in walk(resolve_format(name, 2), levels, shape):
        kind.check(stored, parents)


def entries_of(stored: Stored) -> dict[tuple[int, int], int]:
    """The coordinates and values of a stored matrix, without zeros."""
    format = resolve_format(stored.format, 2)
    columns: list[NDArray[Any]] = []
    present = np.ones(1, np.bool_)
    for kind, level, parents in walk(format, stored.levels):
        owners, column = kind.coordinates(level, parents)
        found = kind.found(level, parents)
        present = present[owners] if found is None else present[owners] & found
        columns = [*(above[owners] for above in columns), column]
    modes = invert(format)
    entries: dict[tuple[int, int], int] = {}
    for position in present.nonzero()[0].tolist():
        point = {f"l{k}": int(column[position]) for k, column in enumerate(columns)}
        i, j = (evaluate(mode, point) for mode in modes)
        if stored.values[position]:
            entries[i, j] = stored.values[position]
    return entries
