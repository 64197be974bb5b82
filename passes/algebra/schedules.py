"""
The cheapest way to compute a statement with reductions: an order of loops, and what has to be
converted so that they can run.

Every order of the index variables is considered. For each, the operands that cannot be walked in
it are converted to one that can; the result is written as it is to be stored where the loops reach
its entries in order or row by row, and is otherwise computed in the loops' own order, or as a list
of terms, and converted. The estimated cost decides; what needs no conversion is preferred unless
something else is `CLEARLY` cheaper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations, product
from math import inf

from tamale.dialects.errors import ScheduleError
from tamale.dialects.format.expressions import Var
from tamale.dialects.format.search import Search
from tamale.dialects.format.spec import Format, Level
from tamale.dialects.format.statistics import Statistics
from tamale.dialects.level_variables import level_variables
from tamale.dialects.notation.ast import Access, Assignment, Expr, Reduce
from tamale.passes.algebra.derivation import derive_domain
from tamale.passes.algebra.estimates import (
    COMBINED,
    ROW_ENTRY,
    SORTED_ENTRY,
    Estimates,
    converted_entry,
    estimates_of,
    nest_steps,
)
from tamale.passes.algebra.loop_order import access_edges
from tamale.passes.algebra.loop_paths import loop_paths
from tamale.passes.algebra.nests import Planner
from tamale.passes.algebra.scattering import Reach, reach
from tamale.passes.algebra.simplification import simplify
from tamale.passes.algebra.terms import accesses_in

CLEARLY = 3.0
WRITTEN: Mapping[Reach, float] = {"in order": 0.0, "by rows": ROW_ENTRY}
"""Steps to write an entry, besides those of the loops."""
NOTHING_KNOWN: Mapping[str, Statistics] = {}
MOST_LOOPS = 6
"""The orders of more loops than this are not tried one by one."""


@dataclass(frozen=True)
class Schedule:
    """An order of loops with the formats that it needs, and the steps that it is estimated at."""

    cost: float
    order: tuple[str, ...] | None
    """None: the order that the rules choose."""
    targets: Mapping[str, Format]
    """Name of an access, or of the result -> the format that it is converted to, or from."""
    runs: float
    """How often the innermost statement is estimated to run."""
    search: Search = "dense"
    """How a list of the result's entries finds one again."""


