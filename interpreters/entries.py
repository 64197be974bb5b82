"""The entries of a tensor in order: selections, remapped coordinates, and what counters count."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tamale.dialects.format.expressions import Counter, Expr, counters, evaluate
from tamale.dialects.format.selection import Selection, Symbol
from tamale.interpreters.meant import MeantTensor
from tamale.interpreters.stored import StoredTensor

COMPARE: Mapping[Symbol, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


@dataclass
class Remapper:
    """Evaluates expressions over modes at one entry after the other."""

    modes: Sequence[str]
    expressions: Sequence[Expr]
    tallies: dict[Counter, Tally[tuple[int, ...]]] = field(
        default_factory=dict[Counter, Tally[tuple[int, ...]]]
    )

    def __post_init__(self) -> None:
        self.counters = frozenset[Counter]().union(*map(counters, self.expressions))
        self.tallies = {counter: Tally() for counter in self.counters}

    def next(self, coordinates: Sequence[int]) -> tuple[int, ...]:
        """The values at the next entry."""
        values = dict(zip(self.modes, coordinates, strict=True))
        counts: dict[Counter, int] = {}
        for counter, tally in self.tallies.items():
            group = tuple(values[mode] for mode in counter.variables)
            counts[counter] = tally[group]
            tally[group] += 1
        return tuple(evaluate(e, values, counts) for e in self.expressions)


def selected(
    tensor: StoredTensor | MeantTensor, selection: Selection | None
) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Coordinates and value of every entry that is selected, in order; counters count all."""
    sides = Remapper(tensor.format.modes, [] if selection is None else selection.expressions)
    for coordinates, value in tensor.nonzeros():
        values = sides.next(coordinates)
        comparisons = () if selection is None else selection.comparisons
        if all(
            COMPARE[comparison.symbol](values[2 * k], values[2 * k + 1])
            for k, comparison in enumerate(comparisons)
        ):
            yield coordinates, value
