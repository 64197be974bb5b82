"""complex: complex numbers are Python's."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from xdsl.dialects import complex
from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    OpImpl,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.ir import Operation

from tamale.interpreters.memory import plain
from tamale.interpreters.numeric import numeric


def _function(op_type: type[Operation], compute: Callable[..., Any]) -> OpImpl[Any, Any]:
    """An op on complex numbers, whatever it gives."""
    return numeric(op_type, compute, lambda _: np.complex128)


@register_impls
class ComplexFunctions(InterpreterFunctions):
    """Arithmetic, comparisons, parts."""

    add = _function(complex.AddOp, operator.add)
    sub = _function(complex.SubOp, operator.sub)
    mul = _function(complex.MulOp, operator.mul)
    div = _function(complex.DivOp, np.true_divide)
    neg = _function(complex.NegOp, operator.neg)
    abs = _function(complex.AbsOp, np.abs)
    conj = _function(complex.ConjOp, np.conj)
    sqrt = _function(complex.SqrtOp, np.sqrt)
    exp = _function(complex.ExpOp, np.exp)
    re = _function(complex.ReOp, np.real)
    im = _function(complex.ImOp, np.imag)

    @impl(complex.CreateOp)
    def run_create(self, interpreter: Interpreter, op: complex.CreateOp, args: PythonValues) -> Any:
        return (plain(args[0]) + 1j * plain(args[1]),)

    @impl(complex.ConstantOp)
    def run_constant(
        self, interpreter: Interpreter, op: complex.ConstantOp, args: PythonValues
    ) -> Any:
        real, imaginary = cast("ArrayAttr[FloatAttr]", op.value)
        return (real.value.data + 1j * imaginary.value.data,)

    @impl(complex.EqualOp)
    def run_equal(self, interpreter: Interpreter, op: complex.EqualOp, args: PythonValues) -> Any:
        return (IntegerAttr.from_bool(args[0] == args[1]),)

    @impl(complex.NotEqualOp)
    def run_not_equal(
        self, interpreter: Interpreter, op: complex.NotEqualOp, args: PythonValues
    ) -> Any:
        return (IntegerAttr.from_bool(args[0] != args[1]),)
