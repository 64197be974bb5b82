"""
What loops cost: the model by which schedules are compared.

A tensor's entries are assumed to be spread evenly. Where statistics tell sizes and entries, these
count; where nothing is known, every mode has `SIZE` coordinates, and below each coordinate of a
sparse tensor's other modes are `FAN` of its last one. A loop over a union visits what its parts
visit, one over an intersection walks all of its sparse parts, or searches in those that have very
many coordinates, and stays with the coordinates that they share; a universe, and a level that
stores every coordinate, is walked in full. What is counted are steps of loops; inserting into a
list, sorting and converting cost a number of them per entry.

Source: the weights are measured (docs/rationale/schedules.md); the model is the usual one of
relational optimisers (Selinger et al., SIGMOD 1979).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log2, prod
from typing import TypeAlias

from tamale.dialects.cin.sets import Intersection, SetExpr, Stored, Union
from tamale.dialects.format.search import Search
from tamale.dialects.format.spec import Format
from tamale.dialects.format.statistics import Statistics
from tamale.dialects.level_variables import level_variables
from tamale.dialects.notation.ast import Access, Assignment, Expr
from tamale.passes.algebra.loop_paths import LoopPath
from tamale.passes.algebra.terms import accesses_in

SIZE = 1000.0
FAN = 10.0
ROW_ENTRY, SORTED_ENTRY, CONVERTED_ENTRY = 11.0, 30.0, 7.0
"""
Steps per entry: into a list of a row, into a sorted list of all, through a conversion of a matrix.
"""
MERGED = 4.5
"""A step of a loop that compares coordinates of several operands, in those of one that walks."""
UNEQUAL = 16.0
"""How many times the entries of another operand of an intersection are worth to be searched."""
COMBINED = 2.5
"""How many terms of a reduction over sparse operands meet in one entry of the result."""
EMPTY_ROWS = 16
"""A matrix with more rows than that for each entry is not converted to one with every row."""
LONGEST_ARRAY = 2**26
"""An array over a mode that is longer has to be worth it: as many entries are to be inserted."""


def converted_entry(order: int) -> float:
    """Steps per entry of a conversion: matrices are counted out by rows, other tensors sorted."""
    return CONVERTED_ENTRY if order <= 2 else SORTED_ENTRY


@dataclass(frozen=True)
class Estimates:
    """How many entries tensors have, and what loops over them cost."""

    accesses: Mapping[str, Access]
    formats: Mapping[str, Format]
    statistics: Mapping[str, Statistics]
    """What is known of some of the tensors."""

    @cached_property
    def sizes(self) -> Mapping[str, float]:
        """Index variable -> size, as far as it is known."""
        return known_sizes(self.accesses, self.statistics)

    def size(self, variable: str) -> float:
        """The coordinates of an index variable."""
        return self.sizes.get(variable, SIZE)

    def everywhere(self, variables: Iterable[str]) -> float:
        """The coordinates of some index variables together."""
        return prod(self.size(variable) for variable in variables)

    def entries(self, access: str) -> float:
        """The stored entries of a tensor."""
        known = self.statistics.get(access)
        if known is not None and known.entries is not None:
            return float(max(known.entries, 1))
        indices = self.accesses[access].indices
        everything = self.everywhere(indices)
        if self.formats[access].all_dense:
            return everything
        if len(indices) == 1:
            return max(everything / FAN, 1.0)
        return min(self.everywhere(indices[:1]) * FAN ** (len(indices) - 1), everything)

    def conversion(self, access: str) -> float:
        """The steps to convert a tensor."""
        return self.entries(access) * converted_entry(len(self.accesses[access].indices))

    def positions(self, access: str, count: int) -> float:
        """The positions of a tensor's first levels together, each of which stores a mode."""
        format, known = self.formats[access], self.statistics.get(access)
        variables = level_variables(self.accesses[access], format)
        stored = known.stored if known is not None else ()
        positions = 1.0
        for k in range(count):
            below = positions * self.size(variables[k])
            found = stored[k] if k < len(stored) else None
            if format.properties(k).full:
                positions = below
            elif found is not None:
                positions = min(float(max(found, 1)), below)
            else:
                positions = min(self.entries(access), below)
        return positions

    def prefixes(self, access: str, variables: Collection[str]) -> float:
        """How many combinations of coordinates of some modes a tensor has."""
        format = self.formats[access]
        modes = [v for v in self.accesses[access].indices if v in variables]
        everything = self.everywhere(modes)
        if format.all_dense or not modes:
            return everything
        if not format.is_permutation:
            return min(self.entries(access), everything)
        levels = level_variables(self.accesses[access], format)
        for count in range(1, len(levels) + 1):
            if set(modes) == set(levels[:count]):
                return self.positions(access, count)
            if set(modes) <= set(levels[:count]):
                return min(self.positions(access, count), self.entries(access), everything)
        return min(self.entries(access), everything)

    def fan(self, leaf: Stored, bound: Collection[str]) -> float:
        """The coordinates of a leaf's variable at given coordinates of others."""
        own = self.accesses[leaf.access].indices
        if leaf.variable not in own:
            return FAN
        known = [v for v in own if v in bound]
        return self.prefixes(leaf.access, [*known, leaf.variable]) / self.prefixes(
            leaf.access, known
        )

    def visits(
        self, domain: SetExpr, variable: str, bound: Collection[str]
    ) -> tuple[float, float]:
        """How many steps a loop over a domain takes, and how many coordinates it stays with."""
        size = self.size(variable)
        match domain:
            case Stored():
                count = self.fan(domain, bound)
                return count, count
            case Union(sets):
                parts = [self.visits(s, variable, bound) for s in sets]
                count = min(sum(own for _, own in parts), size)
                return _merged(parts), count
            case Intersection(sets):
                parts = [self.visits(s, variable, bound) for s in sets]
                sparse = [(steps, own) for steps, own in parts if own < size]
                if not sparse:
                    return size, size
                shared = size
                for _, own in sparse:
                    shared *= own / size
                return _merged(_searched(sparse)), shared
            case _:
                return size, size

    def nest(
        self, paths: Sequence[LoopPath], domains: Mapping[str, SetExpr]
    ) -> tuple[float, float]:
        """The steps of all loops of a nest, and how often its innermost statement runs."""

        def visits(variable: str, around: Sequence[str], _: Expr) -> tuple[float, float]:
            return self.visits(domains[variable], variable, around)

        def known(variables: Sequence[str]) -> tuple[str, ...]:
            return tuple(v for v in variables if v in domains)

        kept = [replace(p, around=known(p.around), own=known(p.own)) for p in paths]
        return nest_steps(kept, visits)

    # What to store in

    def keeps_rows(self, variable: str, entries: float) -> bool:
        """Whether a matrix should have every coordinate of its outer mode, not just stored ones."""
        return self.size(variable) <= EMPTY_ROWS * entries

    def search(self, variable: str, inserted: float) -> Search:
        """How a list of entries over a mode finds one again, of as many as are inserted in all."""
        size = self.size(variable)
        return "hash" if size > LONGEST_ARRAY and size > inserted else "dense"


