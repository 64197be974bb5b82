"""
Which operands have to be converted so that loops exist that fit them all, and into what.

Rules, in this order:

1. Nothing is converted where loops exist as it is, and dense operands never are: they are located.
   What is asked for entries, and padded, is converted in any case (`padding.py`).
2. One conversion is better than several, and the cheapest operand goes first: the one with the
   fewest estimated steps, of these the one with the fewest levels that store every coordinate (it
   is the sparsest, as far as its format tells), of these the one written last.
3. Where one is not enough, all are taken but those that turn out not to be needed, the dearest
   tried first.

The target stores plain modes in the order of the loops that the other operands ask for: a vector
and a tensor of three or more modes with all levels compressed, a matrix with the outer one dense.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from tamale.dialects.errors import ScheduleError
from tamale.dialects.format.named import dense_format, name_of
from tamale.dialects.format.search import Search
from tamale.dialects.format.spec import Format
from tamale.dialects.format.statistics import Statistics
from tamale.dialects.notation.ast import Access, Assignment
from tamale.passes.algebra.choices import is_scheduled
from tamale.passes.algebra.estimates import Estimates, estimates_of
from tamale.passes.algebra.nests import Planner
from tamale.passes.algebra.padding import padded_accesses, padding_refusal
from tamale.passes.algebra.schedules import NOTHING_KNOWN, Scheduler, target_format
from tamale.passes.algebra.terms import accesses_in


@dataclass(frozen=True)
class Conversions:
    """What to convert, and why."""

    targets: Mapping[str, Format]
    """Name of an access, or of the result -> the format that it has to be in."""
    refusal: str | None = None
    """What is to be said if nothing may be converted; None if a later pass says it."""
    order: tuple[str, ...] | None = None
    """The loops to run, outermost first; None if the rules choose."""
    search: Search = "dense"
    """How a list of the result's entries finds one again."""


def choose_conversions(
    statement: Assignment,
    formats: Mapping[str, Format],
    order: tuple[str, ...] | None = None,
    *,
    appendable: bool,
    padded: Set[str] = frozenset(),
    statistics: Mapping[str, Statistics] = NOTHING_KNOWN,
) -> Conversions:
    """
    The conversions that a statement needs; none if it needs none, or if none would help.

    Args:
        formats: of the accesses of the statement and of its result.
        order: the loops that were asked for, outermost first.
        appendable: whether the result's levels can be appended to.
        padded: the accesses of tensors of which nothing tells padding from entries.
        statistics: how large operands are, as far as that is known.
    """
    asked = padded_accesses(statement, padded)
    if not asked:
        return _conversions(statement, formats, order, statistics, appendable=appendable)
    exact = exact_targets(statement, formats, statistics, asked)
    others = _conversions(
        statement, {**formats, **exact}, order, statistics, appendable=appendable
    )
    targets = {**exact, **others.targets}
    refusal = _with_remedy(padding_refusal(statement, formats, asked), statement, targets)
    return replace(others, targets=targets, refusal=refusal)


def exact_targets(
    statement: Assignment,
    formats: Mapping[str, Format],
    statistics: Mapping[str, Statistics],
    asked: Sequence[Access],
) -> Mapping[str, Format]:
    """Formats without padding for accesses, such that loops exist if other operands allow any."""
    chooser = _Chooser(statement, formats, estimates_of(statement, formats, statistics))
    own = {a.tensor: target_format(a, formats[a.tensor], a.indices) for a in asked}
    return chooser.targets(asked) or own


def _conversions(
    statement: Assignment,
    formats: Mapping[str, Format],
    order: tuple[str, ...] | None,
    statistics: Mapping[str, Statistics],
    *,
    appendable: bool,
) -> Conversions:
    """The conversions that loops need."""
    refusal, result = refusal_of(statement, formats, order), statement.result
    if order is not None or is_scheduled(statement, formats):
        scheduler = Scheduler(statement, formats, statistics, order, appendable)
        schedule = scheduler.best()
        if schedule is not None:
            if refusal is not None:
                refusal = _with_remedy(refusal, statement, schedule.targets)
            return Conversions(schedule.targets, refusal, schedule.order, schedule.search)
    if order is not None or (refusal is None and appendable):
        return Conversions({})
    targets: dict[str, Format] = {}
    if not (appendable and formats[result.tensor].is_permutation):
        targets[result.tensor] = computed_format(statement, formats, statistics)
    chosen = operand_targets(statement, {**formats, **targets}, statistics)
    if chosen is None:
        return Conversions({})
    targets.update(chosen)
    if refusal is not None:
        refusal = _with_remedy(refusal, statement, targets)
    return Conversions(targets, refusal)


