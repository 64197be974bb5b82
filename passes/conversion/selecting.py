"""
How to convert some of the entries: those that a selection takes.

The selected entries are laid down as a list of coordinates, in the order of the source, and the
list is converted like any tensor. The list's length is counted in a pass over the entries of its
own, so that no query has to know of selections. Where the list is the target already, nothing is
left to do. A selection that counts (`#i`) needs every entry once: a source that may hold duplicates
is summed up first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expressions import Var
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.selection import Selection
from tamale.dialects.format.spec import Format, Level
from tamale.passes.algebra.arrival import arrives_in_order
from tamale.passes.conversion.lists import level_expressions
from tamale.passes.conversion.plan import plan_conversion
from tamale.passes.conversion.plans import ConversionPlan


@dataclass(frozen=True)
class SelectionPlan:
    """How the selected entries of a source become a target."""

    source: Format
    target: Format
    selection: Selection
    """Over the source's modes."""
    summed: bool
    """Whether the source is summed up into sorted coordinates first."""
    listing: ConversionPlan
    """From the source, or from what it is summed up into, to the list."""

    @property
    def between(self) -> Format:
        """What a source is summed up into."""
        return self.listing.source

    @property
    def list_format(self) -> Format:
        """The list of selected entries."""
        return self.listing.target

    @property
    def is_done(self) -> bool:
        """Whether the list is the target."""
        return self.list_format.canonical() == self.target.canonical()


def plan_selection(source: Format, target: Format, selection: Selection) -> SelectionPlan:
    """
    The plan for a conversion of selected entries.

    Raises:
        FormatError: the modes cannot be read back from the source, or it has none.
    """
    if not source.order:
        raise FormatError(f"convert: a tensor of order 0 has no entries to select by {selection}")
    summed, between = selection.counts and source.may_repeat, source
    if summed:
        sorted_list = resolve_format("coo", source.order).renamed(source.modes)
        between = sorted_list.with_widths(pos=target.pos, crd=target.crd)
    plan = plan_conversion(between, selected_list(between, target))
    first = replace(plan.levels[0], edges="counted", queries=())
    listing = replace(plan, levels=(first, *plan.levels[1:]))
    return SelectionPlan(source, target, selection, summed, listing)


def selected_list(source: Format, target: Format) -> Format:
    """
    The list of a source's coordinates as they arrive, with the index widths of the target. It
    promises the order and the uniqueness that the source has.
    """
    walk = [
        (expression, source.properties(k).ordered)
        for k, expression in enumerate(level_expressions(source, source.modes))
    ]
    modes = list(map(Var, source.modes))
    ordered = () if arrives_in_order(walk, [], modes) else (("ordered", False),)
    repeated = (("unique", False),)
    last = repeated if source.may_repeat else ()
    levels = [
        Level(mode, "singleton" if k else "compressed", (*unique, *ordered))
        for k, mode in enumerate(modes)
        for unique in (last if k == len(modes) - 1 else repeated,)
    ]
    return Format(source.modes, tuple(levels), target.pos, target.crd)
