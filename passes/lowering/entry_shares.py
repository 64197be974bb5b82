"""
Which part of a walk over a tensor's entries each worker does: an equal number of positions of the
last level, in the order of storage.

A boundary is a position in each level, the ancestors of one position of the last level. They are
found from the innermost level out: the parent of a position is the last one before whose own
positions there are no more than that many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import memref
from xdsl.ir import SSAValue

from tamale.dialects.cfir.ranks import BelowOp
from tamale.dialects.cfir.storage import CountOp
from tamale.dialects.format.spec import Format
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.bisection import first_not_below
from tamale.passes.emit.emitter import Emitter
from tamale.passes.levels import storage_kind
from tamale.passes.lowering.spans import NOWHERE, SURELY, Edge


def is_branchless(format: Format, k: int) -> bool:
    """Whether a walk needs no loop in level k: its positions are those of the level above."""
    kind = storage_kind(format.levels[k].kind)
    return kind.iterates == "positions" and kind.defaults.branchless


@dataclass(frozen=True)
class EntryShare:
    """What one worker walks, at a point of the walk."""

    first: Sequence[SSAValue]
    """Per level: the position where the worker begins."""
    end: Sequence[SSAValue]
    """Per level: the position where it ends, inside of which there may be entries of it still."""
    at_begin: Edge = SURELY
    at_end: Edge = SURELY

    def within(
        self, emit: Emitter, k: int, bounds: tuple[SSAValue, SSAValue], *, last: bool
    ) -> tuple[SSAValue, SSAValue]:
        """The part of the positions [begin, end) of level k that is the worker's."""
        begin, end = bounds
        limit = self.end[k]
        if not last:
            limit = emit.min(emit.add(limit, emit.constant(1)), end)
        return self.at_begin.choose(emit, self.first[k], begin), self.at_end.choose(
            emit, limit, end
        )

    def enter(self, emit: Emitter, k: int, position: SSAValue, *, last: bool) -> EntryShare:
        """What the worker walks below a position of level k."""
        if last:
            return EntryShare(self.first, self.end, NOWHERE, NOWHERE)
        begins = emit.compare("eq", position, self.first[k])
        ends = emit.compare("eq", position, self.end[k])
        return EntryShare(
            self.first, self.end, self.at_begin.and_(emit, begins), self.at_end.and_(emit, ends)
        )


@dataclass(frozen=True)
class EntryShares:
    """The parts of all workers."""

    emit: Emitter
    tensor: SSAValue
    format: Format
    name: str
    workers: SSAValue
    """How many there are."""
    boundaries: Sequence[SSAValue]
    """Per level an array: the position of each boundary."""

    def of(self, worker: SSAValue) -> EntryShare:
        """What one worker walks."""
        emit = self.emit
        following = emit.named(emit.add(worker, emit.constant(1)), "following")
        levels = list(enumerate(self.boundaries))
        first = [emit.load(x, worker, f"p{self.name}{k + 1}_first") for k, x in levels]
        end = [emit.load(x, following, f"p{self.name}{k + 1}_last") for k, x in levels]
        return EntryShare(first, end)

    def begun(self, share: EntryShare, depth: int, position: SSAValue) -> SSAValue:
        """
        How many positions of the last level come before the worker's first one, below a position
        of the level of number `depth` - 1, or of the root.
        """
        emit, begin = self.emit, position
        for k in range(depth, len(self.boundaries)):
            begin = emit.insert(BelowOp(self.tensor, k, begin)).count
        there = emit.sub(share.first[-1], begin)
        return share.at_begin.choose(emit, there, emit.constant(0))


def entry_count(emit: Emitter, tensor: SSAValue, format: Format) -> SSAValue:
    """How many positions the last level has."""
    return emit.insert(CountOp(tensor, len(format.levels) - 1)).count


def find_entry_shares(
    emit: Emitter, tensor: SSAValue, format: Format, name: str, most: int, workers: SSAValue
) -> EntryShares:
    """Emits the search for the boundaries of `workers` parts, `most` of them or fewer."""
    levels = len(format.levels)
    arrays = [
        emit.named(
            emit.insert(memref.AllocaOp.get(INDEX, shape=[most + 1])).memref,
            f"p{name}{k + 1}_begin",
        )
        for k in range(levels)
    ]
    total = emit.named(entry_count(emit, tensor, format), "values")
    with emit.loop(emit.constant(0), emit.add(workers, emit.constant(1)), "worker") as worker:
        position = emit.div(emit.mul(total, worker), workers)
        emit.store(position, arrays[-1], worker)
        for k in reversed(range(1, levels)):
            if not is_branchless(format, k):
                position = _parent(emit, tensor, k, position)
            emit.store(position, arrays[k - 1], worker)
    return EntryShares(emit, tensor, format, name, workers, arrays)


def _parent(emit: Emitter, tensor: SSAValue, k: int, position: SSAValue) -> SSAValue:
    """The position above level k whose children a position of level k is among."""
    one = emit.constant(1)
    parents = emit.insert(CountOp(tensor, k - 1)).count

    def below_next(parent: SSAValue) -> SSAValue:
        return emit.insert(BelowOp(tensor, k, emit.add(parent, one))).count

    bound = emit.add(position, one)
    return first_not_below(emit, emit.constant(0), parents, bound, below_next)
