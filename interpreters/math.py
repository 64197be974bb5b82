"""math: element-wise functions by NumPy, so that they are NaN or infinite where C's are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects import math
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    OpImpl,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.ir import Operation

from tamale.interpreters.memory import dtype_of, plain, scalar


def _function(op_type: type[Operation], compute: Callable[..., Any]) -> OpImpl[Any, Any]:
    """The meaning of an op as a function of numbers of the result's type."""

    def run(
        self: InterpreterFunctions, interpreter: Interpreter, op: Operation, args: PythonValues
    ) -> PythonValues:
        kind = dtype_of(op.results[0].type)
        with np.errstate(all="ignore"):
            value = compute(*(kind.type(plain(arg)) for arg in args))
        return (scalar(value, op.results[0].type),)

    return impl(op_type)(run)


@register_impls
class MathFunctions(InterpreterFunctions):
    """Absolute values, roots, exponentials, powers."""

    absf = _function(math.AbsFOp, np.abs)
    absi = _function(math.AbsIOp, np.abs)
    sqrt = _function(math.SqrtOp, np.sqrt)
    exp = _function(math.ExpOp, np.exp)
    log = _function(math.LogOp, np.log)
    powf = _function(math.PowFOp, np.power)
    sin = _function(math.SinOp, np.sin)
    cos = _function(math.CosOp, np.cos)
    tanh = _function(math.TanhOp, np.tanh)
    floor = _function(math.FloorOp, np.floor)
    ceil = _function(math.CeilOp, np.ceil)
