"""Element types: NumPy's names for them, MLIR's and C's, and the type that a kernel computes in."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from tamale.dialects.errors import TamaleError
from tamale.dialects.notation.ast import Call, Expr, Literal, walk
from tamale.dialects.operators import operator_named

C_TYPES = {
    "float64": "double",
    "float32": "float",
    "complex128": "double _Complex",
    "complex64": "float _Complex",
    "int64": "int64_t",
    "int32": "int32_t",
    "int16": "int16_t",
    "int8": "int8_t",
}
"""The element types of tensors, and what C calls them."""

WIDENED = {
    "bool": "int64",
    "uint8": "int16",
    "uint16": "int32",
    "uint32": "int64",
    "uint64": "int64",
    "float16": "float32",
}
"""Types of values from outside -> the type that tensors hold them in: the smallest that has every
value, of uint64 the largest there is; of truth values, the type in which NumPy counts them."""

INDEX_TYPES = {"i32": "int32", "i64": "int64"}
"""The widths of positions and coordinates, and NumPy's names for them."""


@lru_cache(maxsize=256)
def type_name(dtype: np.dtype[Any]) -> str:
    """NumPy's name of a type, which NumPy takes microseconds to put together."""
    return dtype.name


def is_array(value: object) -> TypeGuard[NDArray[Any]]:
    """Whether `value` is a NumPy array, of any type."""
    return isinstance(value, np.ndarray)


def element_type(dtype: object, who: str) -> str:
    """
    NumPy's name of a supported element type.

    Raises:
        TamaleError: the type is not supported; `who` begins the message.
    """
    try:
        name = type_name(np.dtype(dtype))  # pyright: ignore[reportArgumentType, reportCallIssue, reportUnknownArgumentType]
    except TypeError as error:
        raise TamaleError(f"{who}: '{dtype}' is no element type") from error
    if name not in C_TYPES:
        raise TamaleError(
            f"{who}: element type {name} is not supported; supported are {', '.join(C_TYPES)}"
        )
    return name


def held(values: NDArray[Any], who: str) -> NDArray[Any]:
    """
    Values in the element type that tensors hold them in; the array itself if that is its own.

    Raises:
        TamaleError: there is none, or a value is too large for it; `who` begins the message.
    """
    name = type_name(values.dtype)
    if name == "uint64":
        _check_largest(values, who)
    wider = WIDENED.get(name) or element_type(values.dtype, who)
    return values.astype(wider, copy=False)


def _check_largest(values: NDArray[Any], who: str) -> None:
    """
    Raises:
        TamaleError: an unsigned value is more than int64 can be.
    """
    if not values.size or values.max() < 1 << 63:
        return
    place = np.unravel_index(values.argmax(), values.shape)
    where = str(tuple(map(int, place))) if values.ndim != 1 else int(place[0])
    raise TamaleError(
        f"{who}: value {where} is {values.max():,}; tensors hold uint64 as int64, which ends at "
        f"{(1 << 63) - 1:,}\n  help: pass `values.astype('float64')`, which rounds"
    )


def computation_type(expression: Expr, operands: Iterable[str], who: str) -> str:
    """
    The type that an expression is computed in: NumPy's promotion of its operands and literals.

    Python numbers are weak, as in NumPy 2: `2 * A` keeps the type of A, `0.5 * A` makes integers
    floats. Division of integers is in float64.
    """
    numbers = _numbers(expression)
    strong = [np.dtype(name) for name in operands]
    dtype = np.result_type(*strong, *numbers) if strong or numbers else np.dtype(np.float64)
    calls = (node for node in walk(expression) if isinstance(node, Call))
    inexact = any(operator_named(call.operator).inexact for call in calls)
    if inexact and np.issubdtype(dtype, np.integer):
        dtype = np.dtype(np.float64)
    return element_type(dtype, who)


def _numbers(expression: Expr) -> list[int | float | complex]:
    return [
        int(node.value) if isinstance(node.value, bool) else node.value
        for node in walk(expression)
        if isinstance(node, Literal)
    ]
