"""The entries of a tensor in order, and selections of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tamale.dialects.format.selection import Selection, Symbol
from tamale.interpreters.meant import MeantTensor
from tamale.interpreters.remapping import Remapper
from tamale.interpreters.stored import StoredTensor

COMPARE: Mapping[Symbol, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


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
