"""linalg, tensor and sparse_tensor, as far as `import-linalg` reads them: dense meaning."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import tensor
from xdsl.dialects.builtin import NoneAttr
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    ReturnedValues,
    TerminatorValue,
    impl,
    impl_terminator,
    register_impls,
)
from xdsl.ir.affine import AffineDimExpr

from tamale.dialects import sparse_tensor
from tamale.dialects.linalg import FillOp, GenericOp, YieldOp
from tamale.interpreters.level_functions import numbers
from tamale.interpreters.meant import MeantTensor
from tamale.interpreters.memory import dtype_of, plain, scalar
from tamale.interpreters.stored import StoredTensor


def values_of(value: Any) -> NDArray[Any]:
    """The value at every coordinate."""
    return value.values if isinstance(value, MeantTensor) else value.tensor.to_numpy()


@register_impls
class LinalgFunctions(InterpreterFunctions):
    """Loops over every point; the body is run for each."""

    @impl(GenericOp)
    def run_generic(self, interpreter: Interpreter, op: GenericOp, args: PythonValues) -> Any:
        maps = [map.data for map in op.indexing_maps]
        arrays = [values_of(arg) for arg in args]
        result = arrays[-1] = np.array(arrays[-1])
        sizes: dict[int, int] = {}
        for array, map in zip(arrays, maps, strict=True):
            for size, place in zip(array.shape, map.results, strict=True):
                if isinstance(place, AffineDimExpr):
                    sizes[place.position] = size
        for point in np.ndindex(*(sizes[k] for k in range(len(op.iterator_types)))):
            places = [map.eval(point, ()) for map in maps]
            elements = tuple(
                scalar(array[place], argument.type)
                for array, place, argument in zip(arrays, places, op.body.block.args, strict=True)
            )
            (value,) = interpreter.run_ssacfg_region(op.body, elements, op.name)
            result[places[-1]] = plain(value)
        return (MeantTensor.undecided(op.results[0].type, result),)

    @impl_terminator(YieldOp)
    def run_yield(
        self, interpreter: Interpreter, op: YieldOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        return ReturnedValues(args), ()

    @impl(FillOp)
    def run_fill(self, interpreter: Interpreter, op: FillOp, args: PythonValues) -> Any:
        like: MeantTensor | StoredTensor = args[1]
        values = np.full(like.shape, plain(args[0]), like.dtype)
        return (MeantTensor.undecided(op.results[0].type, values),)

    @impl(tensor.EmptyOp)
    def run_empty(self, interpreter: Interpreter, op: tensor.EmptyOp, args: PythonValues) -> Any:
        """A sparse tensor without entries; a dense one whose elements are not to be read."""
        type, given = op.tensor.type, iter(args)
        shape = [plain(next(given)) if size < 0 else size for size in type.get_shape()]
        values = np.zeros(shape, dtype_of(type.element_type))
        if isinstance(type.encoding, NoneAttr) and values.dtype.kind in "fc":
            values[...] = np.nan
        return (MeantTensor.undecided(type, values),)

    @impl(tensor.DimOp)
    def run_dim(self, interpreter: Interpreter, op: tensor.DimOp, args: PythonValues) -> Any:
        value: StoredTensor | MeantTensor = args[0]
        mode: int = plain(args[1])
        return numbers(value.shape[mode])

    @impl(sparse_tensor.ConvertOp)
    def run_convert(
        self, interpreter: Interpreter, op: sparse_tensor.ConvertOp, args: PythonValues
    ) -> Any:
        return (MeantTensor.undecided(op.result.type, values_of(args[0])),)
