"""Targets that no conversion can fill, refused before any code is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from tamale.dialects.errors import FormatError
from tamale.dialects.format.bits import bits_of, known_bits
from tamale.dialects.format.expressions import Expr, Var, counters, to_text
from tamale.dialects.format.invert import facts_of, value_from
from tamale.dialects.format.spec import Format
from tamale.passes.algebra.queries_canonical import with_names
from tamale.passes.conversion.by_parent import chain_head, parents_differ
from tamale.passes.conversion.lists import level_expressions
from tamale.passes.levels import storage_kind


def refuse_other_counts(target: Format, missing: str | None) -> None:
    """
    In the sorted list of a target's coordinates, entries are numbered as they were before sorting
    if every level above the numbers follows from what is numbered: then nothing is missing.

    Raises:
        FormatError: they may be numbered otherwise, and so would never be in order.
    """
    for k, level in enumerate(target.levels):
        for counter in counters(level.expression):
            known = facts_of([Var(mode) for mode in counter.variables])
            above = level_expressions(target, target.modes)[:k]
            same = all(value_from(expression, known) is not None for expression in above)
            if missing and not (same and level.expression == counter):
                raise FormatError(
                    f"convert: {missing}, and entries in that order are numbered otherwise by "
                    f"level {k + 1} ('{level}') of '{target}'\n"
                    "  help: let the levels be nonordered, or put the numbers first"
                )


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


def refuse_scattered(target: Format, k: int, parent: int) -> NoReturn:
    """
    Positions that entries share are handed out in the order of the entries, parent by parent.

    Raises:
        FormatError: the parents' positions are in another order.
    """
    raise FormatError(
        f"convert: level {k + 1} ('{target.levels[k]}') of '{target}' holds equal coordinates "
        f"once, below level {parent + 1} ('{target.levels[parent]}'), whose positions are in no "
        "order\n"
        "  help: let the level above be dense or compressed"
    )


def _one_by_one(target: Format, above: Sequence[Expr]) -> bool:
    """Whether levels give every entry a place of its own: with `nonunique`, or by counting."""
    head = chain_head(target, len(above) - 1)
    if not (target.properties(head).unique and parents_differ(target, head)):
        return True
    counted = dict.fromkeys(counter for expression in above for counter in counters(expression))
    names = {counter: to_text(counter) for counter in counted}
    facts = facts_of([with_names(expression, names) for expression in above])
    needed = ((names[counter], *counter.variables) for counter in counted)
    return any(all(value_from(Var(name), facts) is not None for name in row) for row in needed)


def _may_follow(target: Format, own: Expr, above: Sequence[Expr]) -> bool:
    """
    Whether a coordinate follows from those above; below a level that hands out positions by all
    coordinates of its chain, some of its bits are enough: a block's Morton code has all that a
    tensor may have, see `check_codes`.
    """
    facts = facts_of(above)
    if value_from(own, facts) is not None:
        return True
    head = chain_head(target, len(above) - 1)
    return storage_kind(target.levels[head].kind).yields and bits_of(own)[0] in known_bits(facts)
