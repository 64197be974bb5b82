"""The sizes of results, where no caller gives them."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.ir import Block, Operation, SSAValue

from tamale.dialects import cfir
from tamale.passes.lowering.coordinates import emit_level_expression
from tamale.passes.lowering.returned import returned_as
from tamale.passes.lowering.scope import KernelContext
from tamale.passes.lowering.universes import dimension_sizes, universe_size


def own_sizes(kernel: KernelContext, op: cfir.KernelOp) -> list[SSAValue]:
    """The sizes of a result that no caller sees."""
    return [] if returned_as(op.result) is not None else result_sizes(kernel, op)


def result_sizes(kernel: KernelContext, op: cfir.KernelOp) -> list[SSAValue]:
    """The sizes of a result that the function keeps to itself."""
    bounds = {
        inner.index_var.data: inner.bound
        for inner in op.body.walk()
        if isinstance(inner, cfir.LetOp) and inner.bound is not None
    }
    sizes: list[SSAValue] = []
    for variable in op.target.data.indices:
        if variable not in bounds:
            sizes.append(universe_size(kernel, variable))
            continue
        bound = bounds[variable]
        size = emit_level_expression(kernel.emit, bound, dimension_sizes(kernel, bound))
        sizes.append(kernel.emit.max(size, kernel.emit.constant(0)))
    return sizes


def enclosing_block(op: Operation) -> Block:
    """The entry block of the function around `op`, where constants go."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, func.FuncOp):
        parent = parent.parent_op()
    block = parent.body.block if parent is not None else op.parent_block()
    assert block is not None
    return block
