"""
Lattices against brute force: random set expressions over one to three levels.

`Nest` walks a lattice as the compiler's loops do: one loop per point, at each step the smallest
coordinate (or the counter), the first case whose operands all stand there, and on. Inside a case,
absent operands are empty and resolved ones are all or nothing, as in `build-lattices`.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import pytest

from tamale.dialects.cin.sets import (
    EMPTY,
    Complement,
    Intersection,
    SetExpr,
    Stored,
    Union,
    Universe,
    leaves,
    parse_set,
    set_text,
)
from tamale.dialects.errors import TamaleError
from tamale.passes.algebra.lattice import (
    driven_by_universe,
    guard,
    holds,
    open_complements,
    points,
    produces,
)
from tamale.passes.algebra.simplification import simplify

VARIABLES = ("i", "j", "k")
Coordinates = tuple[int, ...]


@dataclass(frozen=True)
class Operand:
    """A set of coordinates, of some of the nest's variables."""

    levels: tuple[int, ...]
    """The loops that it is stored over, in order; at the others it is broadcast."""
    entries: frozenset[Coordinates]

    def at(self, where: Coordinates) -> Coordinates:
        """The part of a coordinate of the nest that concerns the operand."""
        return tuple(where[level] for level in self.levels if level < len(where))

    def below(self, where: Coordinates) -> list[int]:
        """The coordinates stored right below a position."""
        prefix = self.at(where)
        depth = len(prefix)
        return sorted({e[depth] for e in self.entries if e[:depth] == prefix})


@dataclass
class Nest:
    """Visits the coordinates of a set expression; leaves are written `a.i` at every level."""

    expression: SetExpr
    operands: Mapping[str, Operand]
    order: int
    size: int
    steps: int = 0

    def run(
        self, prefix: Coordinates = (), absent: frozenset[str] = frozenset()
    ) -> Iterator[Coordinates]:
        variable = VARIABLES[len(prefix)]
        domain = self.domain(len(prefix), absent)
        every = {leaf.access for leaf in leaves(domain)}
        for coordinate, point in self.merge(domain, variable, prefix):
            if not produces(point):
                continue
            here = (*prefix, coordinate)
            if len(here) == self.order:
                yield here
            else:
                yield from self.run(here, absent | (every - {x.access for x in leaves(point)}))

    def domain(self, level: int, absent: frozenset[str]) -> SetExpr:
        variable = VARIABLES[level]
        known = self.at_level(self.expression, level, absent)

        def exact(leaf: Stored) -> bool:
            return self.operands[leaf.access].levels[-1] == level

        return open_complements(simplify(known, variable), variable, exact)

    def at_level(self, expression: SetExpr, level: int, absent: frozenset[str]) -> SetExpr:
        """The expression of one loop, as `derive` gives it."""
        variable = Universe(VARIABLES[level])
        match expression:
            case Union(sets) | Intersection(sets):
                return type(expression)(tuple(self.at_level(s, level, absent) for s in sets))
            case Complement(inner):
                known = all(self.is_known(leaf.access, level) for leaf in leaves(inner))
                inside = self.at_level(inner, level, absent)
                return Complement(inside) if known else Union((inside, variable))
            case Stored(access=name) if name in absent:
                return EMPTY
            case Stored(access=name) if level in self.operands[name].levels:
                return Stored(name, VARIABLES[level])
            case _:
                return variable

    def is_known(self, name: str, level: int) -> bool:
        levels = self.operands[name].levels
        return level in levels or levels[-1] < level

    def merge(
        self, domain: SetExpr, variable: str, prefix: Coordinates
    ) -> Iterator[tuple[int, SetExpr]]:
        """The visited coordinates in order, each with the point whose case it runs."""
        stored = {x: self.operands[x.access].below(prefix) for x in leaves(domain)}
        at = dict.fromkeys(stored, 0)
        counter = 0
        for point in points(domain, variable):
            present, counted = leaves(point), driven_by_universe(point)
            below = points(point, variable)
            while all(at[x] < len(stored[x]) for x in present):
                if counted and counter == self.size:
                    break
                self.steps += 1
                coordinate = counter if counted else min(stored[x][at[x]] for x in present)
                here = {x for x in present if stored[x][at[x]] == coordinate}
                case = next((p for p in below if set(leaves(guard(p, variable))) <= here), None)
                if case is not None:
                    yield coordinate, case
                for x in here:
                    at[x] += 1
                counter += counted


def random_set(random_: random.Random, names: Sequence[str], depth: int) -> SetExpr:
    if depth == 0 or random_.random() < 0.2:
        return Stored(random_.choice(names), "i")
    if random_.random() < 0.25:
        return Complement(random_set(random_, names, depth - 1))
    kind = random_.choice([Union, Intersection])
    count = random_.choice([2, 2, 3])
    return kind(tuple(random_set(random_, names, depth - 1) for _ in range(count)))


def random_operand(random_: random.Random, order: int, size: int) -> Operand:
    levels = random_.choice([range(order), sorted(random_.sample(range(order), 1))])
    if order == 3 and random_.random() < 0.3:
        levels = random_.choice([(0, 1), (0, 2), (1, 2)])
    count = random_.randint(0, 2 * size)
    entries = (tuple(random_.randrange(size) for _ in levels) for _ in range(count))
    return Operand(tuple(levels), frozenset(entries))


