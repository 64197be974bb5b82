"""Tensors of a module stored in another way: every type of a value or a signature is exchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import Rewriter

Retype: TypeAlias = Callable[[TensorType[Attribute], Operation], Attribute]
"""The new type of a tensor that an op takes or gives."""


def retype_tensors(module: ModuleOp, retype: Retype) -> None:
    """Gives every tensor the type that `retype` says."""
    for op in module.walk():
        for value in list(values_of(op)):
            if (new := _retyped(value.type, op, retype)) != value.type:
                Rewriter.replace_value_with_new_type(value, new)
        if isinstance(op, func.FuncOp):
            inputs, outputs = (
                [_retyped(type, op, retype) for type in side]
                for side in (op.function_type.inputs, op.function_type.outputs)
            )
            op.function_type = FunctionType.from_lists(inputs, outputs)


def _retyped(type: Attribute, op: Operation, retype: Retype) -> Attribute:
    if not isinstance(type, TensorType):
        return type
    return retype(cast("TensorType[Attribute]", type), op)


def values_of(op: Operation) -> Iterator[SSAValue]:
    """What an op defines: its results and the arguments of its blocks."""
    yield from op.results
    for region in op.regions:
        for block in region.blocks:
            yield from block.args
