"""
Small random tensors that fit a function: modes that its kernels index by one variable get one size.

Everything follows from the seed and the module, so that a failure can be had again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, SSAValue

from tamale.dialects import assembly, sparse_tensor, tin
from tamale.dialects.cin.kernel_like import KernelLike
from tamale.dialects.cin.let import LetLike
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.expressions import Var
from tamale.dialects.format.spec import Format
from tamale.dialects.linalg import GenericOp
from tamale.frontend.entries import from_entries
from tamale.frontend.libraries.dense import from_numpy
from tamale.frontend.tensor import Tensor
from tamale.interpreters.memory import dtype_of
from tamale.interpreters.results import packed
from tamale.passes.levels import storage_kind

Mode = tuple[SSAValue, int]
"""A mode of a tensor, by its number."""

PACKED_KINDS = frozenset({"dense", "compressed", "singleton"})


@dataclass(frozen=True)
class Style:
    """How large and how full tensors are."""

    sizes: tuple[int, ...]
    """Dimension sizes to choose from."""
    density: float
    """The share of elements that are stored."""
    gaps: float = 0.0
    """The share of the coordinates of each mode at which nothing is stored."""


STYLES = (
    Style((3, 4, 5, 6), 0.7, gaps=0.35),
    Style((2, 3, 6), 0.9),
    Style((1, 3, 8), 0.25),
    Style((3, 5), 0.0),
    Style((0, 2, 4), 0.5),
)
"""
Tensors with empty rows and columns, nearly full and nearly empty ones, ones without an entry, and
ones without a coordinate.
"""


@dataclass
class ModeClasses:
    """Which modes have one size."""

    leaders: dict[Mode, Mode] = field(default_factory=dict[Mode, Mode])

    def find(self, mode: Mode) -> Mode:
        """The mode that stands for all that have the same size."""
        while (above := self.leaders.get(mode, mode)) != mode:
            mode = above
        return mode

    def join(self, first: Mode, second: Mode) -> None:
        """These two have the same size."""
        first, second = self.find(first), self.find(second)
        if first != second:
            self.leaders[second] = first


def order_of(value: SSAValue) -> int:
    """The number of modes of a tensor."""
    return cast("TensorType[Attribute]", value.type).get_num_dims()


def _uses(function: func.FuncOp) -> Iterator[list[tuple[object, Mode]]]:
    """Per kernel: which index variable each mode of a tensor meets."""
    for op in function.walk():
        match op:
            case tin.KernelOp():
                accesses = [a for a in op.body.walk() if isinstance(a, tin.AccessOp)]
                result = [(v, (op.result, k)) for k, v in enumerate(op.indices)]
                reads = [(v, (a.tensor, k)) for a in accesses for k, v in enumerate(a.indices)]
                yield [*result, *reads]
            case KernelLike():
                pairs = [(op.target.data, op.result), *op.operands_by_name.values()]
                same = dict(_equal_variables(op))
                yield [(same.get(v, v), (t, k)) for a, t in pairs for k, v in enumerate(a.indices)]
            case GenericOp():
                maps = (*op.indexing_maps, *op.indexing_maps.data[len(op.inputs) :])
                places = zip((*op.operands, *op.res), maps, strict=True)
                yield [(e, (t, k)) for t, map in places for k, e in enumerate(map.data.results)]
            case tin.ConvertOp() | sparse_tensor.ConvertOp() | assembly.OpenOp():
                both = (op.source, op.result)
                yield [(k, (tensor, k)) for tensor in both for k in range(order_of(tensor))]
            case assembly.FinishOp() | assembly.SortOp():
                both = (op.operands[0], op.results[0])
                yield [(k, (tensor, k)) for tensor in both for k in range(order_of(tensor))]
            case _:
                pass


def _equal_variables(kernel: KernelLike) -> Iterator[tuple[str, str]]:
    """Variables that a let gives the value of another one."""
    for op in kernel.walk():
        if isinstance(op, LetLike) and isinstance(op.value.data, Var):
            yield op.index_var.data, op.value.data.name


def mode_classes(function: func.FuncOp) -> ModeClasses:
    """
    Modes that have to be of one size; if no kernel is left to tell them, all are.
    """
    classes = ModeClasses()
    kernels = list(_uses(function))
    if not kernels:
        values = [*function.body.block.args, *_returned(function)]
        kernels = [[("", (value, k)) for value in values for k in range(order_of(value))]]
    for uses in kernels:
        first: dict[object, Mode] = {}
        for variable, mode in uses:
            classes.join(first.setdefault(variable, mode), mode)
    return classes


def _returned(function: func.FuncOp) -> Sequence[SSAValue]:
    last = function.body.block.last_op
    return () if last is None else last.operands


@dataclass(frozen=True)
class Sample:
    """Operands of a function, and the dimension sizes of its result."""

    operands: tuple[Tensor, ...]
    shape: tuple[int, ...]


def sample(function: func.FuncOp, style: Style, seed: int) -> Sample:
    """Random operands for a function that takes and returns tensors."""
    random = np.random.default_rng(seed)
    classes, sizes = mode_classes(function), dict[Mode, int]()
    tensors = [*function.body.block.args, *_returned(function)]
    for value in tensors:  # A size that is written decides for its whole class.
        for k, size in enumerate(cast("TensorType[Attribute]", value.type).get_shape()):
            if size != DYNAMIC_INDEX:
                sizes[classes.find((value, k))] = size

    def shape(value: SSAValue) -> tuple[int, ...]:
        modes = [classes.find((value, k)) for k in range(order_of(value))]
        for mode in modes:
            if mode not in sizes:
                sizes[mode] = int(random.choice(style.sizes))
        return tuple(sizes[mode] for mode in modes)

    lower = any(map(holds_less, _tensor_types(function)))
    operands = tuple(
        random_tensor(cast("TensorType[Attribute]", a.type), shape(a), style, random, lower=lower)
        for a in function.body.block.args
    )
    (result,) = _returned(function)
    return Sample(operands, shape(result))


def _tensor_types(function: func.FuncOp) -> Iterator[TensorType[Attribute]]:
    values = (*function.body.block.args, *(r for op in function.walk() for r in op.results))
    for type in (value.type for value in values):
        if isinstance(type, TensorType):
            yield cast("TensorType[Attribute]", type)


def holds_less(type: TensorType[Attribute]) -> bool:
    """Whether the format has a place only for what is on and below the diagonal."""
    return any(storage_kind(level.kind).holds for level in tensor_format(type).levels)


def random_tensor(
    type: TensorType[Attribute],
    shape: tuple[int, ...],
    style: Style,
    random: np.random.Generator,
    *,
    lower: bool = False,
) -> Tensor:
    """
    Values of few bits, so that sums and products are exact in any order; with `lower`, nothing
    above the diagonal.
    """
    format, dtype = tensor_format(type), dtype_of(type.element_type)
    numbers = random.integers(1, 9, shape) * random.choice((-1, 1), shape)
    values = np.asarray(numbers if dtype.kind == "i" else numbers / 4).astype(dtype)
    inside = below_diagonal(shape) if lower else np.ones(shape, np.bool_)
    values[~inside] = 0
    if format.all_dense:
        return from_numpy(values, format)
    keep = np.asarray(random.random(shape) < style.density) & inside
    for mode, size in enumerate(shape):
        keep[(slice(None),) * mode + (random.random(size) < style.gaps,)] = False
    coordinates = [np.asarray(column, np.int64) for column in np.nonzero(keep)]
    return stored_in(format, coordinates, values[keep], shape)


def below_diagonal(shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Whether the last coordinate is at most the first."""
    columns = np.indices(shape)
    return columns[0] >= columns[-1] if shape else np.ones(shape, np.bool_)


def stored_in(format: Format, coordinates: list[Any], vals: Any, shape: tuple[int, ...]) -> Tensor:
    """
    Entries in a format. Formats of plain levels are packed here, without any compiled code.
    """
    kinds = {level.kind for level in format.levels}
    if format.is_permutation and kinds <= PACKED_KINDS:
        columns = [coordinates[mode] for mode in format.mode_order]
        order = np.lexsort(columns[::-1])
        places = list(zip(*(column[order].tolist() for column in columns), strict=True))
        return packed(format, shape, places, vals[order])
    return from_entries(coordinates, vals, shape, format)
