"""
Coordinates of a target from those of a source: the modes computed back, the target's level
expressions evaluated, counters counted. Likewise what a selection compares.

Source: Chou et al., PLDI 2020, sec. 4.2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import SSAValue

from tamale.dialects.format.expressions import Counter, Expr, Var, counters
from tamale.dialects.format.invert import invert, level_variable
from tamale.dialects.format.normal import normal_form
from tamale.dialects.format.selection import Selection, Symbol
from tamale.dialects.format.spec import Format
from tamale.dialects.format.substitution import substitute
from tamale.passes.algebra.runs import run_depth
from tamale.passes.emit.emitter import Emitter
from tamale.passes.emit.upstream import Predicate
from tamale.passes.levels.counting import entry_width
from tamale.passes.lowering.coordinates import CounterState, Extent, emit_level_expression
from tamale.passes.lowering.level_context import dimension_values
from tamale.passes.lowering.storage import WIDTHS

PREDICATES: Mapping[Symbol, Predicate] = {
    "<": "slt",
    "<=": "sle",
    ">": "sgt",
    ">=": "sge",
    "==": "eq",
    "!=": "ne",
}


def in_modes_of(format: Format, other: Format) -> list[Expr]:
    """The level expressions of `format` over the modes of `other`, which has as many."""
    names = {a: Var(b) for a, b in zip(format.modes, other.modes, strict=True)}
    return [substitute(level.expression, names) for level in format.levels]


@dataclass
class Remapping:
    """Values of expressions over a source's modes inside of the loops over its entries."""

    emit: Emitter
    source: Format
    expressions: Sequence[Expr]
    """Over the source's modes, such as the level expressions of a target."""
    dims: Mapping[str, SSAValue]
    """The source's modes -> their dimension sizes."""
    numbered: bool = True
    """Whether one number may count where loops run through a counter's variables."""
    counts: dict[Counter, CounterState] = field(default_factory=dict[Counter, CounterState])

    def __post_init__(self) -> None:
        self.counters = sorted(
            frozenset[Counter]().union(*map(counters, self.expressions)),
            key=lambda counter: counter.variables,
        )
        self.levels = [normal_form(level.expression) for level in self.source.levels]

    # Counters

    def open_arrays(self) -> None:
        """Before the loops: an array for every counter that one number cannot serve."""
        for counter in self.counters:
            if self._depth(counter) is None:
                extents, hint = self.extents(counter), counts_hint(counter)
                self.counts[counter] = CounterState.array(self.emit, extents, hint, self.element)

    @property
    def arrays(self) -> list[Counter]:
        """The counters that one number cannot serve."""
        return [counter for counter in self.counters if self._depth(counter) is None]

    def extents(self, counter: Counter) -> list[Extent]:
        """What values the variables of a counter have."""
        return [Extent(None, self.dims[mode]) for mode in counter.variables]

    @property
    def element(self) -> IntegerType:
        """What holds the counts of a counter in an array."""
        return WIDTHS[entry_width(self.source)]

    def reached(self, levels: int, begun: Callable[[], SSAValue] | None = None) -> None:
        """
        Inside of the loops of the first `levels` levels: counts that start anew here, from the
        number that `begun` gives, or from 0.
        """
        for counter in self.counters:
            if self._depth(counter) == levels:
                count = None if begun is None else begun()
                self.counts[counter] = CounterState.scalar(self.emit, "count", count)

    def release(self) -> None:
        """After the loops."""
        for state in self.counts.values():
            state.release(self.emit)

    def _depth(self, counter: Counter) -> int | None:
        """
        The number of outer levels whose loops run through the counter's variables, each value once.
        """
        if not self.numbered:
            return None
        unique = (self.source.properties(k).unique for k in range(len(self.levels)))
        levels = list(zip(self.levels, unique, strict=True))
        return run_depth(levels, [Var(mode) for mode in counter.variables])

    # Coordinates

    def coordinates(self, levels: Sequence[SSAValue]) -> list[SSAValue]:
        """The values of the expressions at an entry with these level coordinates."""
        values, nonnegative = self._modes(levels)
        counted = {
            counter: self._next(counter, [values[v] for v in counter.variables])
            for counter in self.counters
        }
        stored = self._stored(levels)
        signs = [*nonnegative, *self.source.modes]
        return [
            stored.get(normal_form(expression))
            or emit_level_expression(
                self.emit, expression, values, nonnegative=signs, counters=counted
            )
            for expression in self.expressions
        ]

    def counter_values(self, levels: Sequence[SSAValue]) -> dict[Counter, list[SSAValue]]:
        """Counters in arrays -> the values of their variables at an entry."""
        values, _ = self._modes(levels)
        return {counter: [values[v] for v in counter.variables] for counter in self.arrays}

    def _modes(self, levels: Sequence[SSAValue]) -> tuple[dict[str, SSAValue], list[str]]:
        """Values of the modes and of all else that they follow from; which are not negative."""
        values = dimension_values(list(self.dims), list(self.dims.values()))
        for k, coordinate in enumerate(levels):
            values[level_variable(k)] = coordinate
        modes = dict(zip(self.source.modes, invert(self.source), strict=True))
        nonnegative = [
            level_variable(k) for k, mode in enumerate(self.source.stored_modes) if mode is not None
        ]
        for mode, expression in modes.items():
            value = emit_level_expression(self.emit, expression, values, nonnegative=nonnegative)
            if value.name_hint is None:
                value.name_hint = mode
            values[mode] = value
        return values, nonnegative

    def _stored(self, levels: Sequence[SSAValue]) -> dict[Expr, SSAValue]:
        """Expressions that are coordinates of the source already."""
        return {
            expression: coordinate
            for expression, coordinate in zip(self.levels, levels, strict=True)
            if not counters(expression)
        }

    def _next(self, counter: Counter, values: Sequence[SSAValue]) -> SSAValue:
        value = self.counts[counter].next(self.emit, values)
        value.name_hint = "k"
        return value


def counts_hint(counter: Counter) -> str:
    """What an array of a counter's counts is called."""
    return "_".join(("count", *counter.variables))


class Selected:
    """Whether an entry of a source is selected."""

    def __init__(
        self, emit: Emitter, source: Format, selection: Selection, dims: Mapping[str, SSAValue]
    ) -> None:
        self.emit, self.selection = emit, selection
        self.sides = Remapping(emit, source, selection.expressions, dims)
        """What is compared; opened, reached and released with the loops like any remapping."""

    def holds(self, levels: Sequence[SSAValue]) -> SSAValue:
        """Whether the comparisons hold at an entry with these level coordinates."""
        sides = self.sides.coordinates(levels)
        result: SSAValue | None = None
        for k, comparison in enumerate(self.selection.comparisons):
            predicate = PREDICATES[comparison.symbol]
            one = self.emit.compare(predicate, sides[2 * k], sides[2 * k + 1])
            result = one if result is None else self.emit.and_(result, one)
        assert result is not None
        result.name_hint = "selected"
        return result
