"""Compressed rows, columns and blocks, as SciPy, pydata/sparse and PyTorch store them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from tamale.dialects.errors import FormatError
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.spec import Format, Width
from tamale.frontend.dtypes import INDEX_TYPES, held, type_name
from tamale.frontend.libraries.canonical import canonical
from tamale.frontend.storage import LevelArrays
from tamale.frontend.tensor import Tensor

_WIDTHS: dict[str, Width] = {"int32": "i32", "int64": "i64"}


def compressed_tensor(name: str, shape: Sequence[int], pos: Any, crd: Any, vals: Any) -> Tensor:
    """
    A tensor over the arrays of a compressed format, which may be unsorted and hold duplicates.

    Args:
        name: a named format whose second level is compressed, such as `csr` or `bcsr(2, 2)`.
        shape: dimension sizes.
        pos: where the segment of each row, column, block row or block column begins.
        crd: the coordinates in all segments.
        vals: the values; of blocks, in the order of their rows.

    Returns:
        A tensor of the named format: over these arrays where they are sorted, without duplicates,
        contiguous and of a width that tamale knows; else over new ones.

    Raises:
        FormatError: the arrays are no such tensor.
    """
    pos, crd = index_array(pos), index_array(crd)
    vals = np.ascontiguousarray(held(vals, "tensor")).reshape(-1)
    pos_width, crd_width = _WIDTHS[type_name(pos.dtype)], _WIDTHS[type_name(crd.dtype)]
    format = _format(name, len(shape), pos_width, crd_width)
    levels: list[LevelArrays] = [{}, {"pos": pos, "crd": crd}, *({} for _ in format.levels[2:])]
    return canonical(Tensor(format, shape, levels, vals))


@lru_cache(maxsize=256)
def _format(name: str, order: int, pos: Width, crd: Width) -> Format:
    """A named format with other widths: one object, which knows what it was asked before."""
    return resolve_format(name, order).with_widths(pos=pos, crd=crd)


def index_array(array: Any) -> Any:
    """
    Positions or coordinates in a width that tamale knows, in place where they have it.

    Raises:
        FormatError: they are no integers.
    """
    given = np.asarray(array)
    if given.dtype.kind not in "iu":
        raise FormatError(f"tensor: positions and coordinates are integers, not {given.dtype}")
    if type_name(given.dtype) in INDEX_TYPES.values():
        return np.ascontiguousarray(given)
    return given.astype(np.int32 if np.can_cast(given.dtype, np.int32) else np.int64)