def _merged(parts: Sequence[tuple[float, float]]) -> float:
    """The steps of walking several sets together."""
    steps = sum(own for own, _ in parts)
    return steps * MERGED if len(parts) > 1 else steps


def _searched(parts: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The parts of an intersection: what has very many coordinates is searched, not walked."""
    fewest = min(count for _, count in parts)
    return [
        (steps if count < UNEQUAL * fewest else 2 * fewest * log2(count / fewest), count)
        for steps, count in parts
    ]


def estimates_of(
    statement: Assignment, formats: Mapping[str, Format], statistics: Mapping[str, Statistics]
) -> Estimates:
    """Estimates for the loops of one statement."""
    accesses = (statement.result, *accesses_in(statement.expression))
    return Estimates({access.tensor: access for access in accesses}, formats, statistics)


def known_sizes(
    accesses: Mapping[str, Access], statistics: Mapping[str, Statistics]
) -> dict[str, float]:
    """Index variable -> size, as far as statistics tell it."""
    return {
        variable: float(max(size, 1))
        for name, known in statistics.items()
        if name in accesses
        for variable, size in zip(accesses[name].indices, known.sizes, strict=True)
        if size is not None
    }


Visits: TypeAlias = Callable[[str, Sequence[str], Expr], tuple[float, float]]
"""The steps of a loop inside of others, for an expression, and how often it runs what is inside."""


def nest_steps(paths: Sequence[LoopPath], visits: Visits) -> tuple[float, float]:
    """
    The steps of the loops of a nest, and how often its innermost statement runs.

    Args:
        paths: the loops of the statement, and those of the reductions in it.
        visits: what is known of each loop.

    >>> steps = {"i": (10.0, 5.0), "j": (4.0, 2.0)}
    >>> nest_steps([LoopPath((), ("i", "j"), Access("A", ("i", "j")))], lambda v, *_: steps[v])
    (40.0, 10.0)
    """
    total, runs, stays = 0.0, list[float](), dict[str, float]()
    for path in paths:
        often, around = prod(stays[variable] for variable in path.around), list(path.around)
        for variable in path.own:
            steps, stays[variable] = visits(variable, around, path.expression)
            total, often = total + often * steps, often * stays[variable]
            around.append(variable)
        total += often
        runs.append(often)
    return total, runs[0]
