"""
What assembly functions make, walking functions find again, on IR as on NumPy arrays: random
entries below several parents, with coordinates that begin below 0, at 0 and above.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from level_code import Column, Entries, LevelCode, compiled
from numpy.typing import NDArray

from tamale.dialects.format.level import Level
from tamale.dialects.format.notation import parse_format
from tamale.passes.levels.banded import REFUSAL

JAD = "(i, j) -> (#i : sliced, i : jagged, j : singleton)"
WAYS = {"": {}, ", unsequenced": {"sequenced": False}}
COUNTED = {"sequenced": False, "counted": True}

CASES: Mapping[str, tuple[str, Mapping[str, bool]]] = {
    **{name: (name, {}) for name in ("dense", "squeezed", "range", "sliced", "bitmap")},
    **{
        f"{name}{way}": (name, options)
        for name in ("ragged", "banded", "hashed")
        for way, options in WAYS.items()
    },
    **{f"compressed{way}": ("compressed", {"locates": False, **o}) for way, o in WAYS.items()},
    "compressed, counted": ("compressed", {"locates": False, **COUNTED}),
    "jagged": ("jagged", {"locates": False}),
}


def level_of(kind: str) -> Level:
    if kind == "jagged":
        return parse_format(JAD).levels[1]
    return parse_format(f"(i, j) -> (i : dense, j : {kind})").levels[1]


def random_entries(kind: str, low: int, seed: int) -> Entries:
    """
    Different coordinates below each parent; for `banded` up to the diagonal, for `jagged` those
    of rows that have more entries than the slot's number."""
    random = np.random.default_rng(seed)
    size, parents = int(random.integers(0, 20)), 6
    stored = random.random((parents, size)) < random.random() * random.random((parents, 1))
    if kind == "banded":
        stored &= np.arange(low, low + size) <= np.arange(parents)[:, None]
    if kind == "jagged":
        lengths = random.integers(0, parents + 1, size)
        stored = lengths > np.arange(parents)[:, None]
    parent, number = stored.nonzero()
    order = random.permutation(len(parent))
    if kind == "compressed":
        order.sort()
    queries = results(stored, single=kind == "sliced")
    return Entries(low, size, parents, parent[order], number[order] + low, queries)


def results(stored: NDArray[np.bool_], *, single: bool) -> dict[str, Column]:
    """
    What queries say about `stored[parent, number]`; the largest and the smallest number of a
    parent count from the other end, from 1 on.
    """
    size: int = stored.shape[1]
    numbers: Column = np.arange(size)
    largest: Column = np.where(stored, numbers + 1, 0).max(axis=1, initial=0)
    columns: dict[str, Any] = {
        "nir": stored.sum(axis=1),
        "nz": stored.any(axis=0),
        "length": stored.sum(axis=0),
        "max_crd": largest.max(keepdims=True) if single else largest,
        "w": np.where(stored, size - numbers, 0).max(axis=1, initial=0),
    }
    return {label: np.asarray(column, np.int64) for label, column in columns.items()}


def test_which_levels_tell_ranks():
    ranked = {kind for kind, o in CASES.values() if LevelCode(level_of(kind), **o).ranks}
    walked = {"dense", "squeezed", "range", "sliced", "bitmap", "ragged", "banded", "compressed"}
    assert ranked == walked


@pytest.mark.parametrize("case", CASES)
def test_a_level_is_made_walked_and_searched(case: str, tmp_path: Path):
    kind, options = CASES[case]
    code = LevelCode(level_of(kind), **options)
    library = compiled(code.module, tmp_path)
    for seed in range(12):
        entries = random_entries(kind, (-5, 0, 3)[seed % 3], seed)
        outcome = code.run(library, entries)
        assert outcome.status == 0
        stored = code.stored(outcome, entries)
        code.kind.check(stored, entries.parents)
        count = code.kind.count(stored, entries.parents)
        assert outcome.outputs["count"][1] == count

        parents, coordinates = code.kind.coordinates(stored, entries.parents)
        position = outcome.outputs["position"][: len(entries.own)]
        assert len(set(position.tolist())) == len(position)
        assert np.array_equal(parents[position], entries.parent)
        assert np.array_equal(coordinates[position], entries.own)

        found = code.kind.found(stored, entries.parents)
        places = np.arange(count) if found is None else found.nonzero()[0]
        listed = np.stack((parents[places], coordinates[places], places), axis=1)
        assert outcome.walked == [tuple(row) for row in listed.tolist()]
        if code.kind.pads is False:
            assert len(places) == len(entries.own)

        if code.ranks:
            probes = list(zip(*(column.tolist() for column in entries.probes), strict=True))
            smaller = [np.sum((parents == p) & (coordinates < c)) for p, c in probes]
            before = [np.sum(parents < p) for p, _ in probes]
            ranks = outcome.outputs["rank"][: len(probes)]
            assert np.array_equal(ranks, np.add(before, smaller))

        if code.locates:
            where = {(p, c): q for p, c, q in outcome.walked}
            probes = list(zip(*(column.tolist() for column in entries.probes), strict=True))
            wanted = [where.get(probe) for probe in probes]
            places = outcome.outputs["located"][: len(probes)].tolist()
            hits = outcome.outputs["found"][: len(probes)].tolist()
            assert [q if hit else None for q, hit in zip(places, hits, strict=True)] == wanted


def test_an_entry_above_the_diagonal_is_refused(tmp_path: Path):
    code = LevelCode(level_of("banded"))
    entries = Entries(0, 4, 2, np.array([0, 1]), np.array([0, 2]), {"w": np.array([4, 2])})
    assert f'"{REFUSAL}"' in str(code.module)
    assert code.run(compiled(code.module, tmp_path), entries).status != 0


@pytest.mark.parametrize("kind", ["compressed", "hashed", "ragged", "sliced"])
def test_positions_that_do_not_fit_end_the_kernel(kind: str, tmp_path: Path):
    """The message comes before anything is allocated for that many."""
    code = LevelCode(level_of(kind), locates=False)
    many = {label: np.array([1 << 31, 1 << 31]) for label in code.labels}
    entries = Entries(0, 4, 2, np.array([], int), np.array([], int), many)
    assert code.run(compiled(code.module, tmp_path), entries).status == 2
