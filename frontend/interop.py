"""NumPy and SciPy in and out; csr and csc share memory with SciPy where types and order agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tamale.dialects.errors import FormatError, TamaleError
from tamale.dialects.format.hybrid import HybridFormat, resolve_hybrid
from tamale.dialects.format.named import dense_format, is_hybrid, name_of, resolve_format
from tamale.dialects.format.spec import Format, Width
from tamale.dialects.lazy import load
from tamale.frontend.dtypes import element_type
from tamale.frontend.entries import from_entries
from tamale.frontend.hybrid import HybridTensor, hybrid_tensor
from tamale.frontend.tensor import LevelArrays, Tensor


def tensor(
    data: Any, format: str | Format | None = None, *, shape: Sequence[int] | None = None
) -> Tensor:
    """
    A tensor from a tensor, hybrid or not, a NumPy array, a SciPy sparse array or matrix, a number,
    or entries.

    Args:
        data: where the values come from. SciPy's csr, csc and bsr are used in place if their
            indices are sorted without duplicates, dense arrays if they are contiguous. With
            `shape`: entries, as `(values, (coordinates of mode 1, ...))`, in any order; values of
            equal coordinates are added up.
        format: how to store it: a named format, a format line or a `Format`. By default as it
            comes: dense, csr, csc or bcsr, else coo.
        shape: dimension sizes, for entries.

    Raises:
        FormatError: the format cannot be read or does not fit, or the arrays break its promises.
        KernelError: the tensor does not fit into the format.
    """
    if shape is not None:
        return _from_triples(data, [int(size) for size in shape], format)
    if _is_scipy(data):
        return _from_scipy(data, format)
    if isinstance(data, HybridTensor):
        return data.to_format(_resolved(format, data.order))
    found = data if isinstance(data, Tensor) else from_numpy(np.asarray(data))
    return found if format is None else found.to_format(_resolved(format, found.order))


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


def _resolved(format: object, order: int) -> Format:
    """The format for tensors of some order; sorted coordinates if None."""
    wanted = format or ("coo" if order > 1 else "csf")
    if not isinstance(wanted, str | Format):
        raise FormatError(
            f"tensor: expected a format, its name or its line, got {type(wanted).__name__}"
        )
    if isinstance(wanted, str):
        return resolve_format(wanted, order)
    if wanted.order != order:
        raise FormatError(f"tensor: {wanted} does not fit a tensor of order {order}")
    return wanted


def _from_triples(data: Any, shape: list[int], format: str | Format | None) -> Tensor:
    try:
        vals, coordinates = data
        columns = [np.asarray(column) for column in coordinates]
    except (TypeError, ValueError) as error:
        raise FormatError(
            "tensor: with `shape`, data is (values, (coordinates of mode 1, ...))"
        ) from error
    for mode, column in enumerate(columns, 1):
        if len(column) and column.dtype.kind not in "iu":
            raise FormatError(f"tensor: mode {mode} has {column.dtype} coordinates, not integers")
    vals = np.asarray(vals)
    vals = vals.astype(element_type(vals.dtype, "tensor"), copy=False)
    if not shape:
        raise FormatError("tensor: a tensor of order 0 has no entries; pass the number")
    return from_entries(columns, vals, shape, _resolved(format, len(shape)))


def from_numpy(array: Any, format: Format | None = None) -> Tensor:
    """A dense tensor over the array, in place if it is contiguous in the format's order."""
    dtype = element_type(array.dtype, "tensor")
    format = format or dense_format(array.ndim)
    stored = np.ascontiguousarray(array.transpose(format.mode_order), dtype=dtype)
    return Tensor(format, array.shape, [{} for _ in format.levels], stored.reshape(-1))


def _is_scipy(data: Any) -> bool:
    """Whether `data` is a SciPy sparse array or matrix, found out without importing SciPy."""
    return type(data).__module__.startswith("scipy.sparse")


def _from_scipy(data: Any, format: str | Format | None) -> Tensor:
    wanted = None if format is None else _resolved(format, data.ndim)
    if data.format in ("csr", "csc", "bsr") and data.ndim == 2:
        found = _from_compressed(data)
        return found if wanted is None else found.to_format(wanted)
    coo = data.tocoo()
    coordinates = coo.coords if hasattr(coo, "coords") else (coo.row, coo.col)
    vals = coo.data.astype(element_type(coo.data.dtype, "tensor"), copy=False)
    return from_entries(coordinates, vals, coo.shape, wanted or _resolved(None, data.ndim))


def _from_compressed(data: Any) -> Tensor:
    """csr, csc, and bsr as bcsr, in place where they are canonical."""
    if not data.has_canonical_format:
        data = data.copy()
        data.sum_duplicates()
    width: Width = "i64" if data.indices.dtype == np.int64 else "i32"
    name = data.format
    if name == "bsr":
        rows, columns = data.blocksize
        name = "csr" if rows == columns == 1 else f"bcsr({rows}, {columns})"
    format = resolve_format(name, 2).with_widths(pos=width, crd=width)
    vals = data.data.astype(element_type(data.data.dtype, "tensor"), copy=False)
    segments = {"pos": data.indptr, "crd": data.indices}
    levels: list[LevelArrays] = [{}, segments, *({} for _ in format.levels[2:])]
    return Tensor(format, data.shape, levels, np.ascontiguousarray(vals).reshape(-1)).check()


def to_scipy(source: Tensor) -> Any:
    """The tensor as a SciPy array; csr and csc in place, other formats as coo."""
    if source.order > 2 or source.order == 0:
        raise TamaleError(f"to_scipy: SciPy has no sparse arrays of order {source.order}")
    name = name_of(source.format) or ""
    if name in ("csr", "csc"):
        level = source.levels[1]
        make = load(f"scipy.sparse:{name}_array")
        return make((source.vals, level["crd"], level["pos"]), shape=source.shape)
    coordinates, vals = source.nonzeros()
    return load("scipy.sparse:coo_array")((vals, coordinates), shape=source.shape)
