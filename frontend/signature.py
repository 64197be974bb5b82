"""The C signature of kernels: per tensor its sizes, the arrays of its levels, its values."""

from __future__ import annotations

from tamale.dialects.format.spec import Format
from tamale.frontend.dtypes import C_TYPES, INDEX_TYPES
from tamale.passes.levels import array_width, storage_kind


def array_types(format: Format, dtype: str, pattern: str) -> list[str]:
    """`int64_t` per mode, then `pattern` around the element types of level arrays and values."""
    types = ["int64_t"] * format.order
    for k, level in enumerate(format.levels):
        for array in storage_kind(level.kind).arrays:
            types.append(pattern.format(f"{INDEX_TYPES[array_width(format, k, array)]}_t"))
    return [*types, pattern.format(C_TYPES[dtype])]
