"""
Which operands have to be converted so that loops exist that fit them all, and into what.

Rules, in this order:

1. Nothing is converted where loops exist as it is, and dense operands never are: they are located.
2. One conversion is better than several, and the cheapest operand goes first: the one with the
   fewest modes, of these the one with the fewest levels that store every coordinate (it is the
   sparsest, as far as its format tells), of these the one written last.
3. Where one is not enough, all are taken but those that turn out not to be needed, the dearest
   tried first.

The target stores plain modes in the order of the loops that the other operands ask for: a vector
and a tensor of three or more modes with all levels compressed, a matrix with the outer one dense.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tamale.dialects.errors import ScheduleError
from tamale.dialects.format.named import dense_format, name_of
from tamale.dialects.format.spec import Format, Level
from tamale.dialects.format.expressions import Var
from tamale.dialects.notation.ast import Access, Assignment
from tamale.passes.algebra.nests import Planner
from tamale.passes.algebra.repeats import check_repeats
from tamale.passes.algebra.terms import accesses_in


@dataclass(frozen=True)
class Conversions:
    """What to convert, and why."""

    targets: Mapping[str, Format]
    """Name of an access -> the format that it has to be in."""
    refusal: str = ""
    """What would be said if nothing were converted."""


def conversions_of_operands(statement: Assignment, formats: Mapping[str, Format]) -> Conversions:
    """
    The conversions that a statement needs; none if it needs none, or if none would help.

    `formats` covers the accesses of the statement and its result.
    """
    refusal = refusal_of(statement, formats)
    if refusal is None:
        return Conversions({})
    chooser = _Chooser(statement, formats)
    targets = chooser.single() or chooser.several()
    return Conversions(targets, _with_remedy(refusal, targets))


def refusal_of(statement: Assignment, formats: Mapping[str, Format]) -> str | None:
    """Why no loops fit the operands as they are stored, if so."""
    try:
        check_repeats(statement, Planner(statement, formats).plan(), formats)
    except ScheduleError as error:
        return str(error)
    return None


def _with_remedy(refusal: str, targets: Mapping[str, Format]) -> str:
    converted = ", ".join(f"{name} to {_shown(format)}" for name, format in targets.items())
    return f"{refusal}, or drop --no-conversions: {converted} would be converted"


def _shown(format: Format) -> str:
    return name_of(format) or str(format)


@dataclass(frozen=True)
class _Chooser:
    """Looks for the conversions that make loops possible."""

    statement: Assignment
    formats: Mapping[str, Format]

    def single(self) -> Mapping[str, Format]:
        """The cheapest one that does alone; empty if none does."""
        for access in self._cheapest_first():
            targets = self._targets([access])
            if targets:
                return targets
        return {}

    def several(self) -> Mapping[str, Format]:
        """Conversions none of which can be left out; empty if all of them are not enough."""
        chosen = self._cheapest_first()
        targets = self._targets(chosen)
        for access in reversed(chosen) if targets else ():
            fewer = [other for other in chosen if other != access]
            enough = self._targets(fewer)
            if enough:
                chosen, targets = fewer, enough
        return targets

    def _cheapest_first(self) -> list[Access]:
        accesses = accesses_in(self.statement.expression)
        sparse = [a for a in reversed(accesses) if not self.formats[a.tensor].all_dense]
        return sorted(sparse, key=lambda access: cost(self.formats[access.tensor]))

    def _targets(self, chosen: Sequence[Access]) -> dict[str, Format]:
        """Formats for the chosen accesses with which loops exist; empty if there are none."""
        located = {a.tensor: dense_format(len(a.indices)) for a in chosen}
        try:
            parts = Planner(self.statement, {**self.formats, **located}).parts()
        except ScheduleError:
            return {}
        orders = [(accesses_in(p.expression), p.ordering.order) for p in parts]
        targets: dict[str, Format] = {}
        for access in chosen:
            order = next(order for inside, order in orders if access in inside)
            assert isinstance(order, tuple)
            targets[access.tensor] = target_format(access, self.formats[access.tensor], order)
        fits = refusal_of(self.statement, {**self.formats, **targets}) is None
        return targets if fits else {}


def cost(format: Format) -> tuple[int, int]:
    """What a conversion costs, as far as the format tells: modes, and levels in full."""
    full = sum(format.properties(k).full for k in range(len(format.levels)))
    return format.order, full


def target_format(access: Access, format: Format, order: Iterable[str]) -> Format:
    """The format that holds an operand's modes in the order of loops, in the operand's widths."""
    modes = [access.indices.index(variable) for variable in order if variable in access.indices]
    kinds = ["compressed"] * len(modes)
    if len(modes) == 2:
        kinds[0] = "dense"
    names = format.modes
    levels = (Level(Var(names[mode]), kind) for mode, kind in zip(modes, kinds, strict=True))
    return Format(names, tuple(levels), format.pos, format.crd)
