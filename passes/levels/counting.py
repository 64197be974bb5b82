"""What levels tell about how many entries there are, without a look at them."""

from __future__ import annotations

from functools import lru_cache

from tamale.dialects.format.spec import Format, Width
from tamale.dialects.notation.ast import Access
from tamale.passes.algebra.queries import Operand
from tamale.passes.levels import is_padded, overshoots, storage_kind


@lru_cache(maxsize=1024)
def countable_levels(format: Format) -> frozenset[int]:
    """
    The levels k such that positions tell how many entries are below a parent of level k.

    Level k gives a range of positions, and each level below it keeps ranges whole: the children of
    consecutive positions follow each other without a gap, whatever the coordinates above.
    """
    found: set[int] = set()
    for k in reversed(range(len(format.levels))):
        kind = storage_kind(format.levels[k].kind)
        if kind.skips:
            break
        if kind.iterates == "positions":
            found.add(k)
        if not format.properties(k).compact or kind.asks_ancestors:
            break
    return frozenset(found)


@lru_cache(maxsize=1024)
def entry_width(format: Format) -> Width:
    """
    A width that surely holds the number of entries: that of positions, where the last level that
    does not share its parent's positions marks them off.
    """
    for k in reversed(range(len(format.levels))):
        if "edges" in storage_kind(format.levels[k].kind).extents.values():
            return format.pos
        if not format.properties(k).branchless:
            break
    return "i64"


def counts_entries(format: Format) -> bool:
    """Whether each position of the last level holds an entry, so that positions number entries."""
    return not is_padded(format) and not any(storage_kind(x.kind).skips for x in format.levels)


def query_operand(access: Access, format: Format) -> Operand:
    """A tensor that a query reads, with what its format promises."""
    padded, countable = is_padded(format), countable_levels(format)
    return Operand(access, format, padded, countable, overshoots(format))
