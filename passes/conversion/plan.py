"""
How to convert: what each level of the target needs from the order of the source.

A level whose kind hands out positions (`yield_pos`) may need its entries in order, and may have to
give entries with equal coordinates one position. Both are free where the source's order allows it
(`arrival.py`); where it does not, the entries are first sorted as a list of the target's level
coordinates, from which everything arrives in order. Rules, in this order:

1. A target that counts (`#i`) gives every entry a place of its own, and one that must know how many
   different coordinates there are would mark each of them: for both, a source that may hold
   duplicates is summed up into sorted coordinates first.
2. If some level needs an order that the source does not have, the entries are sorted first.
3. Otherwise the source is converted directly.

Levels are assembled in groups, top down; a level with edges begins one, unless all levels above it
in the group are known without a look at the entries. Its edges come from the level's queries, one
row per parent (`bulk`), or are counted while the entries are walked. Counting is chosen where equal
coordinates share positions, where the query would be such a walk by itself (the source's positions
do not tell how many entries a parent has, and parents follow from coordinates), or where the
queries' results would be larger than the modes: no temporary is larger than a small multiple of the
entries and the modes' sizes.

Source: Chou et al., PLDI 2020, sec. 6.2; what it leaves open is stated above.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expressions import Binary, Const, Expr, Var, counters, free_variables
from tamale.dialects.format.invert import facts_of, invert, value_from
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.normal import normalize
from tamale.dialects.format.spec import Format, Level
from tamale.dialects.format.substitution import inline_lets, substitute
from tamale.dialects.query.select import EVERY, Select
from tamale.passes.algebra.arrival import arrives_in_order
from tamale.passes.levels import storage_kind
from tamale.passes.levels.counting import countable_levels

Position: TypeAlias = Literal["get", "yield", "append"]
Edges: TypeAlias = Literal["sequenced", "unsequenced", "counted"]
Route: TypeAlias = Literal["direct", "sorted", "summed"]


@dataclass(frozen=True)
class LevelPlan:
    """How one level is assembled."""

    number: int
    position: Position
    """From coordinates, one after the other, or one per different coordinate in order."""
    first_over: int = 0
    """`append`: entries that agree in this many levels share a position; 0: none do."""
    edges: Edges | None = None
    queries: tuple[Select, ...] = ()
    """Over the coordinates `l0`, `l1`, ...; only those that are made use of."""


@dataclass(frozen=True)
class ConversionPlan:
    """How a source becomes a target."""

    source: Format
    target: Format
    route: Route
    why: str
    """What decided the route, for remarks."""
    levels: tuple[LevelPlan, ...]
    adding: bool
    """Whether several entries may share a place: values are added up."""

    @cached_property
    def groups(self) -> tuple[range, ...]:
        """
        Levels that are assembled in one pass over the entries, top down.

        A level with edges needs the levels above: it begins a group if some of those in the group
        before it are made while the entries are walked.
        """
        starts = [0]
        for plan in self.levels:
            above = self.target.levels[starts[-1] : plan.number]
            if plan.edges is not None and any(storage_kind(x.kind).inserts for x in above):
                starts.append(plan.number)
        ends = [*starts[1:], len(self.levels)]
        return tuple(range(a, b) for a, b in zip(starts, ends, strict=True) if a < b)

    @property
    def list_format(self) -> Format:
        """The list of coordinates in between, for the routes that have one."""
        if self.route == "summed":
            return resolve_format("coo", self.target.order).with_widths(
                pos=self.target.pos, crd=self.target.crd
            )
        return coordinate_list(self.target, ordered=True)

    @property
    def is_list(self) -> bool:
        """Whether the source is a list of the target's coordinates as it is."""
        return shape_of(self.source) == shape_of(coordinate_list(self.target, ordered=False))


def shape_of(format: Format) -> tuple[object, ...]:
    """What a format stores where, whatever it promises of the order."""
    expressions = level_expressions(format, [f"i{mode}" for mode in range(format.order)])
    kinds = [level.kind for level in format.levels]
    return (*zip(expressions, kinds, strict=True), format.pos, format.crd)


def may_repeat(format: Format) -> bool:
    """Whether two entries of a tensor may have the same coordinates."""
    levels = range(len(format.levels))
    return bool(levels) and not (
        format.properties(len(format.levels) - 1).unique
        or all(format.properties(k).unique for k in levels)
    )


def level_expressions(format: Format, modes: Sequence[str]) -> list[Expr]:
    """The level expressions, with lets written out, over modes of these names."""
    names = {mode: Var(name) for mode, name in zip(format.modes, modes, strict=True)}
    return [normalize(inline_lets(substitute(x.expression, names))) for x in format.levels]


