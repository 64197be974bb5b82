"""
Whether workers can share a conversion's loops over the entries, with the result of one worker.

Each worker takes an equal part of the source's values, in the order of their storage. It must know
where its entries go without having seen those before them:

- positions that follow from coordinates need nothing;
- positions that are handed out below each parent, and counters, are counted first: a *column* of
  counts for each worker, and sums over parents and workers say where each goes on. Where the loops
  over the source run through the parents one after the other and its positions number the entries,
  the position at which a worker begins says as much, and nothing is counted;
- positions that entries in order share with the one before are counted, too: where a worker's first
  entry has that of the last entry of the worker before, one less.

What else an entry needs to know of earlier ones keeps the conversion serial. `docs/partitioning.md`
has what is shared, `passes/lowering/columns.py` the counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tamale.dialects.format.expressions import Counter, Expr, Var, counters, to_text
from tamale.dialects.format.invert import facts_of, value_from
from tamale.passes.algebra.runs import run_depth
from tamale.passes.conversion.lists import level_expressions
from tamale.passes.conversion.plans import ConversionPlan, LevelPlan
from tamale.passes.levels import storage_kind
from tamale.passes.levels.counting import counts_entries
from tamale.passes.levels.ranks import has_rank


def shared_among(threads: int, plan: ConversionPlan) -> ConversionPlan:
    """
    The plan for so many workers: where they hand out positions, they have counted the edges, too.
    """
    if threads == 1:
        return plan
    limit = next(_limits(plan), None) if plan.route == "direct" else None
    levels = plan.levels if limit is not None else tuple(_counted(plan, x) for x in plan.levels)
    return replace(plan, levels=levels, threads=threads, limit=limit)


def _counted(plan: ConversionPlan, level: LevelPlan) -> LevelPlan:
    if level.position != "yield":
        return level
    if _run_depth(plan, _expressions(plan)[: level.number]) is not None:
        return level
    return replace(level, edges="counted", queries=())


def counted_by_workers(plan: ConversionPlan) -> list[str]:
    """What each worker of a shared conversion counts for itself, in words."""
    yielding = [x for x in plan.levels if x.position == "yield"]
    found = [f"level {x.number + 1}" for x in yielding if x.edges == "counted"]
    numbered = {c for x in _expressions(plan) for c in counters(x)}
    for counter in sorted(numbered, key=lambda c: c.variables):
        if _run_depth(plan, [Var(mode) for mode in counter.variables]) is None:
            found.append(f"'{to_text(counter)}'")
    return found


def _run_depth(plan: ConversionPlan, values: Sequence[Expr]) -> int | None:
    """
    How many of the source's loops run through `values`, if its positions number their entries.
    """
    if not counts_entries(plan.source):
        return None
    expressions = level_expressions(plan.source, plan.target.modes)
    unique = (plan.source.properties(n).unique for n in range(len(expressions)))
    return run_depth(list(zip(expressions, unique, strict=True)), values)


def _expressions(plan: ConversionPlan) -> list[Expr]:
    return level_expressions(plan.target, plan.target.modes)


def _limits(plan: ConversionPlan) -> Iterator[str]:
    """Why workers cannot share the loops."""
    for level in plan.source.levels:
        if not has_rank(storage_kind(level.kind)):
            yield f"'{level}' of the source does not tell how many entries come before one"
    if not plan.source.levels:
        yield "the source has one value"
    if plan.adding:
        yield "values of equal coordinates are added up one after the other"
    for level in plan.levels:
        yield from _limits_of_level(plan, level)
    if len(plan.groups) > 1 and any(level.position == "yield" for level in plan.levels):
        yield "positions are handed out in several passes"


def _limits_of_level(plan: ConversionPlan, level: LevelPlan) -> Iterator[str]:
    k, kind = level.number, storage_kind(plan.target.levels[level.number].kind)
    where = f"level {k + 1} ('{plan.target.levels[k]}')"
    if level.position == "stamp":
        yield f"entries of {where} are compared with all those before them"
    if kind.alone is not None:
        yield f"{where} {kind.alone}"
    above, expressions = plan.levels[:k], _expressions(plan)
    if level.position == "append":
        if any(x.position == "yield" for x in above):
            yield f"the parents of {where} are handed out themselves"
        if any(map(counters, expressions)):
            yield f"{where} is appended to, and '#' counts"
    elif level.position == "yield":
        if any(x.position != "get" for x in above):
            yield f"the parents of {where} are handed out themselves"
        if any(counters(x) for x in expressions[:k]):
            yield f"the parents of {where} are counted themselves"
    elif kind.inserts and not any(x.position == "yield" for x in above):
        if not _tells_entries_apart(plan, expressions[: k + 1]):
            yield f"several entries share a position of {where}"


def _tells_entries_apart(plan: ConversionPlan, expressions: Sequence[Expr]) -> bool:
    """Whether no two entries agree in the expressions, counters among them."""
    facts = facts_of(expressions)

    def told(modes: Sequence[str]) -> bool:
        return all(value_from(Var(mode), facts) is not None for mode in modes)

    numbered = any(isinstance(x, Counter) and told(x.variables) for x in expressions)
    return numbered or (told(plan.target.modes) and not plan.source.may_repeat)
