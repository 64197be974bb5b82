"""
Which loops accumulate in a row of a dense array, again and again.

    scf.for %p = %begin to %end {           the entries of a row of a sparse matrix
      %k = memref.load %crd[%p]
      scf.for %r = %c0 to %n {              the elements of a row of the result
        %place = arith.addi %row, %r
        %before = memref.load %Z[%place]
        ...
        memref.store %after, %Z[%place]
      }
    }

`%row` is the same in all steps of the outer loops. These do nothing else that the new value depends
on; what else they do, such as to note that something was written, is done once, and not a tile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from xdsl.dialects import arith, memref, scf
from xdsl.ir import Block, Operation, SSAValue

from tamale.dialects.memref import PrefetchOp
from tamale.dialects.walking import is_inside, walk_ops
from tamale.passes.emit.accesses import is_number, only_reads, origin_of, touched
from tamale.passes.emit.arithmetic import constant_index
from tamale.passes.emit.upstream import element_type


@dataclass(frozen=True)
class Nest:
    """Loops around an accumulation into the elements of one row."""

    loops: tuple[scf.ForOp, ...]
    """The outermost first; the last one is over the elements."""
    before: memref.LoadOp
    store: memref.StoreOp
    place: tuple[Operation, ...]
    """What computes the array and the place in it of an element, in order."""
    kept: frozenset[Operation]
    """What accumulating takes, hints apart: the loops, and what bounds and values come from."""
    does_more: bool
    """Whether the loops have further effects."""

    @property
    def outer(self) -> scf.ForOp:
        return self.loops[0]

    @property
    def elements(self) -> scf.ForOp:
        """The loop over the elements."""
        return self.loops[-1]

    @property
    def element(self) -> SSAValue:
        """The number of an element in the row."""
        return self.elements.body.block.args[0]


def nest_of(elements: scf.ForOp) -> Nest | None:
    """The nest whose innermost loop this is; None if it is none."""
    if elements.results or constant_index(elements.lb) != 0 or constant_index(elements.step) != 1:
        return None
    block = elements.body.block
    if not all(isinstance(op, scf.YieldOp) or _is_plain(op) for op in block.ops):
        return None
    stores = [op for op in block.ops if isinstance(op, memref.StoreOp)]
    if len(stores) != 1 or not is_number(element_type(stores[0].memref)):
        return None
    (store,) = stores
    loads = [op for op in block.ops if isinstance(op, memref.LoadOp) and op.memref is store.memref]
    if len(loads) != 1 or list(loads[0].indices) != list(store.indices):
        return None
    if len(store.indices) != 1 or not _follows(store.indices[0], block.args[0]):
        return None
    loops = _around(elements, store)
    return None if len(loops) < 2 else _checked(loops, loads[0], store)


def _follows(place: SSAValue, element: SSAValue) -> bool:
    """Whether places are a row, and the number of an element in it."""
    if place is element:
        return True
    if not isinstance(place.owner, arith.AddiOp):
        return False
    rows = [operand for operand in place.owner.operands if operand is not element]
    return len(rows) == 1 and not _depends(rows[0], element)


def _around(elements: scf.ForOp, store: memref.StoreOp) -> tuple[scf.ForOp, ...]:
    """The loops that the row is the same in, as far as they can be taken apart."""
    bases = set(_outer_inputs((store.memref, *store.indices), elements))
    loops = [elements]
    while isinstance(parent := loops[0].parent_op(), scf.ForOp):
        outer: scf.ForOp = parent
        moving = any(is_inside(value, outer) for value in (*bases, elements.ub))
        others = [op for op in outer.body.block.ops if op is not loops[0]]
        if outer.results or moving or not all(map(is_simple, others)):
            break
        loops.insert(0, outer)
    return tuple(loops)


def _checked(
    loops: tuple[scf.ForOp, ...], before: memref.LoadOp, store: memref.StoreOp
) -> Nest | None:
    """The nest, unless something in it depends on what else it writes."""
    blocks = {loop.body.block for loop in loops}
    hints = [op for loop in loops for op in loop.body.block.ops if is_hint(op)]
    asked = [value for hint in hints for op in walk_ops(hint) for value in op.operands]
    bounds = [bound for loop in loops[1:] for bound in loop.operands]
    needed = set(inputs((*bounds, *asked, store.value), blocks, without=before))
    place = set(inputs((store.memref, *store.indices), blocks))
    reads = {*needed, *place, *(inner for hint in hints for inner in walk_ops(hint))}
    others = [op for op in walk_ops(loops[0]) if op is not before and op is not store]
    written = {origin_of(op.memref) for op in others if isinstance(op, memref.StoreOp)}
    row = origin_of(store.memref)
    elsewhere = [op for op in others if op not in place]
    if any(op.regions for op in needed) or any(row in touched(op) for op in elsewhere):
        return None
    if any(not written.isdisjoint(touched(op)) for op in reads):
        return None
    ends = [op for block in blocks for op in block.ops if isinstance(op, scf.YieldOp)]
    kept = frozenset[Operation]({*loops, *needed, before, store, *ends})
    in_order = tuple(op for op in loops[-1].body.block.ops if op in place)
    return Nest(loops, before, store, in_order, kept, bool(written))


def is_hint(op: Operation) -> TypeGuard[PrefetchOp | scf.IfOp | scf.ForOp]:
    """Whether an op only asks for memory ahead of time."""
    if isinstance(op, PrefetchOp):
        return True
    if not isinstance(op, scf.IfOp | scf.ForOp) or op.results:
        return False
    inner = [each for region in op.regions for block in region.blocks for each in block.ops]
    asks = [each for each in inner if is_hint(each)]
    rest = [each for each in inner if each not in asks]
    return bool(asks) and all(isinstance(e, scf.YieldOp) or only_reads(e) for e in rest)


def is_simple(op: Operation) -> bool:
    """Whether nothing but loops, choices, reads, writes and hints is in an op."""
    return is_hint(op) or all(
        isinstance(inner, scf.IfOp | scf.ForOp | scf.YieldOp) or _is_plain(inner)
        for inner in walk_ops(op)
    )


def _is_plain(op: Operation) -> bool:
    return isinstance(op, memref.StoreOp) or only_reads(op)


def _depends(value: SSAValue, argument: SSAValue) -> bool:
    assert isinstance(argument.owner, Block)
    ops = inputs((value,), {argument.owner})
    return value is argument or any(argument in op.operands for op in ops)


def inputs(
    values: Iterable[SSAValue], blocks: set[Block], without: Operation | None = None
) -> Iterator[Operation]:
    """The ops of `blocks` that values are computed by, but for one and what only it needs."""
    found, waiting = {without}, list(values)
    while waiting:
        op = waiting.pop().owner
        if isinstance(op, Operation) and op.parent in blocks and op not in found:
            found.add(op)
            waiting += op.operands
            yield op


def _outer_inputs(values: Sequence[SSAValue], loop: scf.ForOp) -> Iterator[SSAValue]:
    """What values are computed from that is not in the body of a loop."""
    ops = list(inputs(values, {loop.body.block}))
    for value in (*values, *(operand for op in ops for operand in op.operands)):
        if not is_inside(value, loop):
            yield value
