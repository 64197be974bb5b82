"""What a plan must know of formats, and the lists of coordinates that sorting goes through."""

from __future__ import annotations

from collections.abc import Sequence

from tamale.dialects.format.expressions import Expr, Var, counters
from tamale.dialects.format.normal import normal_form
from tamale.dialects.format.spec import Format, Level
from tamale.dialects.format.substitution import substitute


def shape_of(format: Format) -> tuple[object, ...]:
    """What a format stores where, whatever it promises of the order."""
    expressions = level_expressions(format, [f"i{mode}" for mode in range(format.order)])
    kinds = [level.kind for level in format.levels]
    return (*zip(expressions, kinds, strict=True), format.pos, format.crd)


def level_expressions(format: Format, modes: Sequence[str]) -> list[Expr]:
    """The level expressions, with lets written out, over modes of these names."""
    names = {mode: Var(name) for mode, name in zip(format.modes, modes, strict=True)}
    return [normal_form(substitute(x.expression, names)) for x in format.levels]


def coordinate_list(format: Format, *, ordered: bool, repeats: bool) -> Format:
    """The list of a format's level coordinates, one entry after the other; perhaps duplicates."""
    order = () if ordered else (("ordered", False),)
    nonunique = ("unique", False)
    last = len(format.levels) - 1
    levels = [
        Level(
            level.expression,
            "singleton" if k else "compressed",
            order if k == last and not repeats else (nonunique, *order),
        )
        for k, level in enumerate(format.levels)
    ]
    return Format(format.modes, tuple(levels), format.pos, format.crd)


def counts(format: Format) -> bool:
    """Whether a level numbers entries, `#i`."""
    return any(counters(level.expression) for level in format.levels)


def is_sorted_list_for(source: Format, target: Format) -> bool:
    """Whether the source is the list of the target's coordinates in order."""
    wanted = coordinate_list(target, ordered=True, repeats=True)
    return shape_of(source) == shape_of(wanted) and source.properties(0).ordered
