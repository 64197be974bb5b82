"""
Scatters: stores of a loop to where counters lead, one counter per coordinate.

    %j = memref.load %crd[%p]              a stream: read in the order of the loop
    %q = memref.load %count[%j]            a counter, which the loop moves on
    memref.store %next, %count[%j]
    memref.store %v, %vals[%q]             the scatter

No processor guesses `%q` in time where coordinates are in no order: each store waits for memory.
Where they are sorted, the loads say `{ascending}`, and the stores follow one another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, memref, scf
from xdsl.ir import Operation, SSAValue

from tamale.dialects.memref import ASCENDING, root_of


@dataclass(frozen=True)
class Scatter:
    """The stores of one loop that its counters lead to."""

    loop: scf.ForOp
    stores: Sequence[memref.StoreOp]
    """One for each array."""
    slice: Sequence[Operation]
    """The ops of the loop's body that the places of `stores` follow from, in order."""
    streams: Sequence[memref.LoadOp]
    """The coordinates in no order that lead to the counters."""


def scatter_of(loop: scf.ForOp) -> Scatter | None:
    """The scatter of a loop, if it has one whose places can be computed ahead."""
    if loop.results:
        return None  # Its places may follow from what it carries.
    body = _Body(loop)
    stores: dict[SSAValue, memref.StoreOp] = {}
    needed: set[Operation] = set()
    for op in loop.body.block.ops:
        if not isinstance(op, memref.StoreOp) or op.memref in stores or not op.indices:
            continue
        slice = body.slice(op.indices)
        if slice is not None and any(body.is_counter(each) for each in slice):
            stores[op.memref] = op
            needed |= slice
    if not stores:
        return None
    in_order = [op for op in loop.body.block.ops if op in needed]
    loads = [op for op in in_order if isinstance(op, memref.LoadOp)]
    counters = [op for op in loads if body.is_counter(op)]
    streams = [op for op in loads if any(op in body.streams(each) for each in counters)]
    return Scatter(loop, list(stores.values()), in_order, streams)


class _Body:
    """The body of a loop: what its values follow from."""

    def __init__(self, loop: scf.ForOp) -> None:
        self.block, self.position = loop.body.block, loop.body.block.args[0]
        self.stored = {root_of(op.memref) for op in _stores(loop)}

    def slice(self, values: Sequence[SSAValue]) -> set[Operation] | None:
        """
        The ops of the body that `values` follow from by arithmetic, streams and counters; None if
        they follow from anything else.
        """
        slice: set[Operation] = set()
        open = list(values)
        while open:
            value = open.pop()
            op = value.owner
            if value is self.position or not self._is_inside(value):
                continue
            if not isinstance(op, Operation) or not self._is_ahead(op):
                return None
            if op not in slice:
                slice.add(op)
                open += op.operands
        return slice

    def is_counter(self, op: Operation) -> bool:
        """Whether an op loads what the loop stores again at the same place, by a stream."""
        return (
            isinstance(op, memref.LoadOp)
            and root_of(op.memref) in self.stored
            and any(self._writes_back(use.operation, op) for use in op.memref.uses)
        )

    def _writes_back(self, store: Operation, load: memref.LoadOp) -> bool:
        return (
            isinstance(store, memref.StoreOp)
            and store.parent is self.block
            and store.memref is load.memref
            and tuple(store.indices) == tuple(load.indices)
        )

    def _is_ahead(self, op: Operation) -> bool:
        """Whether an op can be run for a later iteration."""
        if not isinstance(op, memref.LoadOp):
            return isinstance(op, _ARITHMETIC)
        by_position = tuple(op.indices) == (self.position,)
        if root_of(op.memref) not in self.stored:
            return by_position
        return not by_position and self.is_counter(op) and self._is_by_stream(op)

    def streams(self, counter: memref.LoadOp) -> list[memref.LoadOp]:
        """The loads in no order that a counter's own place follows from."""
        slice = self.slice(counter.indices) or set()
        loads = [op for op in slice if isinstance(op, memref.LoadOp)]
        return [op for op in loads if ASCENDING not in op.attributes]

    def _is_by_stream(self, counter: memref.LoadOp) -> bool:
        """
        Whether a counter's own place follows from a stream in no order, and from no other counter.
        """
        streams = self.streams(counter)
        return bool(streams) and not any(self.is_counter(load) for load in streams)

    def _is_inside(self, value: SSAValue) -> bool:
        owner = value.owner
        return (owner.parent if isinstance(owner, Operation) else owner) is self.block


_ARITHMETIC = (
    arith.ConstantOp,
    arith.IndexCastOp,
    arith.ExtSIOp,
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
)
"""What places are computed with, for the price of a few cycles and without ever failing."""


def _stores(loop: scf.ForOp) -> Iterator[memref.StoreOp]:
    return (op for op in loop.walk() if isinstance(op, memref.StoreOp))