def random_nest(random_: random.Random) -> Nest:
    order = random_.choice([1, 1, 2, 2, 3])
    size = {1: 8, 2: 5, 3: 3}[order]
    expression = random_set(random_, "abcd", random_.choice([1, 2, 3]))
    names = dict.fromkeys(x.access for x in leaves(expression))
    operands = {name: random_operand(random_, order, size) for name in names}
    return Nest(expression, operands, order, size)


def brute_force(nest: Nest) -> list[Coordinates]:
    """Every coordinate of the universe, asked one by one."""
    return [
        where
        for where in product(range(nest.size), repeat=nest.order)
        if holds(
            nest.expression,
            {
                x
                for x in leaves(nest.expression)
                if nest.operands[x.access].at(where) in nest.operands[x.access].entries
            },
        )
    ]


@pytest.mark.parametrize("seed", range(10))
def test_random_nests(seed: int):
    random_ = random.Random(seed)
    for _ in range(80):
        nest = random_nest(random_)
        found, wanted = list(nest.run()), brute_force(nest)
        assert found == wanted, (set_text(nest.expression), nest.operands)


@pytest.mark.parametrize("seed", range(5))
def test_points_are_a_lattice(seed: int):
    """Each point comes before those below it, once, and its case asks for no more than it has."""
    random_ = random.Random(seed)
    for _ in range(60):
        top = simplify(random_set(random_, "abcd", 3), "i")
        found = points(top, "i")
        assert len(set(found)) == len(found)
        assert not found or found[0] == top
        for k, point in enumerate(found):
            assert not any(set(leaves(p)) > set(leaves(point)) for p in found[k + 1 :])
            assert produces(point) == holds(top, frozenset(leaves(point)))


def sparse_matrices(names: str, size: int, count: int) -> dict[str, Operand]:
    random_ = random.Random(7)
    return {
        name: Operand(
            (0, 1),
            frozenset((random_.randrange(size), random_.randrange(size)) for _ in range(count)),
        )
        for name in names
    }


@pytest.mark.parametrize("text", ["b.i & ~a.i", "(a.i | b.i) & ~(a.i & b.i)", "(a.i | b.i) & ~c.i"])
def test_complement_does_not_walk_the_universe(text: str):
    operands = sparse_matrices("abc", size=400, count=300)
    expression = parse_set(text)
    nest = Nest(expression, operands, order=2, size=400)
    found = list(nest.run())
    used = [operands[x.access].entries for x in leaves(expression)]
    rows = sum(len({row for row, _ in entries}) for entries in used)
    assert nest.steps <= sum(map(len, used)) + rows  # the universe has 160 000 coordinates
    a, b, c = (operands[name].entries for name in "abc")
    wanted = {"b": b - a, "(a.i | b.i) & ~(": a ^ b, "(a.i | b.i) & ~c": (a | b) - c}
    assert found == sorted(next(w for start, w in wanted.items() if text.startswith(start)))


def test_a_complement_alone_walks_the_universe():
    nest = Nest(parse_set("~a.i"), {"a": Operand((0,), frozenset({(3,)}))}, order=1, size=10)
    assert len(list(nest.run())) == 9
    assert nest.steps == 10


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.i | b.i", ["a.i | b.i", "a.i", "b.i"]),
        ("a.i & b.i", ["a.i & b.i"]),
        ("b.i & ~a.i", ["b.i & ~a.i", "b.i"]),
        ("a.i | U.i", ["a.i | U.i", "U.i"]),
        ("~a.i", ["~a.i", "U.i"]),
        ("a.i | b.i & c.i", ["a.i | b.i & c.i", "a.i", "b.i & c.i"]),
        ("empty", []),
    ],
)
def test_points(text: str, expected: list[str]):
    assert sorted(map(set_text, points(parse_set(text), "i"))) == sorted(expected)


def test_nothing_is_tested_where_the_universe_is_the_point():
    assert set_text(guard(Universe("i"), "i")) == "U.i"
    assert set_text(guard(parse_set("a.i & ~b.i"), "i")) == "a.i & b.i"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("b.i & ~a.i", "b.i & (a.i | U.i)"),
        ("~a.i", "a.i | U.i"),
        ("(a.i | b.i) & ~(a.i & b.i)", "(a.i | b.i) & (a.i & b.i | U.i)"),
        ("a.i | b.i", "a.i | b.i"),
    ],
)
def test_opened_complements(text: str, expected: str):
    assert set_text(open_complements(parse_set(text), "i", lambda _: False)) == expected
    assert open_complements(parse_set(text), "i", lambda _: True) == simplify(parse_set(text), "i")


def test_too_many_operands():
    names = [f"a{k}.i" for k in range(9)]
    assert len(points(parse_set(" | ".join(names[:8])), "i")) == 2**8 - 1
    with pytest.raises(TamaleError, match="9 sparse operands meet in the loop of 'i'"):
        points(parse_set(" | ".join(names)), "i")