def computed_format(
    statement: Assignment, formats: Mapping[str, Format], statistics: Mapping[str, Statistics]
) -> Format:
    """The format to compute a result in that cannot be appended to as it is to be stored."""
    result = statement.result
    dense = {**formats, result.tensor: dense_format(len(result.indices))}
    planner = Planner(statement, dense)
    try:
        order = planner.parts()[0].ordering.loops
    except ScheduleError:
        order = result.indices  # Operands have to be converted as well: into the order written.
    estimates = estimates_of(statement, formats, statistics)
    entries = sum(estimates.entries(access.tensor) for access in accesses_in(statement.expression))
    rows = not order or estimates.keeps_rows(order[0], entries)
    return target_format(planner.untied.result, formats[result.tensor], order, rows=rows)


def operand_targets(
    statement: Assignment, formats: Mapping[str, Format], statistics: Mapping[str, Statistics]
) -> Mapping[str, Format] | None:
    """Formats for the operands that do not fit as they are; None if no conversion would help."""
    if refusal_of(statement, formats) is None:
        return {}
    chooser = _Chooser(statement, formats, estimates_of(statement, formats, statistics))
    return chooser.single() or chooser.several() or None


def refusal_of(
    statement: Assignment,
    formats: Mapping[str, Format],
    order: tuple[str, ...] | None = None,
) -> str | None:
    """Why no loops fit the operands as they are stored, if so."""
    try:
        Planner(statement, formats, order).parts()
    except ScheduleError as error:
        return str(error)
    return None


def _with_remedy(refusal: str, statement: Assignment, targets: Mapping[str, Format]) -> str:
    steps = [
        f"{name} would be {'computed in' if name == statement.result.tensor else 'converted to'} "
        f"{_shown(format)}"
        for name, format in targets.items()
    ]
    return f"{refusal}, or drop --no-conversions: {', '.join(steps)}"


def _shown(format: Format) -> str:
    return name_of(format) or str(format)


@dataclass(frozen=True)
class _Chooser:
    """Looks for the conversions that make loops possible."""

    statement: Assignment
    formats: Mapping[str, Format]
    estimates: Estimates

    def single(self) -> Mapping[str, Format]:
        """The cheapest one that does alone; empty if none does."""
        for access in self._cheapest_first():
            targets = self.targets([access])
            if targets:
                return targets
        return {}

    def several(self) -> Mapping[str, Format]:
        """Conversions none of which can be left out; empty if all of them are not enough."""
        chosen = self._cheapest_first()
        targets = self.targets(chosen)
        for access in reversed(chosen) if targets else ():
            fewer = [other for other in chosen if other != access]
            enough = self.targets(fewer)
            if enough:
                chosen, targets = fewer, enough
        return targets

    def _cheapest_first(self) -> list[Access]:
        accesses = accesses_in(self.statement.expression)
        sparse = [a for a in reversed(accesses) if not self.formats[a.tensor].all_dense]
        return sorted(sparse, key=self._cost)

    def _cost(self, access: Access) -> tuple[float, int]:
        """The steps of a conversion, and how many levels are in full."""
        format = self.formats[access.tensor]
        full = sum(format.properties(k).full for k in range(len(format.levels)))
        return self.estimates.conversion(access.tensor), full

    def targets(self, chosen: Sequence[Access]) -> dict[str, Format]:
        """Formats for the chosen accesses with which loops exist; empty if there are none."""
        located = {a.tensor: dense_format(len(a.indices)) for a in chosen}
        try:
            parts = Planner(self.statement, {**self.formats, **located}).parts()
        except ScheduleError:
            return {}
        orders = {a.tensor: (a, p.ordering.loops) for p in parts for a in accesses_in(p.expression)}
        targets: dict[str, Format] = {}
        for access in chosen:
            (apart, order), name = orders[access.tensor], access.tensor
            outer = next(v for v in (*order, *access.indices) if v in access.indices)
            rows = self.estimates.keeps_rows(outer, self.estimates.entries(name))
            targets[name] = target_format(apart, self.formats[name], order, rows=rows)
        fits = refusal_of(self.statement, {**self.formats, **targets}) is None
        return targets if fits else {}
