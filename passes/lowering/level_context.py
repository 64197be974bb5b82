"""What a level function is told about its level beside its arrays: sizes, bounds, relations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from tamale.dialects.format.expressions import Expr, counters
from tamale.dialects.format.folding import DIMENSION
from tamale.dialects.format.invert import level_variable
from tamale.dialects.format.relation import Relation, relation
from tamale.dialects.format.spec import Format, Level
from tamale.dialects.format.symbolic_bounds import level_extent
from tamale.passes.emit.emitter import Emitter
from tamale.passes.levels import storage_kind
from tamale.passes.lowering.coordinates import emit_level_expression


@dataclass(frozen=True)
class LevelNumbers:
    """A level's smallest coordinate, how many it can have, and what ties it to those above."""

    low: SSAValue
    size: SSAValue
    relation: Relation
    evaluate: Callable[[Expr, Sequence[SSAValue]], SSAValue]


def dimension_values(modes: Sequence[str], dims: Sequence[SSAValue]) -> dict[str, SSAValue]:
    """What `dim_i` stands for, for every mode i."""
    return {f"{DIMENSION}{mode}": dim for mode, dim in zip(modes, dims, strict=True)}


def relation_values(
    emit: Emitter, format: Format, dims: Sequence[SSAValue]
) -> Callable[[Expr, Sequence[SSAValue]], SSAValue]:
    """What emits expressions of a level's relation, given the coordinates of the levels above."""
    sizes = dimension_values(format.modes, dims)

    def evaluate(expression: Expr, ancestors: Sequence[SSAValue]) -> SSAValue:
        coordinates = {level_variable(n): value for n, value in enumerate(ancestors)}
        return emit_level_expression(emit, expression, {**coordinates, **sizes})

    return evaluate


def knows_its_size(level: Level) -> bool:
    """Whether a level's arrays say how many coordinates there are, or which."""
    kind = storage_kind(level.kind)
    counted = all(extent in ("single", "edges") for extent in kind.extents.values())
    return kind.yields or bool(kind.extents) and counted


def level_numbers(emit: Emitter, format: Format, dims: Sequence[SSAValue], k: int) -> LevelNumbers:
    """
    Emits the numbers of level k.

    A level of counters whose kind stores how many there are, or each of them, is not asked for
    bounds; elsewhere a counter is bounded by the dimensions that it counts through.
    """
    sizes = dimension_values(format.modes, dims)
    mode = format.stored_modes[k]
    if mode is not None:
        low, size = emit.constant(0), dims[mode]
    elif counters(format.levels[k].expression) and knows_its_size(format.levels[k]):
        low, size = emit.constant(0), emit.constant(0)
    else:
        smallest, number = level_extent(format, k)
        low = emit_level_expression(emit, smallest, sizes)
        size = emit.max(emit_level_expression(emit, number, sizes), emit.constant(0))
    return LevelNumbers(low, size, relation(format, k), relation_values(emit, format, dims))
