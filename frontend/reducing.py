"""Reductions of a tensor along modes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from tamale.dialects.errors import CoordinateError, TamaleError
from tamale.dialects.integers import whole_numbers
from tamale.frontend.api import evaluate
from tamale.frontend.dtypes import is_array, type_name
from tamale.frontend.entries import from_entries
from tamale.frontend.hybrid import HybridTensor
from tamale.frontend.operator_statements import default_format, sum_statement
from tamale.frontend.tensor import Tensor

SUM_TYPES = {
    "float32": "float64",
    "complex64": "complex128",
    "int8": "int64",
    "int16": "int64",
    "int32": "int64",
}
"""Element types whose sums need a wider one; floats come back in their own type."""


def total(
    source: Tensor | HybridTensor, axis: int | Sequence[int] | None, out: Any, keepdims: bool
) -> Any:
    """The sum over some modes; see `Arithmetic.sum`."""
    kept = kept_modes(source, axis)
    if out is None:
        dense = not kept or (isinstance(source, Tensor) and source.format.all_dense)
        out = "dense" if dense else default_format(source.order if keepdims else len(kept))
    operands: dict[str, Any] = {"A": source}
    if keepdims and len(kept) < source.order:
        operands["one"] = np.ones(1, source.dtype)
    statement = sum_statement(source.order, tuple(kept), keepdims)
    name = type_name(source.dtype)
    if is_array(out):
        return evaluate(statement, out=out, dtype=out.dtype, **operands)
    found = evaluate(statement, out=out, dtype=SUM_TYPES.get(name), **operands)
    return found.astype(name) if source.dtype.kind in "fc" and name in SUM_TYPES else found


def mean(
    source: Tensor | HybridTensor, axis: int | Sequence[int] | None, keepdims: bool
) -> Any:
    """The mean over some modes; see `Arithmetic.mean`."""
    kept = kept_modes(source, axis)
    count = prod(size for mode, size in enumerate(source.shape) if mode not in kept)
    if not count:
        raise TamaleError(f"mean: no coordinates to take the mean of, in shape {source.shape}")
    return total(source, axis, None, keepdims) / count


def extreme(
    name: str, source: Tensor | HybridTensor, axis: int | Sequence[int] | None, keepdims: bool
) -> Any:
    """
    The largest or smallest value along some modes; see `Arithmetic.max`.

    Only entries are looked at: where some coordinate has none, zero takes part.
    """
    if source.dtype.kind == "c":
        raise TamaleError(f"{name}: complex numbers have no order")
    kept = kept_modes(source, axis)
    count = prod(size for mode, size in enumerate(source.shape) if mode not in kept)
    if not count:
        raise TamaleError(f"{name}: no coordinates to choose from, in shape {source.shape}")
    if isinstance(source, Tensor) and source.format.all_dense:
        gone = tuple(mode for mode in range(source.order) if mode not in kept)
        return getattr(source.to_numpy(), name)(axis=gone, keepdims=keepdims)
    found = _of_entries(name, source, kept, count)
    return _with_modes_of_size_1(found, kept, source.order) if keepdims else found


def _with_modes_of_size_1(found: Any, kept: Sequence[int], order: int) -> Any:
    """A reduction's result with all modes of its operand; those that are gone have size 1."""
    if not kept:
        return np.full((1,) * order, found)
    crds, vals = found.entries()
    here = dict(zip(kept, zip(crds, found.shape, strict=True), strict=True))
    first = (np.zeros(len(vals), np.int64), 1)
    columns, sizes = zip(*(here.get(mode, first) for mode in range(order)), strict=True)
    return from_entries(columns, vals, sizes, default_format(order))


def _of_entries(name: str, source: Tensor | HybridTensor, kept: list[int], count: int) -> Any:
    choose = np.maximum if name == "max" else np.minimum
    crds, vals = _once(source)
    if not kept:
        found = [] if not len(vals) else [choose.reduce(vals)]
        zeros = [source.dtype.type(0)] if len(vals) < count else []
        return choose.reduce(np.array([*found, *zeros], source.dtype))
    columns = [crds[mode] for mode in kept]
    order = np.lexsort(columns[::-1])
    columns, vals = [column[order] for column in columns], vals[order]
    starts = np.zeros(len(vals), np.bool_)
    starts[:1] = True
    for column in columns:
        starts[1:] |= column[1:] != column[:-1]
    begins = starts.nonzero()[0]
    found = choose.reduceat(vals, begins) if len(vals) else vals
    seen = np.diff(begins, append=len(vals))
    found = np.where(seen < count, choose(found, source.dtype.type(0)), found)
    shape = [source.shape[mode] for mode in kept]
    return from_entries([c[begins] for c in columns], found, shape, default_format(len(kept)))


def _once(source: Tensor | HybridTensor) -> tuple[Sequence[Any], Any]:
    """Coordinates and values of the entries, each place once."""
    return from_entries(*source.nonzeros(), source.shape).entries()


def kept_modes(source: Tensor | HybridTensor, axis: int | Sequence[int] | None) -> list[int]:
    """
    The modes that a reduction leaves.

    Raises:
        CoordinateError: `axis` names a mode that is not there, or one twice.
    """
    order = source.order
    if axis is None:
        return []
    named: Sequence[object] = axis if isinstance(axis, Sequence) else (axis,)
    gone = whole_numbers(named)
    normal = [mode + order if mode < 0 else mode for mode in gone or ()]
    if gone is None or not all(0 <= m < order for m in normal) or len(set(normal)) < len(normal):
        raise CoordinateError(f"axis {axis} names no modes of a tensor of order {order}")
    return [mode for mode in range(order) if mode not in normal]
