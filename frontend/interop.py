"""NumPy and SciPy in and out; csr and csc share memory with SciPy where types and order agree."""

from __future__ import annotations

from typing import Any

import numpy as np

from tamale.dialects.errors import FormatError, TamaleError
from tamale.dialects.format.named import dense_format, name_of, resolve_format
from tamale.dialects.format.spec import Format, Width
from tamale.dialects.lazy import load
from tamale.frontend.dtypes import element_type
from tamale.frontend.packing import pack
from tamale.frontend.tensor import LevelArrays, Tensor


def tensor(data: Any, format: str | Format | None = None) -> Tensor:
    """
    A tensor from a tensor, a NumPy array, a SciPy sparse array or matrix, or a number.

    Args:
        data: where the values come from. SciPy's csr and csc are used in place if their indices
        are sorted
            without duplicates, dense arrays if they are contiguous.
        format: how to store it: a named format, a format line or a `Format`. By default as it
        comes: dense,
            csr, csc, else coo.

    Raises:
        FormatError: the format cannot be read or does not fit, or the arrays break its promises.
    """
    if isinstance(data, Tensor):
        found = data
    elif _is_scipy(data):
        found = _from_scipy(data)
    else:
        found = from_numpy(np.asarray(data))
    if format is None:
        return found
    wanted = resolve_format(format, found.order) if isinstance(format, str) else format
    if wanted.order != found.order:
        raise FormatError(f"tensor: {wanted} does not fit a tensor of order {found.order}")
    return found.to_format(wanted)


def from_numpy(array: Any, format: Format | None = None) -> Tensor:
    """A dense tensor over the array, in place if it is contiguous in the format's order."""
    dtype = element_type(array.dtype, "tensor")
    format = format or dense_format(array.ndim)
    stored = np.ascontiguousarray(array.transpose(format.mode_order), dtype=dtype)
    return Tensor(format, array.shape, [{} for _ in format.levels], stored.reshape(-1))


def _is_scipy(data: Any) -> bool:
    """Whether `data` is a SciPy sparse array or matrix, found out without importing SciPy."""
    return type(data).__module__.startswith("scipy.sparse")


def _from_scipy(data: Any) -> Tensor:
    if data.format in ("csr", "csc") and data.ndim == 2:
        return _from_compressed(data)
    coo = data.tocoo()
    coordinates = coo.coords if hasattr(coo, "coords") else (coo.row, coo.col)
    vals = coo.data.astype(element_type(coo.data.dtype, "tensor"), copy=False)
    name = "coo" if len(coo.shape) > 1 else "csf"
    return pack(coordinates, vals, coo.shape, resolve_format(name, len(coo.shape)))


def _from_compressed(data: Any) -> Tensor:
    if not data.has_canonical_format:
        data = data.copy()
        data.sum_duplicates()
    width: Width = "i64" if data.indices.dtype == np.int64 else "i32"
    format = resolve_format(data.format, 2).with_widths(pos=width, crd=width)
    vals = data.data.astype(element_type(data.data.dtype, "tensor"), copy=False)
    levels: tuple[LevelArrays, ...] = ({}, {"pos": data.indptr, "crd": data.indices})
    return Tensor(format, data.shape, levels, vals).check()


def to_scipy(source: Tensor) -> Any:
    """The tensor as a SciPy array; csr and csc in place."""
    if source.order > 2 or source.order == 0:
        raise TamaleError(f"to_scipy: SciPy has no sparse arrays of order {source.order}")
    name = name_of(source.format.with_widths(pos="i32", crd="i32"))
    if name in ("csr", "csc"):
        level = source.levels[1]
        make = load(f"scipy.sparse:{name}_array")
        return make((source.vals, level["crd"], level["pos"]), shape=source.shape)
    return load("scipy.sparse:coo_array")((source.vals, source.coordinates()), shape=source.shape)
