"""Compiled kernels without what surrounds them in Python: arguments are prepared once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from timing import Contender

import tamale as tm
from tamale.backends.jit.library import CData, check_status, ffi, pointer
from tamale.frontend.converting import Conversion
from tamale.frontend.results import ResultPlan
from tamale.frontend.signature import array_types

NAME = "tamale"


def into_array(kernel: tm.Kernel, operands: Sequence[Any], out: Any) -> Contender:
    """
    The kernel, writing into a float64 array that exists.

    Args:
        kernel: its result is dense.
        operands: tensors and arrays of the kernel's formats and types, in order of appearance.
        out: the array.
    """
    call, source = kernel.native.call, kernel.request.source
    arguments = (*arguments_of(operands), *out.shape, pointer(out, "double *", writable=True))

    def run() -> Any:
        if status := call(*arguments):
            check_status(status, source)
        return out

    return Contender(NAME, run)


def assembling(kernel: tm.Kernel, operands: Sequence[Any], shape: tuple[int, ...]) -> Contender:
    """
    The kernel, allocating its result, after the result of the call before is freed.

    Args:
        kernel: its result is sparse.
        operands: tensors and arrays of the kernel's formats and types, in order of appearance.
        shape: of the result.
    """
    request, call = kernel.request, kernel.native.call
    free: Any = kernel.native.free
    types = array_types(request.result_format, request.dtype, "{} **")[len(shape) :]
    outs: list[Any] = [ffi.gc(ffi.new(ctype), lambda out: free(out[0])) for ctype in types]
    arguments = (*arguments_of(operands), *shape, *outs)

    def run() -> Any:
        for out in outs:
            free(out[0])
            out[0] = ffi.NULL
        if status := call(*arguments):
            check_status(status, request.source)
        return outs

    def view(found: Any) -> Any:
        result = ResultPlan(request.result_format, np.dtype(request.dtype), leave_to_run)
        return result.collect(shape, found)

    return Contender(NAME, run, view)


def arguments_of(operands: Sequence[Any]) -> tuple[Any, ...]:
    """Sizes and pointers of all operands."""
    return tuple(argument for operand in operands for argument in tm.tensor(operand).arguments)


def leave_to_run(_: CData) -> None:
    """Frees nothing: a view borrows the result, and `run` frees it."""


def converting(conversion: Conversion, tensor: tm.Tensor) -> Contender:
    """The conversion, allocating its result, after the result of the call before is freed."""
    call = conversion.native.call
    free: Any = conversion.native.free
    target, dtype = conversion.target, conversion.dtype
    types = array_types(target, dtype, "{} **")[target.order :]
    outs: list[Any] = [ffi.gc(ffi.new(ctype), lambda out: free(out[0])) for ctype in types]
    arguments = (*tensor.arguments, *outs)

    def run() -> Any:
        for out in outs:
            free(out[0])
            out[0] = ffi.NULL
        if status := call(*arguments):
            check_status(status, f"convert {conversion}")
        return outs

    def view(found: Any) -> Any:
        result = ResultPlan(target, tensor.dtype, leave_to_run)
        return result.collect(tensor.shape, found)

    return Contender(NAME, run, view)
