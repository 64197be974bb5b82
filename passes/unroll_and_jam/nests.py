"""
Which loops make a sum for each element of a row, one element after the other.

    scf.for %r = %c0 to %n {                   the elements of a row
      %sum = memref.alloca() : memref<f64>
      memref.store %zero, %sum[]
      scf.for %p = %begin to %end {            what is summed, the same for all elements
        %place = arith.addi %k_row, %r         the elements follow one another here, too
        ... memref.load %B[%place]
        memref.store %after, %sum[]
      }
      memref.store %value, %Z[%place_of_r]     nobody reads this elsewhere
    }

There may be several sums, one after the other, and of several loops each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, memref, scf
from xdsl.ir import Block, Operation, SSAValue

from tamale.dialects.walking import walk_ops
from tamale.passes.emit.accesses import is_number, only_reads, origin_of, touched
from tamale.passes.emit.arithmetic import constant_index


@dataclass(frozen=True)
class Nest:
    """A loop over the elements of a row, with the loops of their sums inside."""

    loop: scf.ForOp
    ops: tuple[Operation, ...]
    """All that is inside, in program order."""
    sums: tuple[SSAValue, ...]
    """The mutable scalars of an element."""
    own: frozenset[Operation]
    """What each element has a value of its own of."""

    @property
    def element(self) -> SSAValue:
        """The number of an element in the row."""
        return self.loop.body.block.args[0]

    def is_own(self, value: SSAValue) -> bool:
        """Whether elements differ in a value."""
        return value is self.element or value.owner in self.own

    def needed(self, stores: Sequence[memref.StoreOp]) -> list[Operation]:
        """Some stores and what an element computes for them, in program order."""
        found, waiting = set[Operation](stores), [v for store in stores for v in store.operands]
        while waiting:
            op = waiting.pop().owner
            if op in self.own and isinstance(op, Operation) and op not in found:
                found.add(op)
                waiting += op.operands
        return [op for op in self.ops if op in found]


def nest_of(loop: scf.ForOp) -> Nest | None:
    """The nest of a loop over elements; None if it is none."""
    if loop.results or constant_index(loop.lb) != 0 or constant_index(loop.step) != 1:
        return None
    block, ops = loop.body.block, tuple(walk_ops(loop.body))
    if not any(isinstance(op, scf.ForOp) for op in block.ops):
        return None
    sums = tuple(op.memref for op in ops if isinstance(op, memref.AllocaOp) and _is_sum(op))
    if not all(_is_known(op, block, sums) for op in ops):
        return None
    nest = Nest(loop, ops, sums, _own(ops, block.args[0], sums))
    bounds = [bound for op in ops if isinstance(op, scf.ForOp) for bound in op.operands]
    if any(nest.is_own(bound) for bound in bounds) or not _reads_rows(nest):
        return None
    return nest if _are_apart(nest) and _are_recent(nest) else None


def _is_sum(op: memref.AllocaOp) -> bool:
    """Whether an op makes a mutable scalar that may be one of many in registers."""
    type = op.memref.type
    return not type.get_shape() and is_number(type.element_type)


def _is_known(op: Operation, block: Block, sums: Sequence[SSAValue]) -> bool:
    """Whether an op is one that a nest is made of."""
    if isinstance(op, memref.StoreOp):
        return op.memref in sums or op.parent is block
    if isinstance(op, scf.ForOp):
        return not op.results
    if isinstance(op, memref.AllocaOp):
        return op.memref in sums
    return isinstance(op, scf.YieldOp) or (bool(op.results) and only_reads(op))


def _own(
    ops: Sequence[Operation], element: SSAValue, sums: Sequence[SSAValue]
) -> frozenset[Operation]:
    """The ops whose values depend on the element."""
    found = set[Operation]()
    for op in ops:
        if isinstance(op, memref.StoreOp | scf.ForOp | scf.YieldOp | memref.AllocaOp):
            continue
        if any(v is element or v in sums or v.owner in found for v in op.operands):
            found.add(op)
    return frozenset(found)


def _reads_rows(nest: Nest) -> bool:
    """Whether what elements read for their sums follows one another in memory."""
    own = [op for op in nest.own if isinstance(op, memref.LoadOp) and op.memref not in nest.sums]
    read = [op for op in own if op.parent is not nest.loop.body.block]
    return bool(read) and all(len(op.indices) == 1 and _follows(nest, op.indices[0]) for op in read)


def _follows(nest: Nest, place: SSAValue) -> bool:
    """Whether places are a row, and the number of an element in it."""
    if place is nest.element:
        return True
    if not isinstance(place.owner, arith.AddiOp):
        return False
    a, b = place.owner.operands
    return (a is nest.element and not nest.is_own(b)) or (b is nest.element and not nest.is_own(a))


def _are_apart(nest: Nest) -> bool:
    """Whether no element reads what another one writes."""
    stores = [s for s in nest.ops if isinstance(s, memref.StoreOp) and s.memref not in nest.sums]
    for store in stores:
        array = origin_of(store.memref)
        if len(store.indices) != 1 or not _follows(nest, store.indices[0]):
            return False
        for op in nest.ops:
            if op is not store and array in touched(op) and not _reads_same(op, store):
                return False
    return True


def _reads_same(op: Operation, store: memref.StoreOp) -> bool:
    """Whether an op reads the place that a store writes, in the same steps."""
    if not isinstance(op, memref.LoadOp) or op.parent is not store.parent:
        return False
    return op.memref is store.memref and list(op.indices) == list(store.indices)


def _are_recent(nest: Nest) -> bool:
    """Whether sums still have the value, where it is used, that they had when it was loaded."""
    stores = [op for op in nest.ops if isinstance(op, memref.StoreOp)]
    for store in stores:
        for op in nest.needed([store]):
            if isinstance(op, memref.LoadOp) and op.memref in nest.sums:
                if op.parent is not store.parent:
                    return False
                if any(op.memref in _written(other) for other in _between(op, store)):
                    return False
    return True


def _between(first: Operation, last: Operation) -> Iterator[Operation]:
    op = first.next_op
    while op is not None and op is not last:
        yield op
        op = op.next_op


def _written(op: Operation) -> set[SSAValue]:
    return {inner.memref for inner in walk_ops(op) if isinstance(inner, memref.StoreOp)}
