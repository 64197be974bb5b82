"""
How far ahead of a loop over positions there is something: not only below the present parent.

The segments of consecutive parents adjoin. Where a loop over positions is inside of the loop over
their parents, what the last parent's segment ends with is the end for all of them:

    scf.for %i = %lo to %hi step %c1 {            entries end at pos[%hi]
      %begin = memref.load %pos[%i]
      %end = memref.load %pos[%i + 1]
      scf.for %p = %begin to %end step %c1 { ... }
    }
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, memref, scf
from xdsl.ir import SSAValue

from tamale.dialects.effects import Effect, facts_of
from tamale.dialects.memref import root_of
from tamale.dialects.walking import is_inside
from tamale.passes.emit.arithmetic import constant_index
from tamale.passes.emit.emitter import Emitter


@dataclass(frozen=True)
class Limit:
    """All positions that a loop, and the loop around it, will ever come to."""

    loop: scf.ForOp
    around: scf.ForOp | None
    """The loop over parents; None: the loop's own bounds are all that is known."""
    pos: SSAValue | None = None
    first: SSAValue | None = None
    """What is added to a parent's number to find its segment in `pos`."""

    @property
    def outermost(self) -> scf.ForOp:
        """The loop before which the positions are known."""
        return self.around or self.loop

    def emit(self, emit: Emitter) -> tuple[SSAValue, SSAValue]:
        """Reads the first position and the end off; `emit` stands before the outermost loop."""
        if self.around is None:
            return self.loop.lb, self.loop.ub
        return self._edge(emit, self.around.lb), self._edge(emit, self.around.ub)

    def _edge(self, emit: Emitter, parent: SSAValue) -> SSAValue:
        assert self.pos is not None
        if self.first is not None:
            parent = emit.add(self.first, parent)
        return emit.as_index(emit.load(self.pos, parent))


def limit_of(loop: scf.ForOp) -> Limit | None:
    """The limit of a loop; None where what it does may end it early."""
    around = loop.parent_op()
    if not _is_by_one(loop) or not _only_computes(loop):
        return None
    own = Limit(loop, None)
    if not (isinstance(around, scf.ForOp) and _is_by_one(around) and _only_computes(around)):
        return own
    begin, end = _loaded(loop.lb), _loaded(loop.ub)
    if begin is None or end is None or begin.memref is not end.memref:
        return own
    (parent,), (following,) = begin.indices, end.indices
    if not _is_next(following, parent) or _is_stored(begin.memref, around):
        return own
    if is_inside(begin.memref, around):
        return own
    number = around.body.block.args[0]
    if parent is number:
        return Limit(loop, around, begin.memref)
    if isinstance(sum := parent.owner, arith.AddiOp) and number in sum.operands:
        (first,) = (each for each in sum.operands if each is not number) or (number,)
        if not is_inside(first, around):
            return Limit(loop, around, begin.memref, first)
    return own


def _is_by_one(loop: scf.ForOp) -> bool:
    return constant_index(loop.step) == 1


def _only_computes(loop: scf.ForOp) -> bool:
    """Whether a loop does nothing but compute, load and store: it comes to its end."""
    return all(
        isinstance(op, memref.StoreOp)
        or facts_of(type(op)).is_terminator
        or facts_of(type(op)).effect <= Effect.READS
        for op in loop.body.walk()
        if not isinstance(op, scf.ForOp | scf.IfOp)
    )


def _loaded(bound: SSAValue) -> memref.LoadOp | None:
    """The load that a bound is the value of."""
    op = bound.owner
    if isinstance(op, arith.IndexCastOp):
        op = op.input.owner
    return op if isinstance(op, memref.LoadOp) and len(op.indices) == 1 else None


def _is_next(value: SSAValue, number: SSAValue) -> bool:
    sum = value.owner
    return isinstance(sum, arith.AddiOp) and sum.lhs is number and constant_index(sum.rhs) == 1


def _is_stored(array: SSAValue, loop: scf.ForOp) -> bool:
    """Whether a loop may write to an array, or to one that is not known."""
    stored = {root_of(op.memref) for op in loop.body.walk() if isinstance(op, memref.StoreOp)}
    unknown = any(isinstance(root.owner, memref.LoadOp) for root in (*stored, root_of(array)))
    return unknown or root_of(array) in stored
