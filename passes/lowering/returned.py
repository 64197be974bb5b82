"""Which tensors leave their function."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.ir import SSAValue

from tamale.dialects import assembly
from tamale.dialects.cfir import storage as cfir
from tamale.dialects.cfir.parts import JoinOp

_OF_THE_FIRST = JoinOp | cfir.FinishOp | assembly.FinishOp | assembly.OpenOp | assembly.SortOp
"""Ops whose result is their first operand: joined, finished, in another format, or in order."""


def is_returned(tensor: SSAValue) -> bool:
    """Whether the function gives a tensor to its caller."""
    return any(isinstance(use.operation, func.ReturnOp) for use in tensor.uses)


def returned_as(tensor: SSAValue) -> SSAValue | None:
    """What the function returns of a tensor: itself, finished, or what it is converted to."""
    if is_returned(tensor):
        return tensor
    for use in tensor.uses:
        op = use.operation
        made_of_it = isinstance(op, _OF_THE_FIRST) and op.operands[0] is tensor
        found = returned_as(op.results[0]) if made_of_it else None
        if found is not None:
            return found
    return None
