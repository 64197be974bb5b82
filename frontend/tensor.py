"""Tensors: values and level arrays in a format, beside NumPy and SciPy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tamale.backends.jit.library import pointer
from tamale.dialects.errors import FormatError
from tamale.dialects.format.named import name_of
from tamale.dialects.format.spec import Format
from tamale.dialects.lazy import load
from tamale.frontend.dtypes import C_TYPES, INDEX_TYPES, is_array
from tamale.passes.levels import array_width, storage_kind
from tamale.passes.levels.functions import StoredLevel

Array: TypeAlias = NDArray[Any]
LevelArrays: TypeAlias = Mapping[str, NDArray[np.integer[Any]]]


class Tensor:
    """
    A tensor in a format: `levels[k]` maps the names of level k's arrays to them, `vals` has a
    value per position of the last level.

    Arrays are never changed by tamale; kernels read them in place. They are checked once, by
    `check`, when they come from outside.

    >>> A = Tensor(resolve_format("csr", 2), (2, 3), ({}, {"pos": pos, "crd": crd}), vals)
    """

    def __init__(
        self, format: Format, shape: Sequence[int], levels: Sequence[LevelArrays], vals: Array
    ) -> None:
        self.format = format
        self.shape = tuple(int(size) for size in shape)
        self.levels = tuple(levels)
        self.vals = vals

    @property
    def dtype(self) -> np.dtype[Any]:
        """The element type."""
        return self.vals.dtype

    @property
    def order(self) -> int:
        """The number of modes."""
        return len(self.shape)

    @property
    def nnz(self) -> int:
        """The number of stored values, explicit zeros and padding included."""
        return len(self.vals)

    def __repr__(self) -> str:
        name = name_of(self.format) or str(self.format)
        sizes = " x ".join(map(str, self.shape)) or "scalar"
        return f"Tensor({sizes}, {name}, {self.dtype}, nnz={self.nnz})"

    # Levels

    def level_size(self, k: int) -> int:
        """How many coordinates level k has."""
        return self.shape[self.format.mode_order[k]]

    def stored_level(self, k: int) -> StoredLevel:
        """Level k as its kind sees it."""
        where = f"level {k + 1} ('{self.format.levels[k]}')"
        return StoredLevel(self.levels[k], self.level_size(k), self.format.properties(k), where)

    def check(self) -> Tensor:
        """
        Checks every promise of the format, in time linear in the arrays, and returns the tensor.

        Raises:
            FormatError: naming the level, the place and the values that break a promise.
        """
        self._check_arrays()
        positions = 1
        for k, level in enumerate(self.format.levels):
            kind, stored = storage_kind(level.kind), self.stored_level(k)
            kind.check(stored, positions)
            positions = kind.count(stored, positions)
        if len(self.vals) != positions:
            raise FormatError(f"tensor: {len(self.vals)} values for {positions} positions")
        if not all(self.format.properties(k).unique for k in range(len(self.levels))):
            self._check_lexicographic_order()
        return self

    def _check_arrays(self) -> None:
        """Number, types and layout of the arrays."""
        if len(self.levels) != len(self.format.levels) or len(self.shape) != self.format.order:
            raise FormatError(
                f"tensor: {len(self.levels)} levels and {len(self.shape)} sizes do not fit "
                f"{self.format}"
            )
        for k, level in enumerate(self.format.levels):
            wanted = storage_kind(level.kind).arrays
            if tuple(self.levels[k]) != wanted:
                raise FormatError(
                    f"tensor: level {k + 1} ('{level}') has arrays {list(self.levels[k])}, "
                    f"expected {list(wanted)}"
                )
            for name, array in self.levels[k].items():
                width = INDEX_TYPES[array_width(self.format, k, name)]
                _check_array(array, width, f"level {k + 1} ('{level}'): {name}")
        if self.vals.dtype.name not in C_TYPES:
            raise FormatError(f"tensor: element type {self.vals.dtype} is not supported")
        _check_array(self.vals, self.vals.dtype.name, "vals")

    def _check_lexicographic_order(self) -> None:
        """
        Entries of levels that allow duplicates still come in the order of all their coordinates.
        """
        crds = self.coordinates()
        ordered = [k for k in range(len(crds)) if self.format.properties(k).ordered]
        if len(ordered) < len(crds):
            return
        columns = [crds[k] for k in self.format.mode_order]
        last_unique = self.format.properties(len(columns) - 1).unique
        ahead = np.zeros(max(len(self.vals) - 1, 0), dtype=np.bool_)
        equal = ~ahead
        for column in columns:
            ahead |= equal & (column[1:] < column[:-1])
            equal &= column[1:] == column[:-1]
        bad = (ahead | (equal if last_unique else False)).nonzero()[0]
        if len(bad):
            k = int(bad[0])
            raise FormatError(
                f"tensor: entries {k} and {k + 1} are out of order or equal, at "
                f"{tuple(int(c[k]) for c in crds)} and {tuple(int(c[k + 1]) for c in crds)}; "
                f"{self.format} promises order\n  help: tm.tensor sorts and sums duplicates"
            )

    def coordinates(self) -> tuple[NDArray[np.int64], ...]:
        """Per mode: the coordinate of every position of the last level."""
        positions, above = 1, list[tuple[NDArray[np.int64], NDArray[np.int64]]]()
        for k, level in enumerate(self.format.levels):
            kind, stored = storage_kind(level.kind), self.stored_level(k)
            above.append(kind.coordinates(stored, positions))
            positions = kind.count(stored, positions)
        place = np.arange(positions, dtype=np.int64)
        columns: dict[int, NDArray[np.int64]] = {}
        for k in reversed(range(len(above))):
            parents, crd = above[k]
            columns[self.format.mode_order[k]] = crd[place]
            place = parents[place]
        return tuple(columns[mode] for mode in range(self.order))

    # Out

    def to_numpy(self) -> Array:
        """The tensor as a dense NumPy array; duplicates are added up."""
        if self.format.all_dense:
            order = self.format.mode_order
            stored = self.vals.reshape([self.shape[mode] for mode in order])
            return stored.transpose([order.index(mode) for mode in range(self.order)])
        dense = np.zeros(self.shape, dtype=self.dtype)
        np.add.at(dense, self.coordinates(), self.vals)
        return dense

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.asarray(self.to_numpy(), dtype=dtype)

    def to_scipy(self) -> Any:
        """A SciPy sparse array: csr and csc share memory, other formats of order 2 become coo."""
        return load("tamale.frontend.interop:to_scipy")(self)

    def to_format(self, format: Format) -> Tensor:
        """The same tensor stored in another format."""
        if format.canonical() == self.format.canonical():
            return self
        vals, crds = self.vals, self.coordinates()
        if self.format.all_dense:
            stored = vals != 0
            vals, crds = vals[stored], tuple(crd[stored] for crd in crds)
        return load("tamale.frontend.packing:pack")(crds, vals, self.shape, format)

    def save(self, path: str) -> None:
        """Writes the tensor to a file; the extension decides how."""
        load("tamale.frontend.files:write")(path, self)

    # Calls

    @cached_property
    def arguments(self) -> tuple[Any, ...]:
        """The tensor as arguments of a kernel: sizes, level arrays in order, values."""
        arrays: list[Any] = []
        for level in self.levels:
            arrays.extend(
                pointer(array, f"const {array.dtype.name}_t *") for array in level.values()
            )
        arrays.append(pointer(self.vals, f"const {C_TYPES[self.vals.dtype.name]} *"))
        return (*self.shape, *arrays)


def _check_array(array: Any, dtype: str, who: str) -> None:
    if not is_array(array) or array.ndim != 1:
        raise FormatError(f"tensor: {who} is no one-dimensional NumPy array")
    if array.dtype.name != dtype:
        raise FormatError(f"tensor: {who} holds {array.dtype}, expected {dtype}")
    if not array.flags.c_contiguous:
        raise FormatError(f"tensor: {who} is not contiguous")