@dataclass(frozen=True)
class Scheduler:
    """Compares the schedules of one statement; `formats` covers its operands and its result."""

    statement: Assignment
    formats: Mapping[str, Format]
    statistics: Mapping[str, Statistics] = field(default_factory=lambda: NOTHING_KNOWN)
    """How large tensors are, as far as that is known."""
    order: tuple[str, ...] | None = None
    """The loops that were asked for, outermost first."""
    appendable: bool = True
    """Whether the levels of the result, as it is to be stored, can be appended to."""

    def best(self) -> Schedule | None:
        """The schedule to take; None if there is none that one nest of loops could run."""
        own, found = self.unconverted(), self._cheapest()
        if found is not None and (own is None or found.cost * CLEARLY < own.cost):
            return self._without_needless_order(found)
        return own

    def unconverted(self) -> Schedule | None:
        """The schedule without any conversion, in the order that the rules choose."""
        result = self.statement.result
        format = self.formats[result.tensor]
        if not (self.appendable and format.is_permutation):
            return None
        try:
            parts = Planner(self.statement, self.formats, self.order).parts()
        except ScheduleError:
            return None
        cost, runs, searches = 0.0, 0.0, list[Search]()
        for part in parts:
            order, domains = part.ordering.order, part.ordering.domains
            assert isinstance(order, tuple)
            how = self._reach(format, order)
            if how == "scattered":
                return None
            paths = loop_paths(result, part.operator, part.expression, order)
            steps, often = self.estimates.nest(paths, domains)
            cost, runs = cost + steps + often * WRITTEN[how], runs + often
            searches.append(self._search(how, format, often))
        search = "hash" if "hash" in searches else "dense"
        return Schedule(cost, None, {}, runs, search)

    def _cheapest(self) -> Schedule | None:
        """The cheapest of the schedules that Planner accepts."""
        return next(filter(self._runs, self.candidates), None)

    @cached_property
    def candidates(self) -> list[Schedule]:
        """The schedules of every order, the cheapest first; not all of them can run."""
        variables = dict.fromkeys(
            v for a in (self.statement.result, *self.operands) for v in a.indices
        )
        orders = permutations(variables) if self.order is None else (self.order,)
        if len(variables) > MOST_LOOPS or sorted(self.order or variables) != sorted(variables):
            return []
        found = [s for order in orders for s in self._in_order(order)]
        return sorted(found, key=lambda s: (s.cost, len(s.targets)))

    def _in_order(self, order: tuple[str, ...]) -> Iterator[Schedule]:
        """The schedules of an order: what to convert, and what to compute the result in."""
        result = self.statement.result
        paths = loop_paths(result, None, self.statement.expression, order)
        steps, runs = nest_steps(paths, self._visits)
        name = result.tensor
        for turned, computed in product(self._turned(order), self._computed_formats(order, runs)):
            how = self._reach(computed, order)
            if how == "scattered":
                continue
            targets = {access.tensor: self._target(access, order) for access in turned}
            converted = sum(self.estimates.conversion(other) for other in targets)
            cost = converted + steps + runs * WRITTEN[how]
            if computed != self.formats[name]:
                targets[name] = computed
                combined = runs * converted_entry(computed.order) / COMBINED
                cost += runs * SORTED_ENTRY if computed.may_repeat else combined
            yield Schedule(cost, order, targets, runs, self._search(how, computed, runs))

    def _reach(self, format: Format, order: tuple[str, ...]) -> Reach:
        """How the result is reached, stored in this format."""
        expression = self.statement.expression
        operator = expression.operator if isinstance(expression, Reduce) else None
        return reach(self.statement.result, format, order, operator)

    def _search(self, how: Reach, format: Format, runs: float) -> Search:
        """How a list of entries along the result's last level finds one again, if one is needed."""
        if how != "by rows":
            return "dense"
        return self.estimates.search(level_variables(self.statement.result, format)[-1], runs)

    def _turned(self, order: tuple[str, ...]) -> Iterator[list[Access]]:
        """
        The operands to convert: those that cannot be walked in this order; and with them those
        whose coordinates are in none, which are merged with nothing.
        """
        turned = [access for access in self.operands if not self._walks(access, order)]
        yield turned
        more = [a for a in self.operands if a in turned or not is_ordered(self.formats[a.tensor])]
        if len(more) > len(turned):
            yield more

    def _walks(self, access: Access, order: tuple[str, ...]) -> bool:
        """Whether an operand can be walked as it is stored."""
        edges = self._hard_edges[access.tensor]
        return edges is not None and all(order.index(a) < order.index(b) for a, b in edges)

    @cached_property
    def _hard_edges(self) -> dict[str, list[tuple[str, str]] | None]:
        """Operand -> which loops have to be outside of which; None: it cannot be walked so."""
        edges: dict[str, list[tuple[str, str]] | None] = {}
        for access in self.operands:
            format = self.formats[access.tensor]
            plain = format.is_permutation and not format.may_repeat
            hard = [e for e in access_edges(access, format) if e.hard] if plain else []
            edges[access.tensor] = [(e.source, e.target) for e in hard] if plain else None
        return edges

    def _computed_formats(self, order: tuple[str, ...], runs: float) -> Iterator[Format]:
        """As stored, if loops can append to it so; in the loops' own order; as a list of terms."""
        result = self.statement.result
        format = self.formats[result.tensor]
        if self.appendable and format.is_permutation:
            modes = [order.index(result.indices[mode]) for mode in format.mode_order]
            if [*modes[: format.tail], *sorted(modes[format.tail :])] == sorted(modes):
                yield format
        if not format.all_dense:
            yield self._target(result, order, runs)
            yield list_of_terms(result, format, order)

    def _target(
        self, access: Access, order: tuple[str, ...], at_most: float = inf
    ) -> Format:
        """A tensor's modes in the order of loops; it has `at_most` so many entries."""
        own = tuple(variable for variable in order if variable in access.indices)
        entries = min(self.estimates.entries(access.tensor), at_most)
        rows = not own or self.estimates.keeps_rows(own[0], entries)
        if (access, own, rows) not in self._targets:
            format = target_format(access, self.formats[access.tensor], own, rows=rows)
            self._targets[access, own, rows] = format
        return self._targets[access, own, rows]

    def _visits(
        self, variable: str, around: Sequence[str], expression: Expr
    ) -> tuple[float, float]:
        """The steps of a loop inside of others, and how often it runs what is inside."""
        outer = frozenset(around)
        if (variable, outer) not in self._visited:
            domain = derive_domain(expression, variable, set(outer))
            found = self.estimates.visits(simplify(domain, variable), variable, outer)
            self._visited[variable, outer] = found
        return self._visited[variable, outer]

    @cached_property
    def _targets(self) -> dict[tuple[Access, tuple[str, ...], bool], Format]:
        """What `_target` has found."""
        return {}

    @cached_property
    def _visited(self) -> dict[tuple[str, frozenset[str]], tuple[float, float]]:
        """What `_visits` has found: it depends on which loops are outside, not on their order."""
        return {}

    @cached_property
    def estimates(self) -> Estimates:
        return estimates_of(self.statement, self.formats, self.statistics)

    def _runs(self, schedule: Schedule) -> bool:
        """Whether one nest of loops can run so."""
        formats = {**self.formats, **schedule.targets}
        try:
            parts = Planner(self.statement, formats, schedule.order).parts()
        except ScheduleError:
            return False
        return len(parts) == 1

    def _without_needless_order(self, schedule: Schedule) -> Schedule:
        """The schedule without its order, if it was asked for or the rules choose the same one."""
        if self.order is not None:
            return replace(schedule, order=None)
        try:
            parts = Planner(self.statement, {**self.formats, **schedule.targets}).parts()
        except ScheduleError:
            return schedule
        same = len(parts) == 1 and parts[0].ordering.order == schedule.order
        return replace(schedule, order=None) if same else schedule

    @cached_property
    def operands(self) -> tuple[Access, ...]:
        return accesses_in(self.statement.expression)


