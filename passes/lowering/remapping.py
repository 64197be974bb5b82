"""
Coordinates of a target from those of a source: the modes computed back, the target's level
expressions evaluated, counters counted. Likewise what a selection compares.

Source: Chou et al., PLDI 2020, sec. 4.2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.ir import SSAValue

from tamale.dialects.format.expressions import Counter, Expr, Var, counters
from tamale.dialects.format.invert import facts_of, invert, level_variable, value_from
from tamale.dialects.format.normal import normal_form
from tamale.dialects.format.selection import Selection, Symbol
from tamale.dialects.format.spec import Format
from tamale.dialects.format.substitution import substitute
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
                extents = [Extent(None, self.dims[mode]) for mode in counter.variables]
                hint = "count_" + "_".join(counter.variables)
                element = WIDTHS[entry_width(self.source)]
                self.counts[counter] = CounterState.array(self.emit, extents, hint, element)

    def reached(self, levels: int) -> None:
        """Inside of the loops of the first `levels` levels: counts that start anew here."""
        for counter in self.counters:
            if self._depth(counter) == levels:
                self.counts[counter] = CounterState.scalar(self.emit, "count")

    def release(self) -> None:
        """After the loops."""
        for state in self.counts.values():
            state.release(self.emit)

    def _depth(self, counter: Counter) -> int | None:
        """
        The number of outer levels whose loops run through the counter's variables, each value once.
        """
        levels = self.levels
        variables = [Var(mode) for mode in counter.variables]
        known = facts_of(variables)
        for depth in range(len(levels) + 1):
            if depth and not self.source.properties(depth - 1).unique:
                return None
            outer = facts_of(levels[:depth])
            if all(value_from(v, outer) is not None for v in variables):
                same = all(value_from(level, known) is not None for level in levels[:depth])
                return depth if same else None
        return None

    # Coordinates

    def coordinates(self, levels: Sequence[SSAValue]) -> list[SSAValue]:
        """The values of the expressions at an entry with these level coordinates."""
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
