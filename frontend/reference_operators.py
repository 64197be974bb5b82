"""Operators as `reference.py` applies them: on arrays of NumPy, from their declarations alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tamale.dialects.operators import Number, Operator

_UFUNCS: Mapping[str, np.ufunc] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
    "abs": np.abs,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "max": np.maximum,
    "min": np.minimum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}
"""Operators that NumPy has; every other one is applied number by number."""


def ufunc(operator: Operator) -> Any:
    """The operator on arrays."""
    if operator.name in _UFUNCS:
        return _UFUNCS[operator.name]
    apply: Callable[..., Any] = operator.apply
    return np.frompyfunc(apply, operator.arity, 1, identity=operator.reduction_identity)


def fill_of_call(operator: Operator, fills: Sequence[Number | None]) -> Number | None:
    """The value of a call where nothing has an entry, from those of its arguments."""
    if operator.domain is not None:
        return 0
    for k, fill in enumerate(fills):
        if fill is not None and fill == operator.annihilator(k):
            return fill
    known = [fill for fill in fills if fill is not None]
    return operator.apply(*known) if len(known) == len(fills) else None


def asks(operator: Operator, k: int) -> bool:
    """Whether it makes a difference if argument k, being 0, has an entry."""
    if operator.domain is None or operator.annihilator(k) == 0:
        return False
    return re.search(rf"\b{chr(ord('a') + k)}\b", operator.domain) is not None


def as_sets(domain: str) -> str:
    """`a & ~b`, over arguments, as a set expression; its index variable means nothing here."""
    return re.sub(r"\b([a-z])\b", r"\1.x", domain)
