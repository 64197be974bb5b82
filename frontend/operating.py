"""Operators of tensors: operands as users pass them, computed by a statement."""

from __future__ import annotations

from functools import lru_cache
from numbers import Number
from typing import Any

import numpy as np

from tamale.dialects.errors import TamaleError
from tamale.dialects.format.named import dense_format
from tamale.frontend.api import compile_typed, evaluated
from tamale.frontend.dtypes import held, is_array, type_name
from tamale.frontend.hybrid import HybridTensor
from tamale.frontend.interop import is_foreign, stored
from tamale.frontend.kernel import Kernel
from tamale.frontend.libraries.dense import as_array
from tamale.frontend.operator_statements import KEPT, Operation, Term, operation_of
from tamale.frontend.storage import TensorType, tensor_type
from tamale.frontend.tensor import Tensor

NUMBERS = "biufc"
"""The kinds of NumPy's types that are numbers."""


def binary(symbol: str, left: Any, right: Any) -> Any:
    """
    `left + right` and the like, with NumPy's broadcasting, and `left @ right`, products of the last
    two modes, of vectors, and of stacks of them; NotImplemented where an operand is nothing that a
    tensor can be made of.

    Raises:
        KernelError: the shapes do not fit.
    """
    a, b = operand(left, right), operand(right, left)
    if a is None or b is None:
        return NotImplemented
    return _computed(symbol, ("A", a), ("A" if left is right else "B", b))


def unary(expression: str, value: Tensor | HybridTensor) -> Any:
    """An expression in A of one operand, coordinate by coordinate, in its format."""
    return _computed(expression, ("A", value))


def operand(value: Any, other: Any) -> Any:
    """
    A tensor or an array, None if `value` is neither; a Python number has the type of the other
    operand if it fits, as in NumPy.
    """
    if isinstance(value, (Tensor, HybridTensor)):
        return value
    if is_array(value):
        return held(as_array(value), "tensor") if value.dtype.kind in NUMBERS else None
    if isinstance(value, (bool, int, float, complex)):
        number = int(value) if isinstance(value, bool) else value
        return np.asarray(number, np.result_type(other.dtype, number))
    if isinstance(value, (Number, np.generic, list, tuple)):
        found = np.asarray(value)
        return held(found, "tensor") if found.dtype.kind in NUMBERS else None
    return stored(value) if is_foreign(value) else None


def _computed(what: str, *named: tuple[str, Any]) -> Any:
    """What an operator makes of its operands, given with their names."""
    seen: list[Any] = []
    for name, data in named:
        if isinstance(data, HybridTensor):
            return _of_hybrids(what, *named)
        kind = data.type if isinstance(data, Tensor) else dense_type(data.ndim, data.dtype)
        seen += (name, kind, data.shape)
    kernel, statement = _kernel(what, *seen)
    try:
        return kernel.run(dict(named), None)
    except TamaleError as error:
        _note(error, statement)
        raise


@lru_cache(maxsize=KEPT)
def dense_type(order: int, dtype: np.dtype[Any]) -> TensorType:
    """The type of dense arrays."""
    return tensor_type(dense_format(order), dtype)


@lru_cache(maxsize=KEPT)
def _kernel(what: str, *seen: Any) -> tuple[Kernel, str]:
    """The kernel and the statement of an operator; of each operand: its name, type and shape."""
    named: list[tuple[str, TensorType, tuple[int, ...]]]
    named = list(zip(seen[::3], seen[1::3], seen[2::3], strict=True))
    formats = [None if kind.format.all_dense else kind.format for _, kind, _ in named]
    terms = [Term(n, shape, f) for (n, _, shape), f in zip(named, formats, strict=True)]
    statement, out = operation_of(what, *terms)
    types = {name: type_name(kind.dtype) for name, kind, _ in named}
    all_formats = {**{name: kind.format for name, kind, _ in named}, "Z": out}
    try:
        kernel = compile_typed(statement, all_formats, types, accumulate=False, ahead=False)
    except TamaleError as error:
        _note(error, statement)
        raise
    return kernel, statement


def _of_hybrids(what: str, *named: tuple[str, Any]) -> Any:
    """As `_computed`, where an operand is in parts."""
    operation: Operation = operation_of(what, *(Term(n, d.shape, _format(d)) for n, d in named))
    try:
        return evaluated(operation.statement, dict(named), operation.out)
    except TamaleError as error:
        _note(error, operation.statement)
        raise


def _format(data: Any) -> Any:
    """How an operand is stored, or would be in one piece; None if no entry can be missing."""
    if isinstance(data, HybridTensor):
        return data.plain_format
    return data.format if isinstance(data, Tensor) and not data.format.all_dense else None


def _note(error: TamaleError, statement: str) -> None:
    error.add_note(f"in {statement}, which an operator of tensors stands for")
