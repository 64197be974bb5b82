"""Hash tables on NumPy arrays: tables that a search can rely on, and those that it cannot."""

from __future__ import annotations

import numpy as np
import pytest
from figure import ENTRIES, check, walk

from tamale.dialects.errors import FormatError
from tamale.dialects.format.named import resolve_format
from tamale.passes.levels.hash_tables import MULTIPLIER, SHIFT, home_places


def home(coordinate: int, size: int) -> int:
    """On integers of any size, cut to 64 bits with sign."""
    product = coordinate * MULTIPLIER % (1 << 64)
    return ((product - (product >> 63 << 64)) >> SHIFT) & (size - 1)


def table(coordinates: list[int], size: int) -> list[int]:
    """A table in which the coordinates were inserted one after the other."""
    places = [-1] * size
    for coordinate in coordinates:
        k = home(coordinate, size)
        while places[k] != -1:
            k = (k + 1) % size
        places[k] = coordinate
    return places


def rows(*tables: list[int]) -> dict[str, list[int]]:
    """The arrays of a level with these tables."""
    ends = np.cumsum([0, *map(len, tables)]).tolist()
    return {"pos": ends, "crd": [c for places in tables for c in places]}


def test_home_places():
    coordinates = np.array([0, 1, 2, 3, 1000, (1 << 31) - 1, (1 << 62) + 1])
    for size in (2, 8, 1 << 20):
        places = home_places(coordinates, np.full(len(coordinates), size))
        assert places.tolist() == [home(int(c), size) for c in coordinates]


def test_a_dictionary_of_dictionaries():
    """Tables of the rows stand where the table of rows has them."""
    outer = table([0, 1, 2, 3], 8)
    inner = [table([j for i, j in ENTRIES if i == row], 8) if row >= 0 else [] for row in outer]
    levels = [rows(outer), rows(*inner)]
    check("dok", levels)
    columns: list[np.ndarray] = []
    found = np.ones(1, np.bool_)
    for kind, level, parents in walk(resolve_format("dok"), levels):
        owners, column = kind.coordinates(level, parents)
        here = kind.found(level, parents)
        assert here is not None
        found = found[owners] & here
        columns = [*(above[owners] for above in columns), column]
    pairs = {(int(i), int(j)) for i, j in zip(*columns, strict=True)}
    assert {(i, j) for i, j in pairs if i >= 0 and j >= 0} == set(ENTRIES)
    assert found.sum() == len(ENTRIES)


@pytest.mark.parametrize("seed", range(20))
def test_tables_as_insertion_leaves_them_are_right(seed: int):
    random = np.random.default_rng(seed)
    tables = [table(random.permutation(60)[:n].tolist(), 64) for n in random.integers(0, 60, 4)]
    check("(i, j) -> (i : dense, j : hashed)", [{}, rows(*tables)], (4, 60))


FULL_HOME = home(5, 4)
AFTER = (FULL_HOME + 1) % 4


def placed(**places: int) -> list[int]:
    """A table of four, `at0 = 7`, and free elsewhere."""
    return [places.get(f"at{k}", -1) for k in range(4)]


@pytest.mark.parametrize(
    "tables, message",
    [
        ([[0, -1, -1]], "the table from pos[0] to pos[1] has 3 places, expected 0 or a power of"),
        ([[], [-1]], "the table from pos[1] to pos[2] has 1 places"),
        ([[], [0, 1]], "the table from pos[1] to pos[2] has no free place"),
        ([[8, -1]], "crd[0] is 8, expected -1 to 5"),
        ([[-1, -2]], "crd[1] is -2, expected -1 to 5"),
        ([placed(**{f"at{AFTER}": 5})], "is 5, which a search for it does not reach"),
        ([placed(**{f"at{FULL_HOME}": 5, f"at{AFTER}": 5})], "are both 5 in one table"),
    ],
)
def test_wrong_tables(tables: list[list[int]], message: str):
    padding: list[list[int]] = [[]] * (4 - len(tables))
    with pytest.raises(FormatError) as error:
        check("(i, j) -> (i : dense, j : hashed)", [{}, rows(*tables, *padding)])
    assert message in str(error.value)
