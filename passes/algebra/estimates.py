"""
What loops cost, as far as formats tell: the model by which schedules are compared.

A tensor's entries are assumed to be spread evenly. Where nothing better is known, every mode has
`SIZE` coordinates, and below each coordinate of a sparse tensor's other modes are `FAN` of its
last one. A loop over a union visits what its parts visit, one over an intersection walks all of
its sparse parts and stays with the coordinates that they share; a universe is walked in full. What
is counted are steps of loops; inserting into a list, sorting and converting cost a number of them
per entry.

Source: the weights are measured (docs/rationale/schedules.md); the model is the usual one of
relational optimisers (Selinger et al., SIGMOD 1979).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tamale.dialects.cin.sets import Intersection, SetExpr, Stored, Union
from tamale.dialects.format.spec import Format
from tamale.dialects.notation.ast import Access

SIZE = 1000.0
FAN = 10.0
ROW_ENTRY, SORTED_ENTRY, CONVERTED_ENTRY = 11.0, 30.0, 7.0
"""
Steps per entry: into a list of a row, into a sorted list of all, through a conversion of a matrix.
"""
COMBINED = 2.5
"""How many terms of a reduction over sparse operands meet in one entry of the result."""


def converted_entry(order: int) -> float:
    """Steps per entry of a conversion: matrices are counted out by rows, other tensors sorted."""
    return CONVERTED_ENTRY if order <= 2 else SORTED_ENTRY


@dataclass(frozen=True)
class Estimates:
    """How many entries tensors have, and what loops over them cost."""

    accesses: Mapping[str, Access]
    formats: Mapping[str, Format]
    known: Mapping[str, float]
    """The entries of a tensor, where that is known."""

    def entries(self, access: str) -> float:
        """The stored entries of a tensor."""
        if access in self.known:
            return self.known[access]
        order = len(self.accesses[access].indices)
        if self.formats[access].all_dense:
            return SIZE**order
        return SIZE / FAN if order == 1 else SIZE * FAN ** (order - 1)

    def conversion(self, access: str) -> float:
        """The steps to convert a tensor."""
        return self.entries(access) * converted_entry(len(self.accesses[access].indices))

    def prefixes(self, access: str, variables: Collection[str]) -> float:
        """How many combinations of coordinates of some modes a tensor has."""
        own = self.accesses[access].indices
        modes = sum(v in variables for v in own)
        if self.formats[access].all_dense:
            return SIZE**modes
        return min(self.entries(access), SIZE**modes)

    def fan(self, leaf: Stored, bound: Collection[str]) -> float:
        """The coordinates of a leaf's variable at given coordinates of others."""
        own = self.accesses[leaf.access].indices
        if leaf.variable not in own:
            return FAN
        known = [v for v in own if v in bound]
        return self.prefixes(leaf.access, [*known, leaf.variable]) / self.prefixes(
            leaf.access, known
        )

    def visits(self, domain: SetExpr, bound: Collection[str]) -> tuple[float, float]:
        """How many steps a loop over a domain takes, and how many coordinates it stays with."""
        match domain:
            case Stored():
                count = self.fan(domain, bound)
                return count, count
            case Union(sets):
                parts = [self.visits(s, bound) for s in sets]
                count = min(sum(own for _, own in parts), SIZE)
                return sum(steps for steps, _ in parts), count
            case Intersection(sets):
                parts = [self.visits(s, bound) for s in sets]
                sparse = [(steps, own) for steps, own in parts if own < SIZE]
                if not sparse:
                    return SIZE, SIZE
                shared = SIZE
                for _, own in sparse:
                    shared *= own / SIZE
                return sum(steps for steps, _ in sparse), shared
            case _:
                return SIZE, SIZE

    def nest(self, order: Sequence[str], domains: Mapping[str, SetExpr]) -> tuple[float, float]:
        """The steps of all loops in an order, and how often the innermost body runs."""
        loops = [(k, domains[v]) for k, v in enumerate(order) if v in domains]
        return nest_steps(self.visits(domain, order[:k]) for k, domain in loops)


def nest_steps(loops: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """
    The steps of nested loops, and how often the innermost body runs.

    Args:
        loops: outermost first, the steps of a loop, and how often it runs what is inside.

    >>> nest_steps([(10, 5), (4, 2)])
    (40.0, 10.0)
    """
    total, runs = 0.0, 1.0
    for steps, stays in loops:
        total, runs = total + runs * steps, runs * stays
    return total + runs, runs
