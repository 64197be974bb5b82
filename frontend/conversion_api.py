"""Conversions of tensors, as users call them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from tamale.dialects.format.hybrid import HybridFormat
from tamale.dialects.format.named import is_hybrid
from tamale.dialects.format.spec import Format
from tamale.frontend.arguments import format_in, mode_count
from tamale.frontend.converting import Conversion
from tamale.frontend.converting import conversion as conversion_between
from tamale.frontend.converting import convert as convert_tensor
from tamale.frontend.dtypes import element_type
from tamale.frontend.hybrid import HybridTensor
from tamale.frontend.interop import resolved, stored, tensor
from tamale.frontend.naming import resolve_pair, shown
from tamale.frontend.schedule import worker_count
from tamale.frontend.tensor import Tensor


@overload
def convert(
    data: Any, format: Format, *, shape: Sequence[int] | None = None, threads: int = 1
) -> Tensor: ...
@overload
def convert(
    data: Any, format: HybridFormat, *, shape: Sequence[int] | None = None, threads: int = 1
) -> HybridTensor: ...
@overload
def convert(
    data: Any, format: str, *, shape: Sequence[int] | None = None, threads: int = 1
) -> Any: ...
def convert(
    data: Any,
    format: str | Format | HybridFormat,
    *,
    shape: Sequence[int] | None = None,
    threads: int = 1,
) -> Tensor | HybridTensor:
    """
    A tensor in another format, by code that is generated for the pair of formats and kept on disk.

    Args:
        data: a tensor, or what `tensor` takes: NumPy and SciPy arrays, or with `shape` entries.
        format: a named format, a format line or a `Format`; or a hybrid, `"hyb(3)"`.
        shape: dimension sizes, for entries.
        threads: how many workers share the loops, where they can; the result is that of one. See
            `docs/partitioning.md`.

    Returns:
        The tensor, a `HybridTensor` where the format is a hybrid; `data` itself if it is a tensor
        whose format means the same.

    Raises:
        FormatError: the format cannot be read or does not fit, or no conversion to it is known.
        KernelError: the result does not fit into memory or its index types, or the format cannot
            hold one of the entries.
        ScheduleError: `threads` is no number of workers.
    """
    workers = worker_count(threads)
    if workers == 1 or isinstance(data, HybridTensor) or _is_hybrid(format):
        return stored(data, format, shape=shape)
    whole = tensor(data, shape=shape)
    return convert_tensor(whole, resolved(format, whole.shape), workers)


def conversion(
    source: str | Format | Tensor,
    target: str | Format | Tensor,
    *,
    dtype: object = None,
    order: int | None = None,
    threads: int = 1,
) -> Conversion:
    """
    The conversion between two formats: call it with tensors, or look into it with `explain()`,
    `stages.text("cin")` and `cpp`.

    Args:
        source: a named format, a format line, a `Format`, or a tensor of that format.
        target: likewise.
        dtype: the element type; that of a source tensor, else float64.
        order: of the tensors, where neither format tells it; 2 by default.
        threads: how many workers share the loops, where they can.

    Raises:
        FormatError: a format cannot be read, their orders differ, or `order` is no order.
        ScheduleError: `threads` is no number of workers.
    """
    workers = worker_count(threads)
    if dtype is None:
        dtype = source.dtype if isinstance(source, Tensor) else "float64"
    modes = None if order is None else mode_count(order)
    pair = resolve_pair(format_of(source), format_of(target), modes)
    return conversion_between(*pair, element_type(dtype, "conversion"), None, workers)


def _is_hybrid(format: object) -> bool:
    return isinstance(format, HybridFormat) or (isinstance(format, str) and is_hybrid(format))


def format_of(given: str | Format | Tensor | HybridTensor | HybridFormat) -> str | Format:
    """A format, or a text; hybrids as text, which is refused where only a format will do."""
    format = given.format if isinstance(given, Tensor | HybridTensor) else given
    text = shown(format) if isinstance(format, HybridFormat) else format
    return format_in(text, "format")
