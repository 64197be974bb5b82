"""Tensors: values and level arrays in a format, beside NumPy and SciPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamale.dialects.errors import CoordinateError, FormatError
from tamale.dialects.format.morton import check_codes
from tamale.dialects.format.named import name_of
from tamale.dialects.format.spec import Format
from tamale.dialects.integers import whole_number
from tamale.dialects.lazy import load
from tamale.frontend.arithmetic import Arithmetic
from tamale.frontend.checking import check_level
from tamale.frontend.dtypes import C_TYPES, INDEX_TYPES, element_type, is_array, type_name
from tamale.frontend.levels import Column, inside, level_range, positions, walked
from tamale.frontend.naming import fitting
from tamale.frontend.storage import Array, Storage
from tamale.passes.levels import array_width, is_padded, storage_kind


class Tensor(Storage, Arithmetic):
    """
    A tensor in a format: `levels[k]` maps the names of level k's arrays to them, `vals` has a
    value per position of the last level.

    Arrays are never changed by tamale; kernels read them in place. They are checked once, by
    `check`, when they come from outside.

    >>> A = Tensor(resolve_format("csr", 2), (2, 3), ({}, {"pos": pos, "crd": crd}), vals)
    """

    @property
    def order(self) -> int:
        """The number of modes."""
        return len(self.shape)

    @property
    def nnz(self) -> int:
        """The number of stored values, explicit zeros and padding included."""
        return len(self.vals)

    @property
    def nbytes(self) -> int:
        """The bytes of all arrays: those of the levels, and the values."""
        arrays = [array for level in self.levels for array in level.values()]
        return sum(array.nbytes for array in arrays) + self.vals.nbytes

    @property
    def ndim(self) -> int:
        """The number of modes, as NumPy calls it."""
        return len(self.shape)

    def __repr__(self) -> str:
        name = name_of(self.format) or str(self.format)
        sizes = " x ".join(map(str, self.shape)) or "scalar"
        return f"Tensor({sizes}, {name}, {self.dtype}, nnz={self.nnz})"

    def _repr_html_(self) -> str:
        """What notebooks show: where the entries are, and how they are stored."""
        return load("tamale.frontend.drawing.notebook:page")(self)

    # Elements and equality

    def __getitem__(self, key: int | tuple[int, ...]) -> Any:
        """
        The value at some coordinates, one for each mode; negative ones count from the end.

        Raises:
            CoordinateError: there is no such element.
        """
        return load("tamale.frontend.elements:element")(self, key)

    __iter__ = None
    """Elements are not walked one by one; `entries` has all of them."""

    def __eq__(self, other: object) -> bool:
        """
        Whether two tensors are stored alike: same format, sizes, types, arrays and values, a NaN
        like another NaN. `equals` ignores the format.
        """
        return isinstance(other, Tensor) and load("tamale.frontend.comparing:alike")(self, other)

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def equals(self, other: Any) -> bool:
        """
        Whether another tensor, or what `tensor` makes one of, has the same sizes and the same
        value everywhere, however it is stored; a NaN is like another NaN.
        """
        return load("tamale.frontend.comparing:equal_values")(self, other)

    # Other tensors with these entries

    def copy(self) -> Tensor:
        """The same tensor over arrays of its own."""
        levels = [{name: array.copy() for name, array in level.items()} for level in self.levels]
        return Tensor(self.format, self.shape, levels, self.vals.copy())

    def astype(self, dtype: Any) -> Tensor:
        """
        The tensor with another element type; its levels are shared.

        Raises:
            TamaleError: the type is not supported.
        """
        wanted = element_type(dtype, "astype")
        return Tensor(self.format, self.shape, self.levels, self.vals.astype(wanted))

    @property
    def T(self) -> Tensor:
        """The tensor with its modes in reverse, over the same arrays."""
        return self.transpose(*reversed(range(self.order)))

    def transpose(self, *modes: int | Sequence[int]) -> Tensor:
        """
        The tensor with its modes in another order, over the same arrays.

        Args:
            modes: which mode of this tensor comes first, second and so on, from 0: numbers, or a
                tuple of them; in reverse if there are none.

        Raises:
            CoordinateError: each mode must come once.
        """
        given: Any = modes[0] if len(modes) == 1 and isinstance(modes[0], Sequence) else modes
        numbers = [*map(whole_number, given or reversed(range(self.order)))]
        chosen = [mode for mode in numbers if mode is not None]
        if len(numbers) != self.order or set(chosen) != set(range(self.order)):
            raise CoordinateError(f"transpose: {given} is no order of {self.order} modes")
        format = _permuted(self.format, tuple(chosen))
        return Tensor(format, [self.shape[mode] for mode in chosen], self.levels, self.vals)

    def prune(self) -> Tensor:
        """The tensor in its format without entries that are 0, and without room for them."""
        return load("tamale.frontend.comparing:pruned")(self)

    # Levels

    def level_size(self, k: int) -> int:
        """How many coordinates level k has."""
        return level_range(self.format, self.shape, k)[1]

    def check(self) -> Tensor:
        """
        Checks every promise of the format, in time linear in the arrays, and returns the tensor.

        Raises:
            FormatError: naming the level, the place and the values that break a promise.
        """
        self._check_arrays()
        check_codes(self.format, self.shape)
        count = 1
        for k, stored, parents in walked(self):
            kind = storage_kind(self.format.levels[k].kind)
            check_level(kind, stored, parents)
            count = kind.count(stored, parents)
        if len(self.vals) != count:
            raise FormatError(f"tensor: {len(self.vals)} values for {count} positions")
        if not all(self.format.properties(k).unique for k in range(len(self.levels))):
            self._check_lexicographic_order()
        if not self.format.is_permutation:
            self._check_padding()
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
        if type_name(self.vals.dtype) not in C_TYPES:
            raise FormatError(f"tensor: element type {self.vals.dtype} is not supported")
        _check_array(self.vals, type_name(self.vals.dtype), "vals")

    def _check_lexicographic_order(self) -> None:
        """
        Below a level that allows duplicates, the branchless levels that share its positions carry
        the order on: the entries of one parent come in the order of all their coordinates.
        """
        properties = [self.format.properties(k) for k in range(len(self.levels))]
        if not all(each.ordered for each in properties):
            return
        run, parents = list[Column](), np.zeros(0, np.int64)
        for k, stored, count in walked(self):
            owners, crd = storage_kind(self.format.levels[k].kind).coordinates(stored, count)
            if run and properties[k].branchless:
                run, parents = [*(column[owners] for column in run), crd], parents[owners]
            else:
                run, parents = ([crd], owners) if not properties[k].unique else ([], owners)
            if run and not any(each.branchless for each in properties[k + 1 : k + 2]):
                self._check_run(run, parents, unique=properties[k].unique)

    def _check_run(self, run: list[Column], parents: Column, *, unique: bool) -> None:
        """The columns of levels that share positions, whose order makes one of the entries."""
        equal = parents[1:] == parents[:-1]
        ahead = np.zeros(len(equal), dtype=np.bool_)
        for column in run:
            ahead |= equal & (column[1:] < column[:-1])
            equal &= column[1:] == column[:-1]
        bad = (ahead | (equal if unique else False)).nonzero()[0]
        if len(bad):
            k = int(bad[0])
            raise FormatError(
                f"tensor: entries {k} and {k + 1} are out of order or equal, at "
                f"{tuple(int(c[k]) for c in run)} and {tuple(int(c[k + 1]) for c in run)}; "
                f"{self.format} promises order\n  help: tm.tensor sorts and sums duplicates"
            )

    def _check_padding(self) -> None:
        """Positions at coordinates that the tensor does not have are padding: they hold zeros."""
        try:
            crds, present = positions(self)
        except FormatError:  # Nothing tells the modes of such a tensor: it can only be written.
            return
        within = inside(crds, self.shape)
        if within is None:
            return
        wrong = ~within & (self.vals != 0)
        bad = (wrong if present is None else wrong & present).nonzero()[0]
        if len(bad):
            k = int(bad[0])
            raise FormatError(
                f"tensor: value {k} is {self.vals[k]}, at {tuple(int(c[k]) for c in crds)}, "
                f"outside of the dimension sizes {self.shape}"
            )

    def coordinates(self) -> tuple[NDArray[np.int64], ...]:
        """
        Per mode: the coordinate of every position of the last level.

        Formats with padding have positions without an entry, at any coordinates, perhaps outside
        of the tensor; `entries` leaves those out.
        """
        return positions(self)[0]

    def entries(self) -> tuple[tuple[NDArray[np.int64], ...], Array]:
        """Per mode: the coordinate of every entry; and the values of the entries."""
        crds, present = positions(self)
        within = inside(crds, self.shape)
        if present is not None and within is not None:
            present = present & within
        chosen = within if present is None else present
        if chosen is None:
            return crds, self.vals
        return tuple(crd[chosen] for crd in crds), self.vals[chosen]

    def nonzeros(self) -> tuple[tuple[NDArray[np.int64], ...], Array]:
        """As `entries`, without zeros where the format pads: nothing tells them from padding."""
        crds, vals = self.entries()
        if not is_padded(self.format):
            return crds, vals
        stored = vals != 0
        return tuple(crd[stored] for crd in crds), vals[stored]

    # Out

    def to_numpy(self) -> Array:
        """The tensor as a dense NumPy array; duplicates are added up."""
        if self.format.all_dense:
            order = self.format.mode_order
            stored = self.vals.reshape([self.shape[mode] for mode in order])
            return stored.transpose([order.index(mode) for mode in range(self.order)])
        dense = np.zeros(self.shape, dtype=self.dtype)
        np.add.at(dense, *self.entries())
        return dense

    __array_ufunc__ = None
    """NumPy leaves operators to tensors: `array + tensor` is `tensor.__radd__`."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if copy is False and not self.format.all_dense:
            raise ValueError("tensor: a sparse tensor has no dense array that could be shared")
        dense = self.to_numpy()
        return np.array(dense, dtype, copy=copy if self.format.all_dense else None)

    def __dlpack__(self, **options: Any) -> Any:
        """
        The memory of a dense tensor.

        Raises:
            BufferError: the tensor is sparse.
        """
        if not self.format.all_dense:
            raise BufferError(
                "tensor: DLPack has dense arrays only; pass `tensor.to_numpy()`, or the arrays in "
                "`tensor.levels` and `tensor.vals`"
            )
        return self.to_numpy().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.vals.__dlpack_device__()

    def __binsparse__(self) -> tuple[dict[str, Any], list[Any]]:
        """A Binsparse descriptor, and the arrays in its order; what it does not have is COO."""
        header, arrays = load("tamale.frontend.libraries.binsparse:write_binsparse")(self)
        return {"binsparse": header}, list(arrays.values())

    def to_scipy(self) -> Any:
        """A SciPy sparse array: csr and csc share memory, other formats of order 2 become coo."""
        return load("tamale.frontend.libraries.scipy_arrays:to_scipy")(self)

    def to_format(self, format: Format | str) -> Tensor:
        """The same tensor stored in another format, by generated code; itself if it is the same."""
        if isinstance(format, str):
            format = fitting(format, self.shape)
        return load("tamale.frontend.converting:convert")(self, format)

    def draw(self, title: str = "") -> str:
        """
        A picture of a small matrix as SVG: its entries, its level arrays and the hierarchy of its
        coordinates, with one entry highlighted in all of them.

        Raises:
            TamaleError: the tensor is too large to be drawn, or no matrix.
        """
        return load("tamale.frontend.drawing.picture:draw")(self, title)

    def save(self, path: str) -> None:
        """Writes the tensor to a file; the extension decides how."""
        load("tamale.frontend.files:write")(path, self)


@lru_cache(maxsize=4096)
def _permuted(format: Format, modes: tuple[int, ...]) -> Format:
    """The format of the same arrays with the modes in another order."""
    return replace(format, modes=tuple(format.modes[mode] for mode in modes))


def _check_array(array: Any, dtype: str, who: str) -> None:
    if not is_array(array) or array.ndim != 1:
        raise FormatError(f"tensor: {who} is no one-dimensional NumPy array")
    if type_name(array.dtype) != dtype:
        raise FormatError(f"tensor: {who} holds {array.dtype}, expected {dtype}")
    if not array.flags.c_contiguous:
        raise FormatError(f"tensor: {who} is not contiguous")
