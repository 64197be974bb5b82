"""Operators of tensors: operands as users pass them, computed by a statement."""

from __future__ import annotations

from numbers import Number
from typing import Any

import numpy as np

from tamale.dialects.errors import TamaleError
from tamale.frontend.api import evaluated
from tamale.frontend.dtypes import is_array
from tamale.frontend.hybrid import HybridTensor
from tamale.frontend.interop import is_foreign, stored
from tamale.frontend.libraries.dense import as_array
from tamale.frontend.operator_statements import (
    Operation,
    Term,
    binary_operation,
    product_operation,
    unary_operation,
)
from tamale.frontend.tensor import Tensor

NUMBERS = "biufc"
"""The kinds of NumPy's types that are numbers."""


def binary(symbol: str, left: Any, right: Any) -> Any:
    """
    `left + right` and the like, with NumPy's broadcasting; NotImplemented where an operand is
    nothing that a tensor can be made of.

    Raises:
        KernelError: the shapes do not fit.
    """
    a, b = operand(left, right), operand(right, left)
    if a is None or b is None:
        return NotImplemented
    second = second_name(left, right)
    return _evaluate(binary_operation(symbol, term("A", a), term(second, b)), {"A": a, second: b})


def unary(expression: str, value: Tensor | HybridTensor) -> Any:
    """An expression in A of one operand, coordinate by coordinate, in its format."""
    return _evaluate(unary_operation(expression, term("A", value)), {"A": value})


def matmul(left: Any, right: Any) -> Any:
    """
    NumPy's `left @ right`: products of the last two modes, of vectors, and of stacks of them.

    Raises:
        KernelError: the shapes do not fit.
    """
    a, b = operand(left, right), operand(right, left)
    if a is None or b is None:
        return NotImplemented
    second = second_name(left, right)
    return _evaluate(product_operation(term("A", a), term(second, b)), {"A": a, second: b})


def second_name(left: Any, right: Any) -> str:
    """What the right operand is called: as the left one, A, if it is the same."""
    return "A" if left is right else "B"


def operand(value: Any, other: Any) -> Any:
    """
    A tensor or an array, None if `value` is neither; a Python number has the type of the other
    operand if it fits, as in NumPy.
    """
    if isinstance(value, (Tensor, HybridTensor)):
        return value
    if is_array(value):
        return as_array(value) if value.dtype.kind in NUMBERS else None
    if isinstance(value, (bool, int, float, complex)):
        number = int(value) if isinstance(value, bool) else value
        return np.asarray(number, np.result_type(other.dtype, number))
    if isinstance(value, (Number, np.generic, list, tuple)):
        found = np.asarray(value)
        return found if found.dtype.kind in NUMBERS else None
    return stored(value) if is_foreign(value) else None


def term(name: str, data: Any) -> Term:
    """A tensor or an array under its name in the statement."""
    format = None
    if isinstance(data, Tensor):
        format = None if data.format.all_dense else data.format
    elif isinstance(data, HybridTensor):
        format = data.plain_format
    return Term(name, data.shape, format)


def _evaluate(operation: Operation, operands: dict[str, Any]) -> Any:
    try:
        return evaluated(operation.statement, operands, operation.out)
    except TamaleError as error:
        error.add_note(f"in {operation.statement}, which an operator of tensors stands for")
        raise
