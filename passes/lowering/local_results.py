"""Dense results that only their own function sees, as arrays."""

from __future__ import annotations

from tamale.dialects.cfir.storage import AssembleOp
from tamale.dialects.format.attribute import tensor_format
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.products import check_product
from tamale.passes.lowering.storage import DenseResult


def local_result(emit: Emitter, op: AssembleOp, name: str) -> DenseResult:
    """A block that the function allocates; without modes, a mutable scalar."""
    format, element = tensor_format(op.result.type), op.result.type.element_type
    if format.order == 0:
        return DenseResult(emit, format, (), emit.variable(element, name, op.fill))
    count = emit.constant(1)
    for size in op.dims:
        check_product(emit, count, size)
        count = emit.mul(count, size)
    values = emit.allocate(element, emit.max(count, emit.constant(1)), name)
    tensor = DenseResult(emit, format, list(op.dims), values)
    if op.fill is not None:
        tensor.fill(op.fill)
    return tensor