def is_ordered(format: Format) -> bool:
    """Whether coordinates ascend in every level."""
    return all(format.properties(k).ordered for k in range(len(format.levels)))


def target_format(
    access: Access, format: Format, order: tuple[str, ...], *, rows: bool = True
) -> Format:
    """
    The format that holds a tensor's modes in the order of loops, in the tensor's own widths.

    Modes that have no loop, since they are equal to others, come last. The outer level of a matrix
    has every coordinate if `rows`; all other levels have only those below which is something.
    """
    variables = [variable for variable in order if variable in access.indices]
    modes = [access.indices.index(v) for v in dict.fromkeys((*variables, *access.indices))]
    kinds = ["compressed"] * len(modes)
    if len(modes) == 2 and rows:
        kinds[0] = "dense"
    names = format.modes
    levels = (Level(Var(names[mode]), kind) for mode, kind in zip(modes, kinds, strict=True))
    return Format(names, tuple(levels), format.pos, format.crd)


def list_of_terms(access: Access, format: Format, order: tuple[str, ...]) -> Format:
    """Coordinates and values as they are computed; those of equal coordinates are to be summed."""
    modes = [access.indices.index(variable) for variable in order if variable in access.indices]
    again = (("unique", False), ("ordered", False))
    kinds = ["compressed"] + ["singleton"] * (len(modes) - 1)
    levels = (
        Level(Var(format.modes[mode]), kind, again) for mode, kind in zip(modes, kinds, strict=True)
    )
    return Format(format.modes, tuple(levels), format.pos, format.crd)
