"""Bounds on the entries of a result: never below what the loops visit."""

import random

import pytest

from tamale.dialects.cin.sets import Intersection, SetExpr, Stored, Union, leaves, parse_set
from tamale.passes.algebra.entry_bounds import Bound, Count, Size, Total, entry_bound
from tamale.passes.algebra.lattice import holds

NAMES = "abcd"
SIZE = 12


def value(bound: Bound, entries: dict[str, set[int]]) -> int:
    match bound:
        case Count(leaf):
            return len(entries[leaf.access])
        case Size():
            return SIZE
        case Total(parts, least):
            return (min if least else sum)(value(part, entries) for part in parts)


def members(domain: SetExpr, entries: dict[str, set[int]]) -> int:
    return sum(
        holds(domain, {x for x in leaves(domain) if c in entries[x.access]}) for c in range(SIZE)
    )


def random_domain(random_: random.Random, depth: int) -> SetExpr:
    if depth == 0 or random_.random() < 0.2:
        unbounded = random_.random() < 0.15
        text = random_.choice(["U.i", "~a.i"]) if unbounded else f"{random_.choice(NAMES)}.i"
        return parse_set(text)
    kind = random_.choice([Union, Intersection])
    return kind(tuple(random_domain(random_, depth - 1) for _ in range(2)))


@pytest.mark.parametrize("seed", range(10))
def test_random_domains(seed: int):
    random_ = random.Random(seed)
    bounded = 0
    for _ in range(100):
        domain = random_domain(random_, 3)
        entries = {n: set(random_.sample(range(SIZE), random_.randint(0, SIZE))) for n in NAMES}
        once = {n for n in NAMES if random_.random() < 0.8}
        bound = entry_bound(domain, lambda leaf, once=once: leaf.access in once)
        if bound is not None:
            bounded += 1
            assert value(bound, entries) >= members(domain, entries)
    assert bounded > 20


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.i", Count(Stored("a", "i"))),
        ("a.i | b.i", Total((Count(Stored("a", "i")), Count(Stored("b", "i"))))),
        ("a.i & b.i", Total((Count(Stored("a", "i")), Count(Stored("b", "i"))), least=True)),
        ("a.i & ~b.i", Total((Count(Stored("a", "i")),), least=True)),
        ("a.i & U.i", Total((Count(Stored("a", "i")),), least=True)),
        ("a.i | U.i", None),
        ("U.i", None),
        ("~a.i", None),
        ("empty", None),
        ("z.i", None),
        ("a.i | z.i", None),
        ("a.i & z.i", Total((Count(Stored("a", "i")),), least=True)),
    ],
)
def test_bound(text: str, expected: Bound | None):
    """`z` is walked again and again."""
    assert entry_bound(parse_set(text), lambda leaf: leaf.access != "z") == expected
