"""Sorting of assembly, by NumPy: whole lists of coordinates, and the segments of a level."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.interpreter import Interpreter, PythonValues, impl, register_impls
from xdsl.ir import Attribute

from tamale.dialects import assembly
from tamale.dialects.format.attribute import tensor_format
from tamale.frontend.levels import level_coordinates
from tamale.frontend.storage import LevelArrays
from tamale.frontend.tensor import Tensor
from tamale.interpreters.assembled import AssembledTensor, walk
from tamale.interpreters.meant import MeantTensor
from tamale.interpreters.memory import Memory
from tamale.interpreters.remapping import Remapper
from tamale.interpreters.results import packed
from tamale.interpreters.runtime import TensorFunctions, stored
from tamale.interpreters.stored import StoredTensor


def listed(value: Any) -> Tensor:
    """A list of coordinates in storage; one that is only meant is put there."""
    if not isinstance(value, MeantTensor):
        return stored(value, assembly.SortOp.name).tensor
    entries, remapper = value.nonzeros(), Remapper.to_levels(value.format)
    places = [remapper.next(coordinates) for coordinates, _ in entries]
    vals = np.array([number for _, number in entries], value.dtype)
    return packed(value.format, value.shape, places, vals)


def sorted_list(source: Tensor, result_type: TensorType[Attribute]) -> Tensor:
    """A list of coordinates in their order; equal ones keep theirs."""
    columns, _ = level_coordinates(source)
    order = np.lexsort(columns[::-1])
    levels: list[LevelArrays] = [
        {name: array[order] if name == "crd" else array for name, array in level.items()}
        for level in source.levels
    ]
    return Tensor(tensor_format(result_type), source.shape, levels, source.vals[order])


def sort_segment(arrays: list[Memory], begin: int, end: int, *, keys: int) -> None:
    """Puts arrays in the order of the first `keys` of them, between two positions."""
    span = slice(begin, end)
    order = np.lexsort([memory.array[span] for memory in reversed(arrays[:keys])])
    for memory in arrays:
        memory.array[span] = memory.array[span][order]
        memory.written[span] = memory.written[span][order]


@register_impls
class SortingFunctions(TensorFunctions):
    """`assembly.sort` and `assembly.sort_segments`."""

    @impl(assembly.SortOp)
    def run_sort(self, interpreter: Interpreter, op: assembly.SortOp, args: PythonValues) -> Any:
        return (StoredTensor(sorted_list(listed(args[0]), op.result.type)),)

    @impl(assembly.SortSegmentsOp)
    def run_sort_segments(
        self, interpreter: Interpreter, op: assembly.SortSegmentsOp, args: PythonValues
    ) -> Any:
        tensor: AssembledTensor = args[0]
        k, levels = op.level_index, len(tensor.format.levels)
        shared = range(k, levels if op.with_values is not None else k + 1)
        arrays = [tensor.array(n, "crd") for n in shared]
        keys = len(arrays)
        if op.with_values is not None:
            arrays.append(tensor.values)
        for parent, coordinates in walk(tensor, k):
            begin, end = tensor.pos_bounds(k, parent, coordinates)
            sort_segment(arrays, begin, end, keys=keys)
        return ()
