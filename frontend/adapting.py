"""Operands as users pass them, brought into the storage that a kernel was compiled for."""

from __future__ import annotations

from typing import Any

import numpy as np

from tamale.dialects.errors import KernelError
from tamale.frontend.dtypes import held
from tamale.frontend.hybrid import HybridTensor
from tamale.frontend.interop import tensor
from tamale.frontend.libraries.dense import as_array, from_numpy
from tamale.frontend.request import Operand
from tamale.frontend.tensor import Tensor


def adapted(operand: Operand, value: Any, source: str) -> Tensor:
    """
    `value` as a tensor of the operand's format and element type.

    Args:
        operand: what the kernel expects.
        value: a tensor, a NumPy array, a SciPy array or a number.
        source: the statement, for messages.

    Raises:
        KernelError: the order does not fit, or the type cannot be converted safely.
        FormatError: the arrays break the promises of their format.
    """
    dtype = np.dtype(operand.dtype)
    if not isinstance(value, Tensor):
        if operand.format.all_dense and not hasattr(value, "tocoo"):
            return _dense(operand, dtype, as_array(value), source)
        value = tensor(value, operand.format if isinstance(value, HybridTensor) else None)
    _check_order(operand, value.order, source)
    if value.dtype != dtype:
        _check_cast(operand, value.dtype, source)
        value = Tensor(value.format, value.shape, value.levels, value.vals.astype(dtype))
    return value if value.format == operand.format else value.to_format(operand.format)


def _dense(operand: Operand, dtype: np.dtype[Any], array: Any, source: str) -> Tensor:
    _check_order(operand, array.ndim, source)
    if array.dtype != dtype:
        array = held(array, f"kernel: {operand.name} of  {source}")
        _check_cast(operand, array.dtype, source)
        array = array.astype(dtype)
    return from_numpy(array, operand.format)


def _check_order(operand: Operand, order: int, source: str) -> None:
    if order != operand.format.order:
        raise KernelError(
            f"kernel: {operand.name} has order {order}, but is used with order "
            f"{operand.format.order} in  {source}"
        )


def _check_cast(operand: Operand, dtype: np.dtype[Any], source: str) -> None:
    if not np.can_cast(dtype, operand.dtype, "safe"):
        raise KernelError(
            f"kernel: {operand.name} holds {dtype}, but the kernel was compiled for "
            f"{operand.dtype}, in  {source}\n"
            f"  help: pass `{operand.name}.astype({operand.dtype!r})`"
        )
