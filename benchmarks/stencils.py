"""
Matrices of grids: each point depends on some of its neighbours.

Among them are the stand-ins for matrices of the conversion paper (Chou et al., PLDI 2020, table 2)
whose structure is a stencil: sizes, entries and diagonals are theirs, values are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from tamale.dialects.lazy import load

Neighbours: TypeAlias = Sequence[tuple[int, ...]]
"""Where a point's neighbours are, from the point; the point itself is always one of them."""


def star(order: int, reach: int = 1) -> Neighbours:
    """The neighbours along each mode."""
    steps = [step for k in range(1, reach + 1) for step in (-k, k)]
    return [
        tuple(step if mode == along else 0 for mode in range(order))
        for along in range(order)
        for step in steps
    ]


BIHARMONIC: Neighbours = (*star(2, reach=2), (1, 1), (1, -1), (-1, 1), (-1, -1))
FAR_APART: Neighbours = tuple((side * step,) for step in (1, 20_000, 40_000) for side in (-1, 1))

STAND_INS: dict[str, tuple[tuple[int, ...], Neighbours, bool]] = {
    "jnlbrng1": ((200, 200), star(2), True),
    "obstclae": ((200, 200), star(2), False),
    "chem_master1": ((201, 201), star(2), True),
    "dixmaanl": ((60_000,), FAR_APART, True),
    "denormal": ((300, 298), BIHARMONIC, True),
    "Baumann": ((101, 101, 11), star(3), True),
    "Lin": ((40, 80, 80), star(3), True),
    "ecology1": ((1000, 1000), star(2), True),
    "atmosmodd": ((58, 148, 148), star(3), True),
}
"""Sizes of the grid, neighbours, and whether those along its sides depend on each other."""


def stand_ins() -> Iterator[tuple[str, Any]]:
    """Names and matrices, the smallest first."""
    for name, (sizes, neighbours, along_sides) in STAND_INS.items():
        yield name, stencil(sizes, neighbours, along_sides=along_sides)


def stencil(sizes: Sequence[int], neighbours: Neighbours, *, along_sides: bool = True) -> Any:
    """
    A matrix with a row for each point of a grid, in DIA.

    Args:
        sizes: of the grid; points are numbered with the last mode fastest.
        neighbours: no two of them lie on one diagonal.
        along_sides: whether points at a side of the grid depend on others at that side.
    """
    points, generator = int(np.prod(sizes)), np.random.default_rng(0)
    place = np.unravel_index(np.arange(points), sizes)
    diagonals = {0: generator.uniform(4, 8, points)}
    for neighbour in neighbours:
        # SciPy's diagonals are indexed by column, which is the neighbour's.
        stored = np.ones(points, bool)
        for own, step, size in zip(place, neighbour, sizes, strict=True):
            stored &= (own >= step) & (own - step < size)
            if not along_sides and not step:
                stored &= (own > 0) & (own < size - 1)
        offset = 0
        for step, size in zip(neighbour, sizes, strict=True):
            offset = offset * size + step
        diagonals[offset] = np.where(stored, generator.uniform(-1, -0.1, points), 0)
    offsets = sorted(diagonals)
    data = np.stack([diagonals[offset] for offset in offsets])
    return load("scipy.sparse:dia_array")((data, offsets), shape=(points, points))
