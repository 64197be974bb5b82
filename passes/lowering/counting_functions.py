"""What level functions that count positions mean on arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol, TypeAlias

from xdsl.ir import Operation, SSAValue

from tamale.dialects.cfir.ranks import BelowOp, RankOp
from tamale.dialects.cfir.storage import CountOp
from tamale.dialects.format.spec import Format
from tamale.passes.emit.emitter import Emitter
from tamale.passes.levels import storage_kind
from tamale.passes.levels.functions import LevelStorage
from tamale.passes.levels.ranks import rank

CountingFunction: TypeAlias = CountOp | BelowOp | RankOp


class Counted(Protocol):
    """A tensor in arrays."""

    @property
    def emit(self) -> Emitter: ...
    @property
    def format(self) -> Format: ...
    def level(self, k: int) -> LevelStorage: ...


def count(tensor: Counted, op: CountOp) -> SSAValue:
    total = tensor.emit.constant(1)
    for k, level in enumerate(tensor.format.levels[: op.level_index + 1]):
        total = storage_kind(level.kind).size_below(tensor.level(k), total)
    return total


def below(tensor: Counted, op: BelowOp) -> SSAValue:
    k = op.level_index
    return storage_kind(tensor.format.levels[k].kind).size_below(tensor.level(k), op.parents)


def rank_of(tensor: Counted, op: RankOp) -> SSAValue:
    k = op.level_index
    kind, level = storage_kind(tensor.format.levels[k].kind), tensor.level(k)
    if op.ancestors:
        level = replace(level, ancestors=tuple(op.ancestors))
    return rank(kind, level, op.parent_pos, (op.begin, op.end), op.coordinate)


COUNTING_MEANINGS: Mapping[type[Operation], Callable[[Counted, Any], SSAValue]] = {
    CountOp: count,
    BelowOp: below,
    RankOp: rank_of,
}
"""By level function: what gives its result."""
