"""What becomes a tensor: arrays of any library, numbers, entries; in place where layouts agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from tamale.dialects.errors import FormatError
from tamale.dialects.format.hybrid import HybridFormat, resolve_hybrid
from tamale.dialects.format.named import is_hybrid
from tamale.dialects.format.spec import Format
from tamale.dialects.lazy import load
from tamale.frontend.arguments import format_in, shape_of
from tamale.frontend.dtypes import held
from tamale.frontend.entries import from_entries
from tamale.frontend.hybrid import HybridTensor, hybrid_tensor
from tamale.frontend.libraries.dense import as_array, from_dlpack, from_numpy
from tamale.frontend.naming import fitting
from tamale.frontend.tensor import Tensor

_LIBRARIES = {
    "scipy.sparse": "tamale.frontend.libraries.scipy_arrays:from_scipy",
    "sparse": "tamale.frontend.libraries.pydata_sparse:from_pydata",
    "torch": "tamale.frontend.libraries.torch_tensors:from_torch",
}
"""Packages whose arrays are known by their types -> what makes tensors of them."""

Reader: TypeAlias = Callable[[Any, Format | None], Tensor]


def tensor(
    data: Any, format: str | Format | None = None, *, shape: Sequence[int] | None = None
) -> Tensor:
    """
    A tensor from a tensor, an array of NumPy, SciPy, pydata/sparse or PyTorch, anything that
    speaks `__binsparse__`, DLPack or `__array__`, a number, or entries.

    Args:
        data: where the values come from. Arrays are used in place where they are stored as tamale
            does: csr, csc, bsr and bsc with sorted indices without duplicates, sorted coordinates,
            contiguous dense arrays. With `shape`: entries, as
            `(values, (coordinates of mode 1, ...))`, in any order; values of equal coordinates are
            added up.
        format: how to store it: a named format, a format line or a `Format`. By default as it
            comes: dense, csr, csc, bcsr or bcsc, else coo.
        shape: dimension sizes, for entries.

    Raises:
        FormatError: the format cannot be read or does not fit, or the arrays break its promises.
        KernelError: the tensor does not fit into the format.
    """
    if shape is not None:
        return _from_triples(data, list(shape_of(shape, "tensor")), format)
    if isinstance(data, HybridTensor):
        return data.to_format(resolved(format, data.shape))
    if isinstance(data, Tensor):
        return data if format is None else data.to_format(resolved(format, data.shape))
    read, given = _reader(data)
    if format is not None and hasattr(given, "shape"):
        return read(given, resolved(format, given.shape))
    found = read(given, None)
    return found if format is None else found.to_format(resolved(format, found.shape))


def is_foreign(data: Any) -> bool:
    """Whether `data` is an array of a library that is known, or speaks one of the protocols."""
    protocols = ("__binsparse__", "__dlpack__", "__array__")
    return _library(data) is not None or any(hasattr(data, name) for name in protocols)


def _library(data: Any) -> Reader | None:
    """What reads arrays of the library that `data` comes from; libraries are not imported."""
    for kind in type(data).__mro__:
        for package, reader in _LIBRARIES.items():
            if f"{kind.__module__}.".startswith(f"{package}."):
                return load(reader)
    return None


def _reader(data: Any) -> tuple[Reader, Any]:
    """What makes a tensor of `data`, and the object to give it."""
    reader = _library(data)
    if reader is not None:
        return reader, data
    if hasattr(data, "__binsparse__"):
        return load("tamale.frontend.libraries.binsparse:from_binsparse"), data
    if hasattr(data, "__dlpack__") and not hasattr(data, "__array__"):
        return from_dlpack, data
    return from_numpy, as_array(data)


def stored(
    data: Any,
    format: str | Format | HybridFormat | None = None,
    *,
    shape: Sequence[int] | None = None,
) -> Tensor | HybridTensor:
    """As `tensor`, but hybrid tensors stay hybrid, and the format may be a hybrid."""
    if isinstance(data, HybridTensor) and format is None:
        return data
    if isinstance(format, str) and not is_hybrid(format):
        return tensor(data, format, shape=shape)
    if isinstance(format, str | HybridFormat):
        whole = data if isinstance(data, HybridTensor) else tensor(data, shape=shape)
        if isinstance(format, str):
            format = resolve_hybrid(format, whole.order)
        return hybrid_tensor(whole, format)
    return tensor(data, format, shape=shape)


def resolved(format: object, shape: Sequence[int]) -> Format:
    """The format for tensors of some sizes; sorted coordinates if None."""
    order = len(shape)
    wanted = format_in(format or ("coo" if order > 1 else "csf"), "tensor")
    if isinstance(wanted, str):
        return fitting(wanted, shape)
    if wanted.order != order:
        raise FormatError(f"tensor: {wanted} does not fit a tensor of order {order}")
    return wanted


def _from_triples(data: Any, shape: list[int], format: str | Format | None) -> Tensor:
    try:
        vals, coordinates = data
        listed = list(coordinates)
    except (TypeError, ValueError) as error:
        raise FormatError(
            "tensor: with `shape`, data is (values, (coordinates of mode 1, ...))"
        ) from error
    columns = [np.atleast_1d(as_array(column)) for column in listed]
    for mode, column in enumerate(columns, 1):
        if len(column) and column.dtype.kind not in "iu":
            raise FormatError(f"tensor: mode {mode} has {column.dtype} coordinates, not integers")
    vals = held(np.atleast_1d(as_array(vals)), "tensor")
    if not shape:
        raise FormatError("tensor: a tensor of order 0 has no entries; pass the number")
    return from_entries(columns, vals, shape, resolved(format, shape))
