"""Ranks of sets against brute force: random sets of operands with copies, walked step by step."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest

from tamale.dialects.cin.sets import (
    Complement,
    Intersection,
    SetExpr,
    Stored,
    Union,
    Universe,
    belongs,
    leaves,
    parse_set,
    set_text,
    walk,
)
from tamale.passes.algebra.lattice import driven_by_universe, points
from tamale.passes.algebra.ranks import is_needed_by, met_set, surely_meets, walked
from tamale.passes.algebra.simplification import simplify

SIZE = 9
Entries = Mapping[Stored, Sequence[int]]


def random_set(random_: random.Random, depth: int) -> SetExpr:
    kind = random_.randrange(5) if depth else random_.randrange(2)
    match kind:
        case 0:
            return Stored(random_.choice("ABCD"), "i")
        case 1:
            return Stored(random_.choice("ABC"), "i") if random_.random() < 0.8 else Universe("i")
        case 2:
            return Complement(random_set(random_, depth - 1))
        case _:
            sets = tuple(random_set(random_, depth - 1) for _ in range(2))
            return Union(sets) if kind == 3 else Intersection(sets)


def random_entries(random_: random.Random, domain: SetExpr) -> Entries:
    """Some operands hold copies of a coordinate."""
    entries: dict[Stored, Sequence[int]] = {}
    for leaf in leaves(domain):
        copies = random_.choice((1, 1, 3))
        size = random_.randrange(SIZE + 1)
        entries[leaf] = sorted(c for c in random_.sample(range(SIZE), size) for _ in range(copies))
    return entries


def moves(domain: SetExpr, entries: Entries) -> list[int]:
    """The coordinate of every step that a cursor takes, the counter's among them."""
    at, counter, steps = dict.fromkeys(entries, 0), 0, list[int]()
    for point in points(domain, "i"):
        present, counted = leaves(point), driven_by_universe(point)
        while all(at[x] < len(entries[x]) for x in present) and not (counted and counter == SIZE):
            coordinates = [entries[x][at[x]] for x in present]
            coordinate = counter if counted else min(coordinates)
            for x in present:
                while at[x] < len(entries[x]) and entries[x][at[x]] == coordinate:
                    at[x] += 1
                    steps.append(coordinate)
            if counted:
                counter += 1
                steps.append(coordinate)
    return steps


def rank(domain: SetExpr, entries: Entries, coordinate: int) -> int:
    terms = walked(domain, "i")
    inside = sum(c < coordinate for leaf in terms.leaves for c in entries[leaf])
    return inside + coordinate * terms.universe


@pytest.mark.parametrize("seed", range(40))
def test_ranks_are_what_is_walked_before(seed: int):
    random_ = random.Random(seed)
    for _ in range(50):
        domain = simplify(random_set(random_, 3), "i")
        entries = random_entries(random_, domain)
        steps = moves(domain, entries)
        ends_early = any(isinstance(s, Intersection | Complement) for s in walk(domain))
        for coordinate in range(SIZE + 1):
            before = sum(c < coordinate for c in steps)
            known = rank(domain, entries, coordinate)
            assert before <= known, set_text(domain)
            assert before == known or ends_early, set_text(domain)


@pytest.mark.parametrize("seed", range(20))
def test_where_operands_meet(seed: int):
    random_ = random.Random(seed)
    for _ in range(50):
        domain = random_set(random_, 3)
        resolved = {x for x in leaves(domain) if random_.random() < 0.5}
        met = met_set(domain, "i", lambda leaf, resolved=resolved: leaf in resolved)
        entries = random_entries(random_, domain)
        inside = {c for c in range(SIZE) if is_in(met, entries, c)}
        if surely_meets(met):
            assert all(c in inside for x in leaves(met) for c in entries[x])
        for leaf in leaves(met):
            if is_needed_by(met, leaf.access):
                assert inside <= set(entries[leaf]), set_text(met)


def is_in(domain: SetExpr, entries: Entries, coordinate: int) -> bool:
    return belongs(domain, lambda x: isinstance(x, Universe) or coordinate in entries[x])


@pytest.mark.parametrize(
    ("text", "resolved", "met", "surely"),
    [
        ("A.i & B.i", "", "A.i & B.i", False),
        ("A.i | B.i", "", "A.i | B.i", True),
        ("A.i & ~B.i", "", "A.i & (B.i | U.i)", False),
        ("A.i & ~B.i", "B", "A.i & ~B.i", False),
        ("A.i & (B.i | U.i)", "", "A.i & (B.i | U.i)", False),
        ("A.i & B.k", "", "A.i", True),
        ("A.i | U.i", "", "A.i | U.i", True),
    ],
)
def test_met_sets(text: str, resolved: str, met: str, surely: bool):
    found = met_set(parse_set(text), "i", lambda leaf: leaf.access in resolved)
    assert (set_text(found), surely_meets(found)) == (met, surely)
    assert is_needed_by(found, "A") == (met.startswith("A.i") and "|" not in met.split(" & ")[0])
