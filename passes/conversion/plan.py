"""
How to convert: what each level of the target needs from the order of the source.

A level whose kind hands out positions (`yield_pos`) may need its entries in order, and may have to
give entries with equal coordinates one position. Both are free where the source's order allows it
(`arrival.py`). Where it does not, it may be enough to look at the entries of one parent at a time
(`by_parent.py`): stamps find equal coordinates, and a parent's segment is sorted by itself. Else
the entries are first sorted as a list of the target's level coordinates, from which everything
arrives in order. Rules, in this order:

1. A target that counts (`#i`) gives every entry a place of its own, and one that must know how many
   different coordinates there are would mark each of them: for both, a source that may hold
   duplicates is summed up into sorted coordinates first. So is a padded source of which a query
   numbers the nonzeros.
2. If some level needs an order that the source does not have and that is not made parent by parent,
   the entries are sorted first.
3. If level coordinates take long to compute and would be computed in several passes, the entries
   are listed first, with these coordinates (`recomputing.py`).
4. Otherwise the source is converted directly.

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

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expressions import Var
from tamale.dialects.format.invert import facts_of, invert, value_from
from tamale.dialects.format.spec import Format
from tamale.dialects.query.select import EVERY, Select
from tamale.passes.algebra.arrival import arrives_in_order
from tamale.passes.conversion.by_parent import (
    can_sort_segments,
    can_stamp,
    chain_end,
    is_mode_like,
    parents_differ,
)
from tamale.passes.conversion.level_names import level_numbers, levels_asked
from tamale.passes.conversion.lists import (
    counts,
    is_sorted_list_for,
    level_expressions,
)
from tamale.passes.conversion.numbering import numbering_query
from tamale.passes.conversion.plans import (
    ConversionPlan,
    Edges,
    LevelPlan,
    Position,
)
from tamale.passes.conversion.recomputing import is_cheaper_listed
from tamale.passes.conversion.refusals import (
    refuse_crowded_singletons,
    refuse_other_counts,
    refuse_scattered,
)
from tamale.passes.conversion.sharing import shared_among
from tamale.passes.levels import is_padded, storage_kind
from tamale.passes.levels.counting import countable_levels


def plan_conversion(source: Format, target: Format, threads: int = 1) -> ConversionPlan:
    """
    The plan for a conversion whose loops so many workers share, where they can.

    Raises:
        FormatError: the modes cannot be read back from one of the formats, the target has one place
            for several entries, or no plan keeps its temporaries small.
    """
    return shared_among(threads, _plan(source, target))


def _plan(source: Format, target: Format) -> ConversionPlan:
    """The plan for one worker."""
    for format in (source, target):
        invert(format)
    refuse_crowded_singletons(target)
    listed = is_sorted_list_for(source, target)
    repeats = source.may_repeat and not (listed and counts(target))
    if repeats and counts(target):
        why = f"{target} counts entries, and the source may hold duplicates: they are summed first"
        return ConversionPlan(source, target, "summed", why, (), adding=False)
    planner = _Planner(source, target, repeats)
    counted = planner.counted_apart()
    if counted is not None:
        why = f"{counted}, and the source may hold duplicates: they are summed first"
        return ConversionPlan(source, target, "summed", why, (), adding=False)
    missing = planner.missing_order()
    if listed and counts(target):
        refuse_other_counts(target, missing)
        planner.in_order, missing = True, None
    if listed and missing is not None:
        raise FormatError(f"convert: {missing}, not even in a sorted list, for '{target}'")
    if missing is not None:
        return ConversionPlan(source, target, "sorted", missing, (), adding=False)
    levels = planner.levels()
    if is_padded(source):
        queries = (query for level in levels for query in level.queries)
        numbering = numbering_query(source, target, queries)
        if numbering is not None:
            why = f"'{numbering}' numbers the nonzeros, and the source has padding between them"
            return ConversionPlan(source, target, "summed", why, (), adding=False)
    why = "the source's order serves every level of the target"
    if any(level.sorts or level.position == "stamp" for level in levels):
        why = "what the source's order does not serve is put right parent by parent"
    adding = repeats and share_places(levels)
    direct = ConversionPlan(source, target, "direct", why, levels, adding)
    return listed_first(direct) or direct


def listed_first(direct: ConversionPlan) -> ConversionPlan | None:
    """The plan that keeps level coordinates in a list, if it is better than a direct one."""
    source, target = direct.source, direct.target
    if counts(target) or not is_cheaper_listed(source, target, passes_over_levels(direct)):
        return None
    why = "level coordinates take longer to compute in each pass than to keep"
    plan = ConversionPlan(source, target, "listed", why, (), adding=False)
    after = _plan(plan.list_format, target)
    return plan if after.levels == direct.levels else None


def passes_over_levels(plan: ConversionPlan) -> list[int]:
    """
    For each level of the target, in how many passes over the entries it is needed: queries, edges
    that are counted, groups. Where a group begins, edges are counted in the pass before.
    """
    passes = [0] * len(plan.levels)
    along = {group.start for group in plan.groups[1:]}
    for level in plan.levels:
        asked = [levels_asked(query) for query in level.queries]
        if level.edges == "counted" and level.number not in along:
            asked.append(set(range(level.number + (level.position in ("append", "stamp")))))
        for needed in asked:
            for n in needed:
                passes[n] += 1
    for group in plan.groups:
        for n in range(group.stop):
            passes[n] += 1
    return passes


def share_places(levels: Sequence[LevelPlan]) -> bool:
    """Whether entries with the same coordinates end at the same place."""
    shared = True
    for level in levels:
        if level.position == "yield" or (level.position == "append" and not level.first_over):
            shared = False
        elif level.position != "get":
            shared = True
    return shared


class _Planner:
    """Plans the levels of one target."""

    def __init__(self, source: Format, target: Format, repeats: bool) -> None:
        self.source, self.target, self.repeats = source, target, repeats
        self.expressions = level_expressions(target, target.modes)
        self.walk = [
            (expression, source.properties(k).ordered)
            for k, expression in enumerate(level_expressions(source, target.modes))
        ]
        self.in_order = False
        """Whether entries are known to arrive in the order of the target, whatever `walk` tells."""

    def _tells_entries_apart(self, levels: int) -> bool:
        """Whether entries that agree in the first `levels` levels have the same coordinates."""
        facts = facts_of(self.expressions[:levels])
        return all(value_from(Var(mode), facts) is not None for mode in self.target.modes)

    def _shares(self, k: int) -> bool:
        """Whether level k hands out positions, and several entries may have to share one."""
        if not (self._yields(k) and self._is_unique(k)):
            return False
        if self._tells_entries_apart(chain_end(self.target, k) + 1):
            return self.repeats
        own_parent = any(self._yields(n) and not self._is_unique(n) for n in range(k))
        return not own_parent

    def _is_unique(self, k: int) -> bool:
        """Whether level k, or one that shares its positions, holds equal coordinates once."""
        end = chain_end(self.target, k)
        return any(self.target.properties(j).unique for j in range(k, end + 1))

    def _yields(self, k: int) -> bool:
        return storage_kind(self.target.levels[k].kind).yields

    def missing_order(self) -> str | None:
        """Why the entries have to be sorted first, if so."""
        for k, level in enumerate(self.target.levels):
            if not self._yields(k):
                continue
            where = f"level {k + 1} ('{level}')"
            if not self._equal_arrive_together(k):
                if not can_stamp(self.target, self.expressions, self.walk, k):
                    return f"{where} holds equal coordinates once, and they do not arrive together"
            elif self._is_disordered(k) and not can_sort_segments(self.target, k):
                return f"{where} is ordered, and its coordinates do not arrive in order"
        return None

    def _equal_arrive_together(self, k: int) -> bool:
        """Whether entries that have to share a position of level k arrive together, if any."""
        above_and_own = self.expressions[: chain_end(self.target, k) + 1]
        if self.in_order or not self._shares(k):
            return True
        return arrives_in_order(self.walk, [], above_and_own)

    def _is_disordered(self, k: int) -> bool:
        """Whether level k is ordered, and its coordinates do not arrive so below each parent."""
        above, chain = self.expressions[:k], self.expressions[k : chain_end(self.target, k) + 1]
        if self.in_order or not self.target.properties(k).ordered:
            return False
        return not arrives_in_order(self.walk, above, chain)

    def levels(self) -> tuple[LevelPlan, ...]:
        """The plan of every level, outermost first."""
        plans: list[LevelPlan] = []
        for k in range(len(self.target.levels)):
            plans.append(self._level(k, plans))
        return tuple(plans)

    def _level(self, k: int, above: Sequence[LevelPlan]) -> LevelPlan:
        kind, shared = storage_kind(self.target.levels[k].kind), self._shares(k)
        position = self._position(k, above)
        if position == "append" and (parent := self._scattered(above)) is not None:
            refuse_scattered(self.target, k, parent)
        first_over = chain_end(self.target, k) + 1 if position == "append" and shared else 0
        sorts = kind.yields and self._is_disordered(k)
        queries = self._queries(k)
        small = all(self._is_small(query) for query in queries)
        if not kind.edges:
            if not small:
                self._refuse(k, queries)
            return LevelPlan(k, position, first_over, None, queries)
        by_row = small and parents_differ(self.target, k) and position not in ("append", "stamp")
        if kind.yields and (not by_row or self._counts_one_by_one(k)):
            return LevelPlan(k, position, first_over, "counted", sorts=sorts)
        if not small:
            self._refuse(k, queries)
        in_order = all(self.target.properties(n).compact for n in range(k))
        edges: Edges = "sequenced" if in_order else "unsequenced"
        return LevelPlan(k, position, first_over, edges, queries, sorts)

    def _position(self, k: int, above: Sequence[LevelPlan]) -> Position:
        """How positions of level k come about, given the plans of the levels above."""
        if not self._yields(k):
            return "get"
        if not self._equal_arrive_together(k):
            return "stamp"
        below_appended = any(plan.position == "append" for plan in above)
        if self._shares(k) or (below_appended and self._parents_arrive_in_order(k, above)):
            return "append"
        return "yield"

    def _parents_arrive_in_order(self, k: int, above: Sequence[LevelPlan]) -> bool:
        """Whether entries arrive in the order of the positions above level k."""
        if self._scattered(above) is not None:
            return False
        return self.in_order or arrives_in_order(self.walk, [], self.expressions[:k])

    def _counts_one_by_one(self, k: int) -> bool:
        """
        Whether knowing how many entries each parent has takes a look at every entry, and parents
        follow from coordinates: then edges are as well counted where they are stored.
        """
        if not k or not all(self.target.properties(n).full for n in range(k)):
            return False
        levels = [expression for expression, _ in self.walk]
        countable = () if is_padded(self.source) else countable_levels(self.source)
        told = (facts_of(levels[:depth]) for depth in countable)
        above = self.expressions[:k]
        return not any(all(value_from(x, facts) is not None for x in above) for facts in told)

    def _scattered(self, above: Sequence[LevelPlan]) -> int | None:
        """A level whose positions are in another order than the entries, as in a hash table."""
        return next(
            (
                plan.number
                for plan in above
                if plan.position == "get" and not self.target.properties(plan.number).ordered
            ),
            None,
        )

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
