"""query: statistics of the entries of a tensor, group by group, as they are stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.interpreter import Interpreter, PythonValues, impl, register_impls

from tamale.dialects.format.expressions import Expr, counters, evaluate
from tamale.dialects.format.folding import DIMENSION, dimension
from tamale.dialects.format.symbolic_bounds import symbolic_bounds
from tamale.dialects.query.ops import SelectOp
from tamale.dialects.query.select import EVERY, Aggregate
from tamale.frontend.libraries.dense import from_numpy
from tamale.interpreters.remapping import Remapper
from tamale.interpreters.runtime import TensorFunctions
from tamale.interpreters.stored import StoredTensor

Coordinates = dict[str, int]


def value_bounds(expression: Expr, sizes: dict[str, int]) -> tuple[int, int]:
    """The smallest and the largest value over whole modes, of these sizes."""
    low, high = symbolic_bounds(expression, {mode: dimension(mode) for mode in sizes})
    values = {DIMENSION + mode: size for mode, size in sizes.items()}
    return evaluate(low, values), evaluate(high, values)


def aggregated(
    aggregate: Aggregate, group: Sequence[Coordinates], bounds: dict[str, tuple[int, int]]
) -> int:
    """What an aggregation stores for a group of entries, at least one."""
    names = aggregate.coordinates
    match aggregate.function:
        case "count" if names == EVERY:
            return len(group)
        case "count":
            return len({tuple(entry[name] for name in names) for entry in group})
        case "id":
            return 1
        case "max":
            return 1 + max(entry[names[0]] for entry in group) - bounds[names[0]][0]
        case "min":
            return 1 + bounds[names[0]][1] - min(entry[names[0]] for entry in group)


@register_impls
class QueryFunctions(TensorFunctions):
    """`query.select` on tensors with entries."""

    @impl(SelectOp)
    def run_select(self, interpreter: Interpreter, op: SelectOp, args: PythonValues) -> Any:
        query, remapping, source = op.query.data, op.remapping.data, args[0]
        sizes = dict(zip(remapping.modes, source.shape, strict=True))
        expressions = dict(remapping.targets)
        bounds = {
            name: value_bounds(expression, sizes)
            for name, expression in expressions.items()
            if name in query.group or not counters(expression)
        }
        bounds |= {name: (0, 0) for name in expressions if name not in bounds}
        remapper = Remapper(remapping.modes, list(expressions.values()))
        groups: dict[tuple[int, ...], list[Coordinates]] = {}
        for coordinates, _ in source.nonzeros():
            entry = dict(zip(expressions, remapper.next(coordinates), strict=True))
            key = tuple(entry[name] - bounds[name][0] for name in query.group)
            groups.setdefault(key, []).append(entry)
        shape = [max(0, bounds[name][1] - bounds[name][0] + 1) for name in query.group]
        results: list[StoredTensor] = []
        for aggregate in query.aggregates:
            values = np.zeros(shape, np.int64)
            for key, group in groups.items():
                values[key] = aggregated(aggregate, group, bounds)
            results.append(StoredTensor(from_numpy(values)))
        return tuple(results)
