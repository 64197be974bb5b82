"""arith: xDSL's functions, and the ops of our last form that they lack."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    OpImpl,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.interpreters.arith import ArithFunctions
from xdsl.ir import Attribute, Operation

from tamale.interpreters.meant import MeantTensor
from tamale.interpreters.memory import INDEX_BITS, dtype_of, plain, scalar
from tamale.interpreters.numeric import numeric


def _bits(type: Attribute) -> int:
    return INDEX_BITS if isinstance(type, IndexType) else cast("IntegerType", type).bitwidth


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _unsigned(value: int, bits: int) -> int:
    return value & ((1 << bits) - 1)


def _integers(
    op_type: type[Operation], compute: Callable[..., int], read: Callable[[int, int], int] = _signed
) -> OpImpl[Any, Any]:
    """An op on integers, whose operands are read as signed, or as unsigned, numbers."""

    def run(
        self: InterpreterFunctions, interpreter: Interpreter, op: Operation, args: PythonValues
    ) -> PythonValues:
        numbers = (
            read(plain(value), _bits(operand.type))
            for value, operand in zip(args, op.operands, strict=True)
        )
        result = op.results[0].type
        return (scalar(_signed(int(compute(*numbers)), _bits(result)), result),)

    return impl(op_type)(run)


def _ceiling(a: int, b: int) -> int:
    return -(-a // b)


@register_impls
class MoreArithFunctions(ArithFunctions):
    """Minimum and maximum, division, shifts and remainders, conversions; floats by IEEE rules."""

    minsi = _integers(arith.MinSIOp, min)
    maxsi = _integers(arith.MaxSIOp, max)
    minui = _integers(arith.MinUIOp, min, _unsigned)
    maxui = _integers(arith.MaxUIOp, max, _unsigned)
    divui = _integers(arith.DivUIOp, int.__floordiv__, _unsigned)
    remui = _integers(arith.RemUIOp, int.__mod__, _unsigned)
    shrui = _integers(arith.ShRUIOp, int.__rshift__, _unsigned)
    ceildivsi = _integers(arith.CeilDivSIOp, _ceiling)
    ceildivui = _integers(arith.CeilDivUIOp, _ceiling, _unsigned)
    extsi = _integers(arith.ExtSIOp, int)
    extui = _integers(arith.ExtUIOp, int, _unsigned)
    trunci = _integers(arith.TruncIOp, int)

    addf = numeric(arith.AddfOp, operator.add)
    subf = numeric(arith.SubfOp, operator.sub)
    mulf = numeric(arith.MulfOp, operator.mul)
    divf = numeric(arith.DivfOp, np.true_divide)
    negf = numeric(arith.NegfOp, operator.neg)
    minnumf = numeric(arith.MinnumfOp, np.fmin)
    maxnumf = numeric(arith.MaxnumfOp, np.fmax)
    extf = numeric(arith.ExtFOp, float)
    truncf = numeric(arith.TruncFOp, float)

    @impl(arith.ConstantOp)
    def run_constant(
        self, interpreter: Interpreter, op: arith.ConstantOp, args: PythonValues
    ) -> PythonValues:
        if isinstance(op.result.type, IndexType):
            return (scalar(cast("IntegerAttr", op.value).value.data, op.result.type),)
        if not isinstance(op.value, DenseIntOrFPElementsAttr):
            return (op.value,)
        type = op.value.type
        values = np.array(op.value.get_values(), dtype_of(type.element_type))
        return (MeantTensor.undecided(type, values.reshape(type.get_shape())),)

    @impl(arith.SIToFPOp)
    def run_sitofp(self, interpreter: Interpreter, op: arith.SIToFPOp, args: PythonValues) -> Any:
        value = _signed(args[0].value.data, _bits(op.input.type))
        return (FloatAttr(float(value), op.result.type),)

    @impl(arith.UIToFPOp)
    def run_uitofp(self, interpreter: Interpreter, op: arith.UIToFPOp, args: PythonValues) -> Any:
        value = _unsigned(args[0].value.data, _bits(op.input.type))
        return (FloatAttr(float(value), op.result.type),)

    @impl(arith.FPToSIOp)
    def run_fptosi(self, interpreter: Interpreter, op: arith.FPToSIOp, args: PythonValues) -> Any:
        value = _signed(int(args[0].value.data), _bits(op.result.type))
        return (scalar(value, op.result.type),)
