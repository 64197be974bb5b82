"""
Hybrid tensors: entries split among several formats by a rule.

Parts are made by generated code, a conversion of selected entries for each. They are put together
again as one list of coordinates, which is converted like any tensor.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamale.backends.jit.library import NativeKernel
from tamale.dialects.errors import FormatError
from tamale.dialects.format.hybrid import HybridFormat
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.selection import Comparison, Symbol
from tamale.dialects.format.spec import Format, Width
from tamale.dialects.lazy import load
from tamale.frontend.arithmetic import Arithmetic
from tamale.frontend.converting import Conversion, conversion, convert
from tamale.frontend.entries import list_format, list_width
from tamale.frontend.levels import evaluate_columns
from tamale.frontend.naming import fitting, shown
from tamale.frontend.storage import Array, LevelArrays
from tamale.frontend.tensor import Tensor

COMPARE: Mapping[Symbol, Callable[[Any, Any], Any]] = MappingProxyType(
    {
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
        "==": operator.eq,
        "!=": operator.ne,
    }
)


class HybridTensor(Arithmetic):
    """
    A tensor in parts, each a `Tensor` of the whole shape; every entry is in one of them.

    >>> A = tm.convert(M, "hyb(3)")
    >>> ell, coo = A.parts
    """

    def __init__(self, format: HybridFormat, shape: Sequence[int], parts: Sequence[Tensor]) -> None:
        self.format = format
        self.shape = tuple(int(size) for size in shape)
        self.parts = tuple(parts)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The element type."""
        return self.parts[0].dtype

    @property
    def order(self) -> int:
        """The number of modes."""
        return len(self.shape)

    @property
    def ndim(self) -> int:
        """The number of modes, as NumPy calls it."""
        return self.order

    @property
    def nnz(self) -> int:
        """The number of stored values of all parts, explicit zeros and padding included."""
        return sum(part.nnz for part in self.parts)

    def __repr__(self) -> str:
        sizes = " x ".join(map(str, self.shape))
        counts = " + ".join(str(part.nnz) for part in self.parts)
        return f"HybridTensor({sizes}, {shown(self.format)}, {self.dtype}, nnz={counts})"

    # Checks

    def check(self) -> HybridTensor:
        """
        Checks every part, that each entry belongs where it is as far as its modes tell, and that
        no two parts have an entry at the same coordinates. Returns the tensor.

        Raises:
            FormatError: naming the part and the entry that break a promise.
        """
        self._check_parts()
        for number, part in enumerate(self.parts):
            part.check()
            coordinates, _ = part.nonzeros()
            for comparison in self.format.selections[number].comparisons:
                if not comparison.counters:
                    self._check_comparison(number, comparison, coordinates)
        if self.format.counts:
            self._check_overlap()
        return self

    def _check_parts(self) -> None:
        formats = self.format.formats
        if len(self.parts) != len(formats):
            raise FormatError(f"tensor: {len(self.parts)} parts do not fit {shown(self.format)}")
        for number, (part, format) in enumerate(zip(self.parts, formats, strict=True), 1):
            if part.format.canonical() != format.canonical():
                raise FormatError(
                    f"tensor: part {number} is stored as {shown(part.format)}, "
                    f"{shown(self.format)} says {shown(format)}"
                )
            if part.shape != self.shape or part.dtype != self.dtype:
                raise FormatError(
                    f"tensor: part {number} is {part.dtype} of shape {part.shape}, "
                    f"expected {self.dtype} of shape {self.shape}"
                )

    def _check_comparison(
        self, number: int, comparison: Comparison, coordinates: Sequence[NDArray[np.int64]]
    ) -> None:
        values = dict(zip(self.format.modes, coordinates, strict=True))
        lhs, rhs = (evaluate_columns(side, values) for side in (comparison.lhs, comparison.rhs))
        true: NDArray[np.bool_] = np.asarray(COMPARE[comparison.symbol](lhs, rhs), np.bool_)
        holds = np.broadcast_to(true, coordinates[0].shape)
        if not holds.all():
            k = int((~holds).nonzero()[0][0])
            raise FormatError(
                f"tensor: part {number + 1} has an entry at "
                f"{tuple(int(column[k]) for column in coordinates)}, where '{comparison}' is false"
            )

    def _check_overlap(self) -> None:
        places = [np.unique(np.stack(part.nonzeros()[0]), axis=1) for part in self.parts]
        columns, counts = np.unique(np.concatenate(places, axis=1), axis=1, return_counts=True)
        if (counts > 1).any():
            place = tuple(map(int, columns[:, counts > 1][:, 0]))
            raise FormatError(f"tensor: several parts have an entry at {place}")

    # Out

    def entries(self) -> tuple[tuple[NDArray[np.int64], ...], Array]:
        """Per mode: the coordinate of every entry; and the values, one part after the other."""
        return _joined([part.entries() for part in self.parts])

    def nonzeros(self) -> tuple[tuple[NDArray[np.int64], ...], Array]:
        """As `entries`, without zeros in parts that pad: nothing tells them from padding."""
        return _joined([part.nonzeros() for part in self.parts])

    def to_numpy(self) -> Array:
        """The tensor as a dense NumPy array."""
        return reduce(np.add, (part.to_numpy() for part in self.parts))

    __array_ufunc__ = None
    """NumPy leaves operators to tensors."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.asarray(self.to_numpy(), dtype=dtype)

    def to_scipy(self) -> Any:
        """A SciPy sparse array in coo."""
        return self.to_format("coo").to_scipy()

    def to_format(self, format: Format | str) -> Tensor:
        """
        The same tensor in one format; entries of several parts at the same coordinates add up.

        Raises:
            FormatError: the format cannot be read or does not fit.
            KernelError: the result does not fit, see `Conversion`.
        """
        if isinstance(format, str):
            format = fitting(format, self.shape)
        return convert(self._listed(), format)

    def _listed(self) -> Tensor:
        """The entries of all parts, one part after the other, in one list of coordinates."""
        width = list_width(self.nnz, self.shape)
        format = list_format(self.order, width)
        lists = [convert(part, format) for part in self.parts]
        levels: list[LevelArrays] = [
            {"crd": np.concatenate([part.levels[k]["crd"] for part in lists])}
            for k in range(self.order)
        ]
        ends = np.array([0, sum(part.nnz for part in lists)], levels[0]["crd"].dtype)
        levels[0] = {"pos": ends, **levels[0]}
        return Tensor(format, self.shape, levels, np.concatenate([part.vals for part in lists]))

    def save(self, path: str) -> None:
        """Writes the tensor to a file; .npz keeps the parts, other extensions the entries."""
        load("tamale.frontend.files:write")(path, self)

    def explain(self, expression: str, tensor: str, out: Any = "dense") -> str:
        """How `tm.evaluate` computes a statement in which `tensor` is this one."""
        return load("tamale.frontend.hybrid_kernels:explain")(expression, tensor, self, out)

    @property
    def plain_format(self) -> Format:
        """The single format in which the tensor takes part in kernels that cannot use parts."""
        wide: Width = "i64"
        widths: dict[str, Width] = {
            array: wide
            for array in ("pos", "crd")
            if any(getattr(format, array) == wide for format in self.format.formats)
        }
        name = "csr" if self.order == 2 else "coo"
        return resolve_format(name, self.order).with_widths(**widths)


def _joined(
    entries: Sequence[tuple[tuple[NDArray[np.int64], ...], Array]],
) -> tuple[tuple[NDArray[np.int64], ...], Array]:
    """Coordinates and values of several parts, one part after the other."""
    columns = zip(*(coordinates for coordinates, _ in entries), strict=True)
    joined = tuple(np.concatenate(column) for column in columns)
    return joined, np.concatenate([vals for _, vals in entries])


@dataclass(frozen=True)
class HybridConversion:
    """The compiled conversions that split a tensor; call it with a tensor of the source format."""

    source: Format
    target: HybridFormat
    dtype: str

    @property
    def summed(self) -> Format | None:
        """
        The format that a source is summed up into, once instead of for each part: where the rule
        counts entries, and the source may hold duplicates.
        """
        if not (self.target.counts and self.source.may_repeat):
            return None
        coo = resolve_format("coo", self.source.order)
        return coo.with_widths(pos=self.source.pos, crd=self.source.crd)

    @cached_property
    def conversions(self) -> tuple[Conversion, ...]:
        """A conversion of selected entries for each part."""
        source, target = self.summed or self.source, self.target
        return tuple(
            conversion(source, format, self.dtype, selection.renamed(target.modes, source.modes))
            for format, selection in zip(target.formats, target.selections, strict=True)
        )

    def explain(self) -> str:
        """Which statistics are taken, which passes are made, and why."""
        first = [] if self.summed is None else [conversion(self.source, self.summed, self.dtype)]
        return "\n".join(each.explain() for each in (*first, *self.conversions))

    @cached_property
    def native(self) -> tuple[NativeKernel, ...]:
        """The loaded functions; compiles those that no cache has."""
        return tuple(each.native for each in self.conversions)

    def __call__(self, tensor: Tensor) -> HybridTensor:
        """
        The tensor split into parts.

        Raises:
            FormatError: the tensor is not of the source format and element type.
            KernelError: a part does not fit, see `Conversion`.
        """
        if self.summed is not None:
            tensor = convert(tensor, self.summed)
        parts = [convert_part(tensor) for convert_part in self.conversions]
        return HybridTensor(self.target, tensor.shape, parts)


def hybrid_tensor(source: Tensor | HybridTensor, format: HybridFormat) -> HybridTensor:
    """
    A tensor split into the parts of a hybrid, by generated code; itself if it is split so.

    Raises:
        FormatError: the format does not fit.
        KernelError: a part does not fit, see `Conversion`.
    """
    if format.order != source.order:
        raise FormatError(f"convert: {shown(format)} does not fit a tensor of order {source.order}")
    if isinstance(source, HybridTensor):
        if source.format == format:
            return source
        source = source.to_format("coo")
    return HybridConversion(source.format, format, source.dtype.name)(source)
