"""
tin: dense meaning. A kernel is read as a statement of index notation and computed point by point
(`frontend/reference.py`); a conversion changes the format and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr
from xdsl.interpreter import Interpreter, PythonValues, impl, register_impls
from xdsl.ir import Attribute, Operation, SSAValue

from tamale.dialects import tin
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.notation.ast import Access, Assignment, Call, Expr, Literal, Reduce, walk
from tamale.dialects.operators import Number
from tamale.frontend.entries import entry_list
from tamale.frontend.libraries.dense import from_numpy
from tamale.frontend.reference import evaluate_reference
from tamale.frontend.tensor import Tensor
from tamale.interpreters.entries import selected
from tamale.interpreters.meant import MeantTensor
from tamale.interpreters.memory import InterpretationFailure, dtype_of
from tamale.interpreters.runtime import TensorFunctions
from tamale.interpreters.sizes import sizes_in
from tamale.interpreters.stored import StoredTensor
from tamale.passes.levels import mixes_padding

OPERATORS: dict[type[Operation], str] = {
    tin.AddOp: "add",
    tin.SubOp: "sub",
    tin.MulOp: "mul",
    tin.DivOp: "div",
    tin.NegOp: "neg",
}


@dataclass
class Reading:
    """A kernel as a statement: tensors are called `T0`, `T1`, ..., index variables `v0`, ..."""

    tensors: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])
    variables: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])

    def statement(self, kernel: tin.KernelOp) -> Assignment:
        """What the kernel computes."""
        self._names(list(kernel.variables))
        indices = tuple(self.variables[variable] for variable in kernel.indices)
        return Assignment(Access("Z", indices), None, self._expression(kernel.yielded))

    def _names(self, variables: list[SSAValue]) -> tuple[str, ...]:
        for variable in variables:
            self.variables[variable] = f"v{len(self.variables)}"
        return tuple(self.variables[variable] for variable in variables)

    def _expression(self, value: SSAValue) -> Expr:
        match value.owner:
            case tin.AccessOp() as op:
                name = self.tensors.setdefault(op.tensor, f"T{len(self.tensors)}")
                return Access(name, tuple(self.variables[index] for index in op.indices))
            case tin.LiteralOp() as op:
                return Literal(literal(op.value))
            case tin.SumOp() | tin.ReduceOp() as op:
                name = op.operator.data if isinstance(op, tin.ReduceOp) else "add"
                variables = self._names(list(op.variables))
                return Reduce(name, variables, self._expression(op.yielded))
            case tin.BroadcastOp() as op:
                return self._expression(op.operand)
            case tin.MapOp() as op:
                return Call(op.operator.data, tuple(map(self._expression, op.arguments)))
            case Operation() as op if type(op) in OPERATORS:
                return Call(OPERATORS[type(op)], tuple(map(self._expression, op.operands)))
            case owner:
                raise InterpretationFailure(f"interpret: {owner} is no expression of tin")


def literal(value: Attribute) -> Number:
    """The number of a `tin.literal`."""
    match value:
        case IntegerAttr() | FloatAttr():
            return value.value.data
        case _:
            real, imaginary = cast("ArrayAttr[FloatAttr]", value)
            return complex(real.value.data, imaginary.value.data)


def as_operand(value: Any) -> Tensor:
    """A tensor with the same entries, of which only those matter."""
    if isinstance(value, StoredTensor):
        return value.tensor
    assert isinstance(value, MeantTensor)
    present = value.present
    if mixes_padding(value.format):  # Once it is stored, nothing will tell these zeros.
        present = present & (value.values != 0)
    if value.format.all_dense or present.all() or value.values.ndim == 0:
        return from_numpy(value.values)
    return entry_list(np.nonzero(present), value.values[present], value.shape)


def is_decided(value: StoredTensor | MeantTensor) -> bool:
    """Whether a tensor has the same entries in every format: conversions leave padding out."""
    if isinstance(value, MeantTensor):
        return value.decided
    return not mixes_padding(value.format)


@register_impls
class TinFunctions(TensorFunctions):
    """Kernels and conversions; results have values, but no storage."""

    @impl(tin.KernelOp)
    def run_kernel(self, interpreter: Interpreter, op: tin.KernelOp, args: PythonValues) -> Any:
        reading, type = Reading(), op.result.type
        statement = reading.statement(op)
        values = interpreter.get_values(reading.tensors)
        operands = {
            name: as_operand(value)
            for name, value in zip(reading.tensors.values(), values, strict=True)
        }
        uses = [
            (node, operands[node.tensor].shape)
            for node in walk(statement.expression)
            if isinstance(node, Access)
        ]
        sizes = sizes_in(uses, op.result.name_hint or "a result")
        if self.shape is not None:
            sizes = {**dict(zip(statement.result.indices, self.shape, strict=False)), **sizes}
        meaning = evaluate_reference(
            statement, operands, dtype=dtype_of(type.element_type), sizes=sizes
        )
        decided = all(map(is_decided, values))
        return (MeantTensor(tensor_format(type), meaning.values, meaning.structure, decided),)

    @impl(tin.ConvertOp)
    def run_convert(self, interpreter: Interpreter, op: tin.ConvertOp, args: PythonValues) -> Any:
        source: StoredTensor | MeantTensor = args[0]
        values = np.zeros(source.shape, source.dtype)
        present = np.zeros(source.shape, np.bool_)
        for coordinates, value in selected(source, op.selection):
            values[coordinates] += value
            present[coordinates] = True
        format = tensor_format(op.result.type)
        return (MeantTensor(format, values, present),)
