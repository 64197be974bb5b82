"""What a conversion plan does and why, a line each, for `explain` and remarks."""

from __future__ import annotations

from collections.abc import Iterator

from tamale.dialects.format.named import name_of
from tamale.dialects.format.spec import Format
from tamale.passes.conversion.lists import coordinate_list
from tamale.passes.conversion.plan import plan_conversion
from tamale.passes.conversion.plans import ConversionPlan, LevelPlan
from tamale.passes.conversion.selecting import SelectionPlan
from tamale.passes.conversion.sharing import counted_by_workers
from tamale.passes.levels import is_padded
from tamale.passes.levels.at_once import COUNTS_PER_ENTRY


def conversion_remarks(plan: ConversionPlan) -> Iterator[str]:
    """The steps of a conversion, those in between included."""
    yield f"convert {_shown(plan.source)} to {_shown(plan.target)}: {_route(plan)}, {plan.why}"
    if plan.route == "direct":
        yield from _direct_remarks(plan)
        return
    between = plan.list_format
    if plan.route == "sorted" and plan.is_list:
        alone = _alone(plan.threads)
        yield f"  sort the entries by their coordinates, unless they are in order{alone}"
    elif plan.route == "sorted":
        unsorted = coordinate_list(plan.list_format, ordered=False, repeats=plan.source.may_repeat)
        yield from _indented(plan_conversion(plan.source, unsorted, plan.threads))
        yield f"  sort the list by its coordinates, unless it is in order{_alone(plan.threads)}"
    else:
        yield from _indented(plan_conversion(plan.source, between, plan.threads))
    yield from _indented(plan_conversion(between, plan.target, plan.threads))


def selection_remarks(plan: SelectionPlan, threads: int = 1) -> Iterator[str]:
    """The steps of a conversion of selected entries, for so many workers."""
    yield f"convert {_shown(plan.source)} to {_shown(plan.target)}, entries with {plan.selection}"
    if plan.summed:
        yield "  the selection counts entries, and the source may hold duplicates: summed first"
        yield from _indented(plan_conversion(plan.source, plan.between, threads))
    order = f"in the order of {_shown(plan.between)}"
    yield f"  list the selected entries {order}, after counting them{_alone(threads)}"
    if not plan.is_done:
        yield from _indented(plan_conversion(plan.list_format, plan.target, threads))


def _alone(threads: int) -> str:
    """What is said of a step that one worker does."""
    return "; not parallel" if threads > 1 else ""


def _indented(plan: ConversionPlan) -> Iterator[str]:
    yield from (f"  {line}" for line in conversion_remarks(plan))


def _route(plan: ConversionPlan) -> str:
    return {
        "direct": "directly",
        "listed": "through a list of coordinates",
        "sorted": "through a sorted list of coordinates",
        "summed": "through sorted coordinates without duplicates",
    }[plan.route]


def _shown(format: Format) -> str:
    return name_of(format) or str(format)


def _direct_remarks(plan: ConversionPlan) -> Iterator[str]:
    if is_padded(plan.source):
        yield "  the source is padded: entries are the values other than zero"
    for level in plan.levels:
        yield f"  level {level.number + 1} ('{plan.target.levels[level.number]}'): {_level(level)}"
    if plan.adding:
        yield "  values of equal coordinates are added up"
    count = len(plan.groups)
    yield f"  {count} group{'s' * (count != 1)} of levels, each made in one pass over the entries"
    if plan.limit is not None:
        yield f"  not parallel, because {plan.limit}"
    elif plan.threads > 1:
        yield from _shared(plan)


def _shared(plan: ConversionPlan) -> Iterator[str]:
    yield f"  {plan.threads} workers share the loops over the entries, each an equal part of them"
    counted = counted_by_workers(plan)
    if counted:
        yield (
            f"  each has its own counts of {' and '.join(counted)}; fewer workers where these "
            f"would be more than {COUNTS_PER_ENTRY} times the entries"
        )


def _level(level: LevelPlan) -> str:
    parts: list[str] = []
    if level.edges == "counted":
        parts.append("edges are counted in a pass over the entries")
    elif level.edges is not None:
        parts.append(f"{level.edges} edges")
    parts.extend(str(query) for query in level.queries)
    parts.append(
        {
            "get": "positions follow from coordinates",
            "yield": "positions are handed out one after the other",
            "append": "entries with equal coordinates share a position"
            if level.first_over
            else "every entry is appended",
            "stamp": "entries with equal coordinates share a position, found by stamps",
        }[level.position]
    )
    if level.sorts:
        parts.append("the coordinates below each parent are sorted")
    return "; ".join(parts)
