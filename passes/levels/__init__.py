"""
One level kind a file: its properties and its level functions.

Tensors look at the properties on the Python API's hot path: keep imports of xDSL in these
modules under `TYPE_CHECKING`.
"""

from __future__ import annotations

from tamale.dialects.errors import FormatError
from tamale.dialects.format.kinds import level_kind
from tamale.dialects.format.spec import Format, Width
from tamale.passes.levels.functions import StorageKind


def storage_kind(name: str) -> StorageKind:
    """
    The level kind called `name`, with its level functions.

    Raises:
        FormatError: the kind is unknown, or declares its properties only.
    """
    kind = level_kind(name)
    if not isinstance(kind, StorageKind):
        raise FormatError(
            f"format: level kind '{name}' has no level functions; make {type(kind).__qualname__} a "
            "subclass of StorageKind"
        )
    return kind


def array_width(format: Format, k: int, array: str) -> Width:
    """
    The width of an array of level k: that of positions for arrays with the extents `edges`, which
    hold positions, and `single`, which hold a count; that of coordinates for all others.
    """
    extent = storage_kind(format.levels[k].kind).extents[array]
    return format.pos if extent in ("edges", "single") else format.crd


def is_padded(format: Format) -> bool:
    """Whether tensors have positions, with the value 0, that no entry asked for."""
    padded = False
    for level in format.levels:
        pads = storage_kind(level.kind).pads
        padded = padded if pads is None else pads
    return padded


def mixes_padding(format: Format) -> bool:
    """
    Whether a stored zero may be an entry or padding, which nothing tells. Where all levels are
    dense there is no padding: each element is an entry.
    """
    return is_padded(format) and not format.all_dense


def overshoots(format: Format) -> bool:
    """
    Whether levels that store expressions have positions that no entry asked for: what they tell of
    the modes may lie outside of the dimensions, even where no entry is below.
    """
    levels = zip(format.levels, format.stored_modes, strict=True)
    return any(mode is None and storage_kind(level.kind).pads for level, mode in levels)


def first_unappendable(format: Format) -> int | None:
    """
    The first level that cannot be appended to: one that exists in full below a sparse one, and is
    not of the tail.
    """
    sparse_above = False
    for k, level in enumerate(format.levels[: format.tail]):
        full = format.properties(k).full
        if (full and sparse_above) or (not full and not storage_kind(level.kind).appends):
            return k
        sparse_above = sparse_above or not full
    return None
