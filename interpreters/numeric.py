"""Ops that are functions of numbers: what `arith`, `complex` and `math` have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.interpreter import Interpreter, InterpreterFunctions, OpImpl, PythonValues, impl
from xdsl.ir import Attribute, Operation

from tamale.interpreters.memory import dtype_of, plain, scalar


def _of_type(type: Attribute) -> Callable[[Any], Any]:
    return dtype_of(type).type


def numeric(
    op_type: type[Operation],
    compute: Callable[..., Any],
    number: Callable[[Attribute], Callable[[Any], Any]] = _of_type,
) -> OpImpl[Any, Any]:
    """
    The meaning of an op as a function of numbers, by NumPy: NaN or infinite where C's are.

    Args:
        op_type: the op.
        compute: the function.
        number: how operands are read, given the result's type; as numbers of that type by default.
    """

    def run(
        self: InterpreterFunctions, interpreter: Interpreter, op: Operation, args: PythonValues
    ) -> PythonValues:
        read = number(op.results[0].type)
        with np.errstate(all="ignore"):
            value = compute(*(read(plain(arg)) for arg in args))
        return (scalar(value, op.results[0].type),)

    return impl(op_type)(run)
