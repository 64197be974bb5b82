"""
What each of several workers goes on from that share loops over entries in order: the entry before
its first one, and how many positions were appended before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.ir import BlockArgument, SSAValue
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import assembly
from tamale.passes.emit.emitter import Emitter


@dataclass
class Fronts:
    """What the workers that append to one tensor go on from: arrays with a place for each."""

    preceding: SSAValue | None = None
    """The last worker before that has an entry, or -1; one place more for behind all."""
    first: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue])
    """Level -> the coordinate of a worker's first entry."""
    last: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue])
    """Level -> that of its last entry."""
    starts: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue])
    """Level -> how many positions are appended before; one place more for all of them."""


@dataclass(frozen=True)
class Front:
    """What one worker goes on from."""

    emit: Emitter
    fronts: Fronts
    worker: SSAValue
    preceding: SSAValue
    follows: SSAValue
    """Whether there is an entry before."""

    @classmethod
    def of(cls, emit: Emitter, fronts: Fronts, worker: SSAValue) -> Front:
        assert fronts.preceding is not None
        zero = emit.constant(0)
        preceding = emit.load(fronts.preceding, worker, "preceding")
        follows = emit.named(emit.compare("sge", preceding, zero), "follows")
        return cls(emit, fronts, worker, emit.max(preceding, zero), follows)

    def start(self, level: int) -> SSAValue:
        """How many positions of a level were appended before."""
        return self.emit.load(self.fronts.starts[level], self.worker)

    def last(self, level: int) -> SSAValue:
        """A coordinate of the entry before, if there is one."""
        return self.emit.load(self.fronts.last[level], self.preceding)


PositionBefore: TypeAlias = Callable[[Front], SSAValue]
"""Emits what a position in the body of a loop was at the entry before a worker's first one."""


def position_before(value: SSAValue) -> PositionBefore:
    """That of a position; the ops that make it may have been lowered when it is asked for."""
    match value.owner:
        case assembly.AppendOp(level_index=level):
            return lambda front: front.emit.sub(front.start(level), front.emit.constant(1))
        case assembly.GetPosOp() as op:
            parent, levels = position_before(op.parent_pos), list(map(argument, op.coordinates))
            tensor, k = op.tensor, op.level_index

            def moved(front: Front) -> SSAValue:
                coordinates = [front.last(level) for level in levels]
                get = assembly.GetPosOp(tensor, k, parent(front), coordinates)
                return front.emit.insert(get).position

            return moved
        case _:
            return lambda _: value


def argument(coordinate: SSAValue) -> int:
    """
    The level of the target whose coordinate a value in the body of a loop is.

    Raises:
        PassFailedException: it is computed.
    """
    if not isinstance(coordinate, BlockArgument):
        raise PassFailedException(
            "lower-assembly: workers share a loop that compares something else than coordinates "
            "with the entry before\n  help: leave out 'partitioned into'"
        )
    return coordinate.index