def coordinate_list(format: Format, *, ordered: bool) -> Format:
    """The list of a format's level coordinates, one entry after the other."""
    options = (("unique", False),) if ordered else (("unique", False), ("ordered", False))
    kinds = ["compressed"] + ["singleton"] * (len(format.levels) - 1)
    levels = [
        Level(level.expression, kind, options)
        for level, kind in zip(format.levels, kinds, strict=True)
    ]
    return Format(format.modes, tuple(levels), format.pos, format.crd)


def plan_conversion(source: Format, target: Format) -> ConversionPlan:
    """
    The plan for a conversion.

    Raises:
        FormatError: the modes cannot be read back from one of the formats, the target has one place
            for several entries, or no plan keeps its temporaries small.
    """
    for format in (source, target):
        invert(format)
    refuse_crowded_singletons(target)
    repeats = may_repeat(source)
    if repeats and any(counters(level.expression) for level in target.levels):
        why = f"{target} counts entries, and the source may hold duplicates: they are summed first"
        return ConversionPlan(source, target, "summed", why, (), adding=False)
    planner = _Planner(source, target, repeats)
    counted = planner.counted_apart()
    if counted is not None:
        why = f"{counted}, and the source may hold duplicates: they are summed first"
        return ConversionPlan(source, target, "summed", why, (), adding=False)
    missing = planner.missing_order()
    if missing is not None:
        return ConversionPlan(source, target, "sorted", missing, (), adding=False)
    why = "the source's order serves every level of the target"
    levels = planner.levels()
    adding = repeats and not may_repeat(target)
    return ConversionPlan(source, target, "direct", why, levels, adding)


def refuse_crowded_singletons(target: Format) -> None:
    """
    A singleton holds one coordinate below each parent: it must follow from the levels above.

    Raises:
        FormatError: entries with other coordinates would be put into its place.
    """
    expressions = level_expressions(target, target.modes)
    for k, level in enumerate(target.levels):
        kind, above = storage_kind(level.kind), expressions[:k]
        if not (target.properties(k).branchless and kind.arrays):
            continue
        if not (_one_by_one(target, above) or _may_follow(target, expressions[k], above)):
            raise FormatError(
                f"convert: '{target}' has one place for all entries that agree in the levels above "
                f"level {k + 1} ('{level}')\n"
                "  help: let a level above it be compressed(nonunique), or number the entries: '#i'"
            )


def _one_by_one(target: Format, above: Sequence[Expr]) -> bool:
    """Whether levels give every entry a place of its own: with `nonunique`, or by counting."""
    properties = map(target.properties, range(len(above)))
    if any(not (level.unique or level.branchless) for level in properties):
        return True
    facts = facts_of(above)
    return any(
        all(value_from(Var(mode), facts) is not None for mode in counter.variables)
        for expression in above
        for counter in counters(expression)
    )


def _may_follow(target: Format, own: Expr, above: Sequence[Expr]) -> bool:
    """
    Whether a coordinate follows from those above; below a level that hands out positions by all
    coordinates of its chain, as of a block's Morton code, it is enough that nothing speaks against.
    """
    if value_from(own, facts_of(above)) is not None:
        return True
    head = len(above) - 1
    while head > 0 and target.properties(head).branchless:
        head -= 1
    known = frozenset[str]().union(*map(free_variables, above))
    return storage_kind(target.levels[head].kind).yields and free_variables(own) <= known


