"""Dense arrays: NumPy's, and those of libraries that hand out their memory by DLPack."""

from __future__ import annotations

from typing import Any

import numpy as np

from tamale.dialects.errors import FormatError
from tamale.dialects.format.named import dense_format
from tamale.dialects.format.spec import Format
from tamale.frontend.dtypes import held
from tamale.frontend.tensor import Tensor


def as_array(data: Any) -> Any:
    """
    A NumPy array of what NumPy makes one of.

    Raises:
        FormatError: elements are masked out, which a tensor cannot tell from others, or the data
            are lists of different lengths.
    """
    if np.ma.is_masked(data):
        raise FormatError(
            "tensor: some elements of the array are masked, and tensors have no masks\n"
            "  help: pass `array.filled(0)`"
        )
    try:
        return np.asarray(data)
    except ValueError as error:
        raise FormatError(f"tensor: no array can be made of the data: {error}") from error


def from_numpy(array: Any, format: Format | None = None) -> Tensor:
    """A tensor over the array; in place if it is contiguous in the order of a dense format."""
    if format is not None and not format.all_dense:
        return from_numpy(array).to_format(format)
    array = held(array, "tensor")
    format = format or dense_format(array.ndim)
    if format.order != array.ndim:
        raise FormatError(f"tensor: {format} does not fit a tensor of order {array.ndim}")
    stored = np.ascontiguousarray(array.transpose(format.mode_order))
    return Tensor(format, array.shape, [{} for _ in format.levels], stored.reshape(-1))


def from_dlpack(data: Any, format: Format | None) -> Tensor:
    """
    A tensor over the memory of another library.

    Raises:
        FormatError: the memory is not the CPU's, or of a type that NumPy does not have.
    """
    try:
        array = np.from_dlpack(data)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        kind = f"{type(data).__module__}.{type(data).__qualname__}"
        raise FormatError(
            f"tensor: the memory of a {kind} cannot be used: {error}\n"
            "  help: copy it to the CPU first"
        ) from error
    return from_numpy(array, format)
