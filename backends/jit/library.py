"""Loads a compiled kernel and calls it, through cffi."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

# The C half of cffi, which its generated modules import too. The Python half parses the
# same declarations with pycparser, and takes 80 ms to do so in a fresh process.
import _cffi_backend

from tamale.backends.cpp.status import STATUS_MESSAGES
from tamale.dialects.errors import KernelError

if TYPE_CHECKING:
    import numpy as np

CData: TypeAlias = _cffi_backend.FFI.CData
CType: TypeAlias = _cffi_backend.FFI.CType

ffi = _cffi_backend.FFI()
"""Makes the other arguments of a kernel, such as `ffi.new("int32_t **")` for a result."""


@dataclass(frozen=True, slots=True)
class NativeKernel:
    """A loaded function; it stays loaded as long as the process runs."""

    name: str

    call: Callable[..., int]
    """
    The C function: `call(*arguments) -> status`, without the GIL. It takes int, float and bool
    for scalars and, for pointers, what `pointer` and `ffi.new` return.
    """

    free: Callable[[CData], None] | None
    """Frees what the kernel allocated; None if it allocates nothing."""


def load(path: Path, name: str, parameters: Sequence[str]) -> NativeKernel:
    """
    The function `int32_t name(parameters...)` of the library at `path`.

    Args:
        path: a shared library; it is loaded once per process.
        parameters: C types, such as `int64_t`, `const double *` or `int32_t **`. A complex
            number goes by pointer: libffi cannot pass one by value.

    Raises:
        KernelError: the library cannot be loaded, has no such function, or a type is
            unknown or cannot be passed.
    """
    by_value = [ctype for ctype in parameters if "_Complex" in ctype and "*" not in ctype]
    if by_value:
        raise KernelError(f"kernel '{name}': pass '{by_value[0]}' by pointer, not by value.")
    library = open_library(path)
    try:
        signature = ffi.typeof(f"int32_t(*)({', '.join(parameters) or 'void'})")
        call: Callable[..., int] = library.load_function(signature, name)
    except (ffi.error, AttributeError) as error:
        raise KernelError(f"kernel '{name}' in '{path}' cannot be used: {error}") from error
    return NativeKernel(name, call, _release_function(library, name))


@cache
def open_library(path: Path, visibility: int = os.RTLD_LOCAL) -> Any:
    """
    The cffi library at `path`, never to be unloaded: an array that a kernel allocated needs the
    library's code to be freed, and may well be the last thing to die in a process.

    Args:
        path: a shared library.
        visibility: `RTLD_GLOBAL` if libraries that are loaded later shall find its functions.

    Raises:
        KernelError: it cannot be loaded.
    """
    try:
        flags = os.RTLD_NOW | _cffi_backend.RTLD_NODELETE | visibility
        return _cffi_backend.load_library(str(path), flags)
    except OSError as error:
        raise KernelError(
            f"kernel library '{path}' cannot be loaded: {error}\n"
            "  help: if its file system forbids running programs, set TAMALE_CACHE_DIR to "
            "a folder on another one."
        ) from error


def _release_function(library: Any, name: str) -> Callable[[CData], None] | None:
    """`NAME_free`, which exists if the kernel allocates its results."""
    try:
        return library.load_function(ffi.typeof("void(*)(void *)"), f"{name}_free")
    except AttributeError:
        return None


_from_buffer: Callable[..., CData] = ffi.from_buffer


def pointer(array: "np.ndarray[Any, Any]", ctype: str, *, writable: bool = False) -> CData:
    """
    The address of the elements of `array`, as the C pointer type `ctype`.

    The array stays alive, and cannot be resized, as long as the pointer does. It must be
    contiguous in C order, hold what `ctype` points to (anything, for `void *`), and be
    writable if `writable` is asked for.

    Raises:
        KernelError: the array is not like that.

    Cost: about 0.4 microseconds, whatever the size of the array; nothing is copied.
    """
    buffer_type, dtype = _pointed_to(ctype)
    if dtype is not None and array.dtype != dtype:
        raise KernelError(
            f"kernel argument '{ctype}': needs {dtype} elements, got {array.dtype}.\n"
            f"  help: pass `array.astype('{dtype}')`."
        )
    try:
        return _from_buffer(buffer_type, array, writable)
    except (TypeError, ValueError) as error:
        _refuse(array, ctype, error)


def address_of(ctype: str) -> "Callable[[np.ndarray[Any, Any]], CData]":
    """
    What `pointer` does, in half the time, for arrays that are known to be contiguous, to hold what
    `ctype` points to, and to be writable if the function that takes the pointer writes.
    """
    return partial(_from_buffer, _pointed_to(ctype)[0])


def _refuse(array: "np.ndarray[Any, Any]", ctype: str, error: Exception) -> NoReturn:
    facts = f"shape {array.shape}, strides {array.strides}, {array.dtype}"
    raise KernelError(
        f"kernel argument '{ctype}': the array has no address to pass ({facts}): {error}.\n"
        "  help: pass `numpy.ascontiguousarray(array)`, or a copy if it may not be written."
    ) from error


@cache
def _pointed_to(ctype: str) -> "tuple[CType, np.dtype[Any] | None]":
    """The C array type for the buffer of a `ctype` pointer, and the NumPy type of its elements."""
    import numpy as np

    element = ctype.replace("const ", "").removesuffix("*").strip()
    if element == "void":
        return ffi.typeof("char[]"), None
    if element not in _DTYPES:
        raise KernelError(f"kernel argument '{ctype}': no NumPy array holds '{element}'.")
    return ffi.typeof(f"{element}[]"), np.dtype(_DTYPES[element])


_DTYPES = {
    **{f"{kind}{bits}_t": f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)},
    "bool": "bool",
    "float": "float32",
    "double": "float64",
    "float _Complex": "complex64",
    "double _Complex": "complex128",
}


own: Callable[[CData, Callable[[CData], None]], CData] = ffi.gc
"""The same pointer, whose memory is freed, once, when it and all views of it are gone."""


def view(owner: CData, count: int, dtype: "np.dtype[Any]") -> "np.ndarray[Any, Any]":
    """An array of `count` elements in the memory at `owner`, which lives as long as the array."""
    import numpy as np

    if count == 0:
        return np.empty(0, dtype)
    return np.frombuffer(memoryview(ffi.buffer(owner, count * dtype.itemsize)), dtype)


def check_status(status: int, kernel: str) -> None:
    """
    Raises:
        KernelError: `status`, which a call of the function `kernel` returned, is not 0.
    """
    if status == 0:
        return
    meaning = STATUS_MESSAGES.get(status, "unknown failure")
    raise KernelError(f"kernel '{kernel}' stopped: {meaning} (status {status}).")
