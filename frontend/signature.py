"""The C signature of kernels: per tensor its sizes, the arrays of its levels, its values."""

from __future__ import annotations

from tamale.dialects.format.spec import Format
from tamale.frontend.dtypes import C_TYPES, INDEX_TYPES
from tamale.passes.levels import storage_kind


def array_width(format: Format, array: str) -> str:
    """NumPy's name of the element type of a level's array."""
    return INDEX_TYPES[format.pos if array == "pos" else format.crd]


def array_types(format: Format, dtype: str, pattern: str) -> list[str]:
    """`int64_t` per mode, then `pattern` around the element types of level arrays and values."""
    types = ["int64_t"] * format.order
    for level in format.levels:
        for array in storage_kind(level.kind).arrays:
            types.append(pattern.format(f"{array_width(format, array)}_t"))
    return [*types, pattern.format(C_TYPES[dtype])]
