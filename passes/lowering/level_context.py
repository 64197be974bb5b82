"""What a level function is told about its level beside its arrays: sizes, bounds, relations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from tamale.dialects.format.expressions import Expr, counters
from tamale.dialects.format.folding import DIMENSION
from tamale.dialects.format.invert import level_variable
from tamale.dialects.format.relation import Relation, relation
from tamale.dialects.format.spec import Format
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


def level_numbers(emit: Emitter, format: Format, dims: Sequence[SSAValue], k: int) -> LevelNumbers:
    """
    Emits the numbers of level k.

    A counter is bounded by the dimensions that it counts through, where the kind asks for bounds.
    """
    sizes = dimension_values(format.modes, dims)
    mode, level = format.stored_modes[k], format.levels[k]
    if mode is not None:
        low, size = emit.constant(0), dims[mode]
    elif counters(level.expression) and not storage_kind(level.kind).asks_bounds:
        low, size = emit.constant(0), emit.constant(0)
    else:
        smallest, number = level_extent(format, k)
        low = emit_level_expression(emit, smallest, sizes)
        size = emit.max(emit_level_expression(emit, number, sizes), emit.constant(0))
    return LevelNumbers(low, size, relation(format, k), relation_values(emit, format, dims))
