"""A kernel for other programs: its interface for C and C++, with an example on small tensors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tamale.backends.cpp.interface import Interface, Parameter, print_c_header, print_header_only
from tamale.backends.jit.compiler import compile_flags, find_compiler
from tamale.dialects.errors import KernelError
from tamale.dialects.format.spec import Format
from tamale.frontend.dtypes import C_TYPES, INDEX_TYPES
from tamale.frontend.libraries.dense import from_numpy
from tamale.frontend.naming import shown
from tamale.frontend.request import Request
from tamale.frontend.stages import Stages
from tamale.frontend.tensor import Tensor
from tamale.passes.levels import array_width, storage_kind

EXAMPLE_SIZE = 2
"""The size of every index variable in examples."""


def header_only(request: Request) -> str:
    """The kernel as a C++ header that needs no library."""
    return print_header_only(interface_of(request), Stages(request).module("mlir"))


def c_header(request: Request) -> str:
    """The C header of the kernel's shared library."""
    return print_c_header(interface_of(request))


def write_library(request: Request, path: Path) -> Path:
    """
    Compiles a shared library, and writes its C header beside it.

    Returns:
        The path of the header.

    Raises:
        KernelError: there is no compiler, or a file cannot be written.
    """
    header = path.with_suffix(".h")
    try:
        flags = compile_flags(parallel=request.threads > 1)
        find_compiler().compile(Stages(request).cpp, path, flags)
        header.write_text(c_header(request), encoding="utf-8")
    except OSError as error:
        raise KernelError(f"compile: '{path}' cannot be written: {error}") from error
    return header


def interface_of(request: Request) -> Interface:
    """The parameters in the order of the C interface, see ARCHITECTURE.md."""
    parameters: list[Parameter] = []
    for operand in request.operands:
        name = f"{operand.name}_in" if operand.name == request.result.tensor else operand.name
        small = _small(operand.format, operand.dtype)
        parameters += _sizes(name, operand.format)
        parameters += _arrays(name, operand.format, operand.dtype, "const {} *", small)
    target, format = request.result.tensor, request.result_format
    parameters += _sizes(target, format)
    if format.all_dense:
        empty = from_numpy(np.zeros([EXAMPLE_SIZE] * format.order, request.dtype), format)
        parameters += _arrays(target, format, request.dtype, "{} *", empty)
    else:
        parameters += _arrays(target, format, request.dtype, "{} **", None)
    lines = (f"  {name}: {shown(each)}" for name, each in request.formats.items())
    return Interface(request.name, request.source, tuple(lines), tuple(parameters))


def _small(format: Format, dtype: str) -> Tensor:
    """A tensor with entries that every format holds: those with equal coordinates."""
    array = np.zeros([EXAMPLE_SIZE] * format.order, dtype)
    for k in range(EXAMPLE_SIZE):
        array[(k,) * format.order] = k + 1
    return from_numpy(array, format)


def _sizes(name: str, format: Format) -> Iterator[Parameter]:
    for mode in range(1, format.order + 1):
        meaning = f"size of mode {mode} of {name}"
        yield Parameter("int64_t", f"{name}_dim{mode}", meaning, (str(EXAMPLE_SIZE),))


def _arrays(
    name: str, format: Format, dtype: str, pattern: str, small: Tensor | None
) -> Iterator[Parameter]:
    """The arrays of the levels, then the values, with their elements in a small tensor."""
    for k, level in enumerate(format.levels):
        for array in storage_kind(level.kind).arrays:
            ctype = pattern.format(f"{INDEX_TYPES[array_width(format, k, array)]}_t")
            elements = _literals(small.levels[k][array]) if small else ()
            meaning = f"{array} of level {k + 1} of {name}"
            yield Parameter(ctype, f"{name}{k + 1}_{array}", meaning, elements)
    values = _literals(small.vals) if small else ()
    yield Parameter(pattern.format(C_TYPES[dtype]), f"{name}_vals", f"values of {name}", values)


def _literals(array: Any) -> tuple[str, ...]:
    """Elements as C writes them; the imaginary parts are 0."""
    return tuple(str(element) for element in array.real.tolist())
