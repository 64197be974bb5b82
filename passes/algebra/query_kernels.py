"""Queries between IR and values: `cin.kernel` ops that are chains of loops and lets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX, NoneAttr, TensorType, i64
from xdsl.ir import Block, Operation, Region, SSAValue

from tamale.dialects import cin
from tamale.dialects.format.spec import Format
from tamale.dialects.notation.ast import Access
from tamale.passes.algebra.queries import Binding, Chain, Loop, Operand, Step

Describe: TypeAlias = Callable[[Access, Format], Operand]
"""An access with what its format promises."""


def query_kernel(chain: Chain, tensors: Mapping[str, SSAValue]) -> cin.KernelOp:
    """
    The kernel that computes a query, into a local array of i64.

    `tensors` has a tensor for each operand of the chain.
    """
    target = chain.statement.result
    body: Operation = cin.AssignOp(chain.statement)
    for step in reversed(chain.steps):
        body = _around(body, step)
    kernel = cin.KernelOp(
        target,
        [operand.access for operand in chain.operands.values()],
        [tensors[name] for name in chain.operands],
        TensorType(i64, [DYNAMIC_INDEX] * len(target.indices)),
        Region(Block([body])),
        zeroed=True,
    )
    kernel.result.name_hint = target.tensor
    return kernel


def _around(body: Operation, step: Step) -> Operation:
    match step:
        case Loop(variable, domain):
            return cin.ForallOp(variable, domain, [body])
        case Binding(name, value, "within", limit):
            return cin.LetOp(name, value, [body], within=limit)
        case Binding(name, value, _, limit):
            return cin.LetOp(name, value, [body], below=limit)


def read_query(kernel: cin.KernelOp, describe: Describe) -> Chain | None:
    """The kernel as a chain; None if it is none, or computes something else than whole numbers."""
    if not computes_query(kernel) or kernel.optimised is not None or kernel.zeroed is None:
        return None
    steps = list[Step]()
    op = _only(kernel.body.block)
    while isinstance(op, cin.ForallOp | cin.LetOp) and not op.located_leaves:
        steps.append(_step(op))
        op = _only(op.body.block)
    if not isinstance(op, cin.AssignOp):
        return None
    formats = kernel.formats
    operands = {
        name: describe(access, formats[name])
        for name, (access, _) in kernel.operands_by_name.items()
    }
    return Chain(tuple(steps), op.statement.data, operands)


def computes_query(kernel: cin.KernelOp) -> bool:
    """Whether the result is a dense array of i64, such as queries have."""
    type_ = kernel.result_type
    return type_.element_type == i64 and isinstance(type_.encoding, NoneAttr)


def _step(op: cin.ForallOp | cin.LetOp) -> Step:
    if isinstance(op, cin.ForallOp):
        return Loop(op.index_var.data, op.domain.data)
    kind = "within" if op.within is not None else "below" if op.below is not None else None
    return Binding(op.index_var.data, op.value.data, kind, op.bound)


def _only(block: Block) -> Operation | None:
    """The one op of a block."""
    return block.first_op if block.first_op is block.last_op else None


def tensors_of(kernel: cin.KernelOp) -> dict[str, SSAValue]:
    """Name of an access -> its tensor."""
    return {name: tensor for name, (_, tensor) in kernel.operands_by_name.items()}
