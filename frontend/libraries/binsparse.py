"""
Binsparse: a descriptor and arrays, in memory (`__binsparse__`) as in files.

    {"version": "0.1.0", "format": "CSR", "shape": [2, 3], "number_of_stored_values": 2,
     "data_types": {"pointers_to_1": "int32", "indices_1": "int32", "values": "float64"}}

Arrays are read and written in place where the types agree.
Source: the GraphBLAS Binsparse specification, version 0.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, cast

import numpy as np

from tamale.dialects.errors import FormatError
from tamale.dialects.format.spec import Format
from tamale.frontend.dtypes import held
from tamale.frontend.entries import sorted_format
from tamale.frontend.libraries.binsparse_levels import Stack, read_stack, stack_of, written
from tamale.frontend.libraries.binsparse_types import decoded, encoded
from tamale.frontend.libraries.canonical import canonical
from tamale.frontend.libraries.compressed import index_array
from tamale.frontend.libraries.structure import expanded
from tamale.frontend.storage import LevelArrays
from tamale.frontend.tensor import Tensor

VERSION = "0.1.0"

Arrays: TypeAlias = Mapping[str, Any]


def from_binsparse(data: Any, format: Format | None) -> Tensor:
    """A tensor from what `data.__binsparse__()` gives: a descriptor, and arrays in its order."""
    header, arrays = data.__binsparse__()
    header = header.get("binsparse", header)
    if not isinstance(arrays, Mapping):
        arrays = dict(zip(header["data_types"], arrays, strict=True))
    found = read_binsparse(header, cast(Arrays, arrays))
    return found if format is None else found.to_format(format)


def read_binsparse(header: object, arrays: Arrays) -> Tensor:
    """
    The tensor that a descriptor and arrays stand for.

    Raises:
        FormatError: the descriptor cannot be read, or the arrays are not what it says.
    """
    fields = cast("dict[str, Any]", header) if isinstance(header, dict) else {}
    version, shape = fields.get("version"), fields.get("shape")
    if not isinstance(version, str) or not version.startswith("0.1"):
        raise FormatError(f"binsparse: version {version!r} is not supported, {VERSION} is")
    sizes = cast("list[int]", shape) if isinstance(shape, list) else [-1]
    if not all(type(size) is int and size >= 0 for size in sizes):
        raise FormatError(f"binsparse: the shape is {shape!r}, expected sizes")
    _check_fill(fields, arrays)
    stack = read_stack(fields, len(sizes))
    found = canonical(_stored(stack, sizes, _Reader(fields, arrays)))
    return expanded(found, fields.get("structure"))


class _Reader:
    """The arrays of a descriptor, decoded."""

    def __init__(self, header: Mapping[str, Any], arrays: Arrays) -> None:
        types = header.get("data_types")
        self.types = cast("dict[str, Any]", types) if isinstance(types, dict) else {}
        self.arrays, self.count = arrays, header.get("number_of_stored_values")

    def array(self, name: str, count: int | None = None) -> Any:
        if name not in self.types or name not in self.arrays:
            raise FormatError(f"binsparse: there is no array '{name}', or no type for it")
        return decoded(name, self.types[name], self.arrays[name], count)


def _stored(stack: Stack, shape: list[int], reader: _Reader) -> Tensor:
    """The arrays as a tensor, unchecked."""
    levels: list[LevelArrays] = []
    positions, depth = 1, 0
    for kind, rank in stack.levels:
        modes = stack.mode_order[depth : depth + rank]
        if kind == "dense":
            levels += [{} for _ in modes]
            positions *= int(np.prod([shape[mode] for mode in modes], dtype=object))
        else:
            crds = [index_array(reader.array(f"indices_{depth + k}")) for k in range(rank)]
            positions = len(crds[0])
            if depth:
                pos = index_array(reader.array(f"pointers_to_{depth}"))
            else:
                pos = np.array([0, positions], np.int32 if positions < 1 << 31 else np.int64)
            levels.append({"pos": pos, "crd": crds[0]})
            levels += [{"crd": crd} for crd in crds[1:]]
        depth += rank
    if reader.count != positions:
        raise FormatError(
            f"binsparse: number_of_stored_values is {reader.count!r}, the arrays say {positions}"
        )
    vals = np.ascontiguousarray(held(reader.array("values", positions), "binsparse"))
    return _of_one_width(stack.format, shape, levels, vals)


def _of_one_width(format: Format, shape: list[int], levels: list[LevelArrays], vals: Any) -> Tensor:
    """All `pos` of one width and all `crd` of one, which may be the other."""
    widths: dict[str, Any] = {}
    for name in ("pos", "crd"):
        wide = any(name in level and level[name].dtype == np.int64 for level in levels)
        widths[name] = "i64" if wide else "i32"
    types = {"i64": np.int64, "i32": np.int32}
    even = [
        {name: array.astype(types[widths[name]], copy=False) for name, array in level.items()}
        for level in levels
    ]
    return Tensor(format.with_widths(**widths), shape, even, vals)


def _check_fill(header: Mapping[str, Any], arrays: Arrays) -> None:
    if header.get("fill") is True and np.any(np.asarray(arrays.get("fill_value", 1)) != 0):
        fill = arrays.get("fill_value")
        raise FormatError(f"binsparse: the fill value is {fill}, but implicit entries are 0 here")


def write_binsparse(source: Tensor) -> tuple[dict[str, Any], dict[str, Any]]:
    """
    A descriptor and the arrays that it names, in place; formats that Binsparse does not have
    become COO.

    Raises:
        FormatError: the tensor is a number.
    """
    if source.order == 0:
        raise FormatError("binsparse: a number has no format")
    stack = stack_of(source.format)
    if stack is None:
        source = source.to_format(sorted_format(source.order, source.format.crd))
        stack = stack_of(source.format)
        assert stack is not None
    arrays = dict(_named_arrays(source))
    stored = {name: encoded(array) for name, array in arrays.items()}
    header = {
        "version": VERSION,
        **written(stack),
        "shape": list(source.shape),
        "number_of_stored_values": len(source.vals),
        "data_types": {name: kind for name, (kind, _) in stored.items()},
    }
    return header, {name: array for name, (_, array) in stored.items()}


def _named_arrays(source: Tensor) -> Iterator[tuple[str, Any]]:
    for depth, level in enumerate(source.levels):
        if "pos" in level and depth > 0:
            yield f"pointers_to_{depth}", level["pos"]
        if "crd" in level:
            yield f"indices_{depth}", level["crd"]
    yield "values", source.vals
