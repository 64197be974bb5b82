"""
Buffers that are filled with zeros right after they are allocated.

The system's fresh pages are zero already: asking for such a buffer spares the loop that fills it.
What counts is what the ops do, so that nothing depends on a mark that a pass might lose.
"""

from xdsl.dialects import arith, complex, memref, scf
from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, SSAValue


def zeroing_store(op: memref.AllocOp) -> memref.StoreOp | None:
    """
    The store that fills the new buffer with zeros: all that a loop right after `op` does.

    The loop runs from 0 to the buffer's size, or to what the size is the larger one of.
    """
    loop = op.next_op
    if not isinstance(loop, scf.ForOp) or loop.iter_args or len(op.dynamic_sizes) != 1:
        return None
    store = loop.body.block.first_op
    if not isinstance(store, memref.StoreOp) or store.next_op is not loop.body.block.last_op:
        return None
    is_all = is_zero(loop.lb) and is_one(loop.step) and _covers(op.dynamic_sizes[0], loop.ub)
    is_fill = store.memref is op.memref and list(store.indices) == [loop.body.block.args[0]]
    return store if is_all and is_fill and is_zero(store.value) else None


def _covers(size: SSAValue, count: SSAValue) -> bool:
    if size is count:
        return True
    maximum = size.owner
    return isinstance(maximum, arith.MaxSIOp) and count in (maximum.lhs, maximum.rhs)


def is_zero(value: SSAValue) -> bool:
    """Whether all bits of `value` are known to be zero; those of -0.0 are not."""
    op = value.owner
    if not isinstance(op, arith.ConstantOp | complex.ConstantOp):
        return False
    return _is_zero_attribute(op.value)


def _is_zero_attribute(value: Attribute) -> bool:
    match value:
        case IntegerAttr():
            return value.value.data == 0
        case FloatAttr():
            return str(value.value.data) == "0.0"
        case ArrayAttr():
            return all(_is_zero_attribute(part) for part in value)
        case _:
            return False


def is_one(value: SSAValue) -> bool:
    op = value.owner
    return (
        isinstance(op, arith.ConstantOp)
        and isinstance(op.value, IntegerAttr)
        and op.value.value.data == 1
    )
