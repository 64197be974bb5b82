"""
The loop that gives the elements of a row the value that accumulation begins with.

    scf.for %r = %c0 to %n { memref.store %zero, %Z[%row + %r] }
    ...                      nothing that touches the row
    scf.for %p = .. { scf.for %r = .. { Z[%row + %r] = Z[%row + %r] + .. } }

Tiles then begin with that value: it need be neither stored nor loaded.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import memref, scf
from xdsl.ir import Block, Operation, SSAValue

from tamale.dialects.walking import is_inside, walk_ops
from tamale.passes.emit.accesses import touched
from tamale.passes.emit.arithmetic import constant_index
from tamale.passes.tile_accumulators.nests import Nest, is_simple


@dataclass(frozen=True)
class Clearing:
    """A loop that stores one value in all elements of a row."""

    loop: scf.ForOp
    value: SSAValue


def clearing_of(nest: Nest) -> Clearing | None:
    """The loop before a nest that clears its row, if nothing comes between."""
    row = touched(nest.store)
    read = {array for op in nest.place for array in touched(op)} - row
    op = nest.outer.prev_op
    while op is not None:
        if isinstance(op, scf.ForOp) and (value := _cleared(op, nest)) is not None:
            return Clearing(op, value)
        arrays = {array for inner in walk_ops(op) for array in touched(inner)}
        written = {a for i in walk_ops(op) if isinstance(i, memref.StoreOp) for a in touched(i)}
        if not _may_precede(op) or arrays & row or written & read:
            return None
        op = op.prev_op
    return None


def _may_precede(op: Operation) -> bool:
    return isinstance(op, memref.AllocaOp) or is_simple(op)


def _cleared(loop: scf.ForOp, nest: Nest) -> SSAValue | None:
    """What a loop stores in all elements of the row."""
    block = loop.body.block
    stores = [op for op in block.ops if isinstance(op, memref.StoreOp)]
    if len(stores) != 1 or loop.results or is_inside(stores[0].value, loop):
        return None
    if constant_index(loop.lb) != 0 or constant_index(loop.step) != 1:
        return None
    store = stores[0]
    same: dict[SSAValue, SSAValue] = {nest.element: block.args[0]}
    pairs = zip(nest.store.operands[1:], store.operands[1:], strict=True)
    return store.value if all(_are_alike(a, b, same) for a, b in pairs) else None


def _are_alike(a: SSAValue, b: SSAValue, same: dict[SSAValue, SSAValue]) -> bool:
    """Whether two values are computed in the same way, of two loops' counters."""
    if a is b or same.get(a) is b:
        return True
    x, y = a.owner, b.owner
    if isinstance(x, Block) or isinstance(y, Block) or x.regions or type(x) is not type(y):
        return False
    if x.properties != y.properties or len(x.operands) != len(y.operands):
        return False
    return all(_are_alike(c, d, same) for c, d in zip(x.operands, y.operands, strict=True))
