"""math: element-wise functions by NumPy, so that they are NaN or infinite where C's are."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects import math
from xdsl.interpreter import InterpreterFunctions, register_impls

from tamale.interpreters.numeric import numeric


def trailing_zeros(a: np.signedinteger[Any]) -> int:
    """How many zero bits are below the lowest 1; of 0, all of them."""
    number = int(a)
    return (number & -number).bit_length() - 1 if number else 8 * a.itemsize


@register_impls
class MathFunctions(InterpreterFunctions):
    """Absolute values, bit counts, roots, exponentials, powers."""

    absf = numeric(math.AbsFOp, np.abs)
    absi = numeric(math.AbsIOp, np.abs)
    cttz = numeric(math.CountTrailingZerosOp, trailing_zeros)
    sqrt = numeric(math.SqrtOp, np.sqrt)
    exp = numeric(math.ExpOp, np.exp)
    log = numeric(math.LogOp, np.log)
    powf = numeric(math.PowFOp, np.power)
    sin = numeric(math.SinOp, np.sin)
    cos = numeric(math.CosOp, np.cos)
    tanh = numeric(math.TanhOp, np.tanh)
    floor = numeric(math.FloorOp, np.floor)
    ceil = numeric(math.CeilOp, np.ceil)
