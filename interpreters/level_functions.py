"""cfir, its storage half: level functions on stored tensors and on results under assembly."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import i1
from xdsl.interpreter import Interpreter, PythonValues, impl, register_impls

from tamale.dialects.cfir import storage as cfir
from tamale.dialects.cfir.level_function import INDEX
from tamale.dialects.cfir.ranks import BelowOp, RankOp
from tamale.dialects.format.attribute import tensor_format
from tamale.interpreters.appended import AppendedResult, DenseResult
from tamale.interpreters.memory import InterpretationFailure, dtype_of, plain, scalar
from tamale.interpreters.runtime import TensorFunctions
from tamale.interpreters.stored import StoredTensor, Walkable


def numbers(*values: int) -> PythonValues:
    """Positions or coordinates as runtime values."""
    return tuple(scalar(value, INDEX) for value in values)


def integers(values: PythonValues) -> list[int]:
    """The inverse of `numbers`."""
    return [plain(value) for value in values]


def appended(value: Any) -> AppendedResult:
    """
    A result that entries are appended to.

    Raises:
        InterpretationFailure: it is something else.
    """
    if not isinstance(value, AppendedResult):
        raise InterpretationFailure("interpret: entries are appended to what is no such result")
    return value


@register_impls
class WalkingFunctions(TensorFunctions):
    """Sizes, positions, coordinates and values."""

    @impl(cfir.DimOp)
    def run_dim(self, interpreter: Interpreter, op: cfir.DimOp, args: PythonValues) -> Any:
        return numbers(args[0].shape[op.mode.value.data])

    @impl(cfir.CountOp)
    def run_count(self, interpreter: Interpreter, op: cfir.CountOp, args: PythonValues) -> Any:
        return numbers(args[0].count(op.level_index))

    @impl(BelowOp)
    def run_below(self, interpreter: Interpreter, op: BelowOp, args: PythonValues) -> Any:
        tensor: StoredTensor = args[0]
        return numbers(tensor.below(op.level_index, plain(args[1])))

    @impl(RankOp)
    def run_rank(self, interpreter: Interpreter, op: RankOp, args: PythonValues) -> Any:
        tensor: StoredTensor = args[0]
        _, begin, end, coordinate, *_ = integers(args[1:])
        return numbers(tensor.rank(op.level_index, begin, end, coordinate))

    @impl(cfir.PosBoundsOp)
    def run_pos_bounds(
        self, interpreter: Interpreter, op: cfir.PosBoundsOp, args: PythonValues
    ) -> Any:
        tensor: Walkable = args[0]
        parent, *ancestors = integers(args[1:])
        return numbers(*tensor.pos_bounds(op.level_index, parent, ancestors))

    @impl(cfir.PosAccessOp)
    def run_pos_access(
        self, interpreter: Interpreter, op: cfir.PosAccessOp, args: PythonValues
    ) -> Any:
        tensor: Walkable = args[0]
        position, *ancestors = integers(args[1:])
        return numbers(tensor.pos_access(op.level_index, position, ancestors))

    @impl(cfir.PosFoundOp)
    def run_pos_found(
        self, interpreter: Interpreter, op: cfir.PosFoundOp, args: PythonValues
    ) -> Any:
        tensor: Walkable = args[0]
        return (scalar(tensor.pos_found(op.level_index, plain(args[1])), i1),)

    @impl(cfir.CoordBoundsOp)
    def run_coord_bounds(
        self, interpreter: Interpreter, op: cfir.CoordBoundsOp, args: PythonValues
    ) -> Any:
        tensor: Walkable = args[0]
        parent, *ancestors = integers(args[1:])
        return numbers(*tensor.coord_bounds(op.level_index, parent, ancestors))

    @impl(cfir.LocateOp)
    def run_locate(self, interpreter: Interpreter, op: cfir.LocateOp, args: PythonValues) -> Any:
        tensor: Walkable = args[0]
        parent, coordinate, *ancestors = integers(args[1:])
        position, found = tensor.locate(op.level_index, parent, coordinate, ancestors)
        return (*numbers(position), scalar(found, i1))

    @impl(cfir.PrefetchOp)
    def run_prefetch(
        self, interpreter: Interpreter, op: cfir.PrefetchOp, args: PythonValues
    ) -> Any:
        return ()

    @impl(cfir.LoadOp)
    def run_load(self, interpreter: Interpreter, op: cfir.LoadOp, args: PythonValues) -> Any:
        tensor: Walkable = args[0]
        return (scalar(tensor.load(plain(args[1])), op.value.type),)

    @impl(cfir.StoreOp)
    def run_store(self, interpreter: Interpreter, op: cfir.StoreOp, args: PythonValues) -> Any:
        tensor: Walkable = args[1]
        tensor.store(plain(args[2]), plain(args[0]))
        return ()


@register_impls
class AppendingFunctions(TensorFunctions):
    """Opening a result, appending to it, and closing it."""

    @impl(cfir.AssembleOp)
    def run_assemble(
        self, interpreter: Interpreter, op: cfir.AssembleOp, args: PythonValues
    ) -> Any:
        type = op.result.type
        format, dtype = tensor_format(type), dtype_of(type.element_type)
        fill, rest = (args[:1], args[1:]) if op.fill is not None else ((), args)
        dims, rooms = integers(rest[: len(op.dims)]), integers(rest[len(op.dims) :])
        shape = tuple(dims) if op.dims or format.order == 0 else self.result_shape(format.order)
        if not format.all_dense:
            counted = op.counted is not None
            return (AppendedResult(format, shape, dtype, rooms, counted=counted),)
        result = DenseResult(format, shape, dtype)
        for value in fill:
            result.fill(plain(value))
        return (result,)

    @impl(cfir.PositionOp)
    def run_position(
        self, interpreter: Interpreter, op: cfir.PositionOp, args: PythonValues
    ) -> Any:
        return numbers(appended(args[0]).position(op.level_index))

    @impl(cfir.ReserveOp)
    def run_reserve(self, interpreter: Interpreter, op: cfir.ReserveOp, args: PythonValues) -> Any:
        appended(args[0]).reserve(op.level_index, plain(args[1]))
        return ()

    @impl(cfir.AppendCoordOp)
    def run_append_coord(
        self, interpreter: Interpreter, op: cfir.AppendCoordOp, args: PythonValues
    ) -> Any:
        appended(args[0]).append_coord(op.level_index, *integers(args[1:]))
        return ()

    @impl(cfir.AppendEdgesOp)
    def run_append_edges(
        self, interpreter: Interpreter, op: cfir.AppendEdgesOp, args: PythonValues
    ) -> Any:
        appended(args[0]).append_edges(op.level_index, *integers(args[1:]))
        return ()

    @impl(cfir.AdvanceOp)
    def run_advance(self, interpreter: Interpreter, op: cfir.AdvanceOp, args: PythonValues) -> Any:
        appended(args[0]).advance(op.level_index)
        return ()

    @impl(cfir.FinishOp)
    def run_finish(self, interpreter: Interpreter, op: cfir.FinishOp, args: PythonValues) -> Any:
        result: AppendedResult | DenseResult = args[0]
        return (StoredTensor(result.finish()),)