class _Planner:
    """Plans the levels of one target."""

    def __init__(self, source: Format, target: Format, repeats: bool) -> None:
        self.source, self.target, self.repeats = source, target, repeats
        self.expressions = level_expressions(target, target.modes)
        self.walk = [
            (expression, source.properties(k).ordered)
            for k, expression in enumerate(level_expressions(source, target.modes))
        ]

    def _chain_end(self, k: int) -> int:
        """The last of the branchless levels that share the positions of level k."""
        end = k
        while end + 1 < len(self.target.levels) and self.target.properties(end + 1).branchless:
            end += 1
        return end

    def _tells_entries_apart(self, levels: int) -> bool:
        """Whether entries that agree in the first `levels` levels have the same coordinates."""
        facts = facts_of(self.expressions[:levels])
        return all(value_from(Var(mode), facts) is not None for mode in self.target.modes)

    def _shares(self, k: int) -> bool:
        """Whether level k hands out positions, and several entries may have to share one."""
        end = self._chain_end(k)
        unique = any(self.target.properties(j).unique for j in range(k, end + 1))
        apart = self._tells_entries_apart(end + 1) and not self.repeats
        return self._yields(k) and unique and not apart

    def _yields(self, k: int) -> bool:
        return storage_kind(self.target.levels[k].kind).yields

    def missing_order(self) -> str | None:
        """Why the entries have to be sorted first, if so."""
        for k, level in enumerate(self.target.levels):
            if not self._yields(k):
                continue
            chain = self.expressions[k : self._chain_end(k) + 1]
            where = f"level {k + 1} ('{level}')"
            above = self.expressions[:k]
            if self._shares(k) and not arrives_in_order(self.walk, [], [*above, *chain]):
                return f"{where} holds equal coordinates once, and they do not arrive together"
            ordered = self.target.properties(k).ordered
            if ordered and not arrives_in_order(self.walk, above, chain):
                return f"{where} is ordered, and its coordinates do not arrive in order"
        return None

    def levels(self) -> tuple[LevelPlan, ...]:
        """The plan of every level, outermost first."""
        plans: list[LevelPlan] = []
        for k in range(len(self.target.levels)):
            plans.append(self._level(k, plans))
        return tuple(plans)

    def _level(self, k: int, above: Sequence[LevelPlan]) -> LevelPlan:
        kind, appended = storage_kind(self.target.levels[k].kind), self._shares(k)
        below_appended = any(plan.position == "append" for plan in above)
        position: Position = "get" if not kind.yields else "yield"
        first_over = 0
        if appended or (kind.yields and below_appended):
            position = "append"
            first_over = self._chain_end(k) + 1 if appended else 0
        queries = self._queries(k)
        small = all(self._is_small(query) for query in queries)
        if not kind.edges:
            if not small:
                self._refuse(k, queries)
            return LevelPlan(k, position, first_over, None, queries)
        if kind.yields and (position == "append" or not small or self._counts_one_by_one(k)):
            return LevelPlan(k, position, first_over, "counted")
        if not small:
            self._refuse(k, queries)
        in_order = all(self.target.properties(n).compact for n in range(k))
        return LevelPlan(
            k, position, first_over, "sequenced" if in_order else "unsequenced", queries
        )

    def _counts_one_by_one(self, k: int) -> bool:
        """
        Whether knowing how many entries each parent has takes a look at every entry, and parents
        follow from coordinates: then edges are as well counted where they are stored.
        """
        if not k or not all(self.target.properties(n).full for n in range(k)):
            return False
        levels = [expression for expression, _ in self.walk]
        told = (facts_of(levels[:depth]) for depth in countable_levels(self.source))
        above = self.expressions[:k]
        return not any(all(value_from(x, facts) is not None for x in above) for facts in told)

    def _queries(self, k: int) -> tuple[Select, ...]:
        """What level k has to know, over the coordinates `l0`, `l1`, ..."""
        names = [f"l{n}" for n in range(k + 1)]
        level = self.target.levels[k]
        return storage_kind(level.kind).queries(level, names[:-1], names[-1])

    def counted_apart(self) -> str | None:
        """
        Why duplicates must be summed up first, if so: counting different coordinates then takes a
        mark for each that there could be, and these are too many.
        """
        for k, level in enumerate(self.target.levels):
            if self._yields(k) or not self.repeats:
                continue
            for query in self._queries(k):
                counted = [a.coordinates for a in query.aggregates if a.function == "count"]
                if any(c != EVERY and not self._are_few((*query.group, *c)) for c in counted):
                    return f"level {k + 1} ('{level}') counts different coordinates"
        return None

    def _is_small(self, query: Select) -> bool:
        """Whether the query's results are no larger than the modes or the target itself."""
        return self._are_few(query.group)

    def _are_few(self, names: Sequence[str]) -> bool:
        """Whether there are no more such coordinates than modes or the target itself have."""
        levels = level_numbers(names)
        if len(levels) <= 1:
            return all(is_mode_like(self.expressions[n]) for n in levels)
        return all(self.target.properties(n).full for n in levels)

    def _refuse(self, k: int, queries: Sequence[Select]) -> None:
        texts = "; ".join(map(str, queries))
        raise FormatError(
            f"convert: level {k + 1} ('{self.target.levels[k]}') of '{self.target}' would need "
            f"'{texts}', whose result could be far larger than the tensor\n"
            "  help: put levels whose coordinates are modes above it"
        )


def level_numbers(names: Sequence[str]) -> list[int]:
    """`l0`, `l1`, ... as numbers."""
    return [int(name.removeprefix("l")) for name in names]


def is_mode_like(expression: Expr) -> bool:
    """Whether an expression has no more values than a few modes have coordinates."""
    match expression:
        case Var() | Const():
            return True
        case Binary("+" | "-", a, b):
            return is_mode_like(a) and is_mode_like(b)
        case Binary("/" | "%" | ">>" | "&", a, Const()):
            return is_mode_like(a)
        case _:
            return False
