"""Remapped coordinates of one entry after the other, and what counters count."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence
from dataclasses import dataclass, field

from tamale.dialects.format.expressions import Counter, Expr, counters, evaluate
from tamale.dialects.format.spec import Format


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

    @classmethod
    def to_levels(cls, format: Format) -> Remapper:
        """What the levels of a format store of each entry."""
        return cls(format.modes, [level.expression for level in format.levels])

    def next(self, coordinates: Sequence[int]) -> tuple[int, ...]:
        """The values at the next entry."""
        values = dict(zip(self.modes, coordinates, strict=True))
        counts: dict[Counter, int] = {}
        for counter, tally in self.tallies.items():
            group = tuple(values[mode] for mode in counter.variables)
            counts[counter] = tally[group]
            tally[group] += 1
        return tuple(evaluate(e, values, counts) for e in self.expressions)
