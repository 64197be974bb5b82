"""
`lower-levels`: cfir level functions -> func, scf, arith, memref alone.

Puts arrays in the place of tensors and, in the place of each level function, what the level's kind
means by it. The function's tensor arguments become sizes and arrays; a dense result becomes an
argument that is written, a sparse one is returned as the arrays that were assembled. Before /
after:

    func.func @f(%A: tensor<?x?xf64, #csr>) { %begin, %end = cfir.pos_bounds %A 1 (%i) ... }

    func.func @f(%A_dim1: index, %A_dim2: index, %A2_pos: memref<?xi32>, %A2_crd: memref<?xi32>,
                 %A_vals: memref<?xf64>) { %begin = memref.load %A2_pos[%i] ... }

`passes/levels/` has the kinds, `passes/lowering/storage.py` the arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects.cfir import storage as cfir
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.spec import Format
from tamale.dialects.locations import locate
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter, array_type
from tamale.passes.levels import storage_kind
from tamale.passes.lowering.storage import (
    AppendedResult,
    DenseResult,
    OperandStorage,
    ResultShape,
    array_element,
    level_arrays,
)

Storage: TypeAlias = OperandStorage | DenseResult | AppendedResult


def is_tensor(type: Attribute) -> bool:
    return isinstance(type, TensorType)


@dataclass
class FunctionLowering:
    """Lowers one function."""

    function: func.FuncOp
    storages: dict[SSAValue, Storage] = field(default_factory=dict[SSAValue, Storage])
    finished: dict[SSAValue, list[SSAValue]] = field(default_factory=dict[SSAValue, list[SSAValue]])

    def __post_init__(self) -> None:
        self.block = self.function.body.block
        self.emit = Emitter(InsertPoint.at_end(self.block), self.block)

    def run(self) -> None:
        tensors = [argument for argument in self.block.args if is_tensor(argument.type)]
        for tensor in tensors:
            self.storages[tensor] = self._operand(tensor)
        for op in list(self.function.body.walk()):
            if isinstance(op, cfir.LEVEL_FUNCTIONS):
                self._replace_located(op)
        self._replace_return()
        for op in reversed(list(self.function.body.walk())):
            if isinstance(op, cfir.LEVEL_FUNCTIONS):
                Rewriter.erase_op(op)
        for tensor in tensors:
            self.block.erase_arg(tensor)
        self._update_type()

    # Signature

    def _argument(self, type: Attribute, hint: str) -> SSAValue:
        argument = self.block.insert_arg(type, len(self.block.args))
        argument.name_hint = hint
        return argument

    def _dims(self, name: str, format: Format) -> list[SSAValue]:
        return [self._argument(INDEX, f"{name}_dim{mode + 1}") for mode in range(format.order)]

    def _operand(self, tensor: SSAValue) -> OperandStorage:
        type = cast(TensorType[Attribute], tensor.type)
        format, name = tensor_format(type), tensor.name_hint or "T"
        dims = self._dims(name, format)
        arrays = {
            (k, array): self._argument(
                array_type(array_element(format, k, array)), f"{name}{k + 1}_{array}"
            )
            for k, array in level_arrays(format)
        }
        values = self._argument(array_type(type.element_type), f"{name}_vals")
        return OperandStorage(self.emit, format, dims, arrays, values)

    def _update_type(self) -> None:
        last = self.block.last_op
        assert isinstance(last, func.ReturnOp)
        self.function.function_type = FunctionType.from_lists(
            [argument.type for argument in self.block.args],
            [value.type for value in last.arguments],
        )

    def _replace_return(self) -> None:
        last = self.block.last_op
        assert isinstance(last, func.ReturnOp)
        values: list[SSAValue] = []
        for value in last.arguments:
            if is_tensor(value.type):
                values.extend(self._finished(value, last))
            else:
                values.append(value)
        Rewriter.replace_op(last, func.ReturnOp(*values))

    def _finished(self, value: SSAValue, last_op: Operation) -> Sequence[SSAValue]:
        if value not in self.finished:
            message = (
                "lower-levels: a function may only return tensors that its own kernels computed"
            )
            raise locate(PassFailedException(message), last_op)
        return self.finished[value]

    # Level functions

    def _storage(self, tensor: SSAValue) -> Storage:
        if tensor not in self.storages:
            raise PassFailedException(
                f"lower-levels: tensor '{tensor.name_hint}' is neither an argument nor a result "
                "of this "
                "function; kernels cannot read each other's results yet"
            )
        return self.storages[tensor]

    def _replace_located(self, op: Operation) -> None:
        try:
            with self.emit.at(InsertPoint.before(op)):
                self._replace(op)
        except PassFailedException as error:
            raise locate(error, op) from None
        except NotImplementedError as error:  # a level function that the kind does not have
            raise locate(PassFailedException(f"lower-levels: {error}"), op) from None

    def _replace(self, op: Operation) -> None:
        """Emits what `op` means; its results are replaced at once, the op itself goes later."""
        match op:
            case cfir.DimOp():
                self._give(op, self._storage(op.tensor).dims[op.mode.value.data])
            case cfir.CountOp():
                self._count(op)
            case cfir.LoadOp():
                array = self._values(self._storage(op.tensor))
                self._give(op, self.emit.load(array, op.position))
            case cfir.StoreOp():
                array = self._values(self._storage(op.tensor))
                self.emit.store(op.value, array, op.position)
            case cfir.AssembleOp():
                self._assemble(op)
            case cfir.FinishOp():
                result = self._storage(op.tensor)
                done = result.finish() if isinstance(result, AppendedResult) else []
                self.finished[op.result] = done
            case cfir.PosBoundsOp() | cfir.PosAccessOp() | cfir.LocateOp():
                self._walk(op)
            case _:
                self._append(op)

    def _give(self, op: Operation, *values: SSAValue) -> None:
        for result, value in zip(op.results, values, strict=True):
            if result.name_hint and not value.name_hint:
                value.name_hint = result.name_hint
            result.replace_all_uses_with(value)

    def _values(self, storage: Storage) -> SSAValue:
        return storage.values_array() if isinstance(storage, AppendedResult) else storage.values

    def _walk(self, op: cfir.PosBoundsOp | cfir.PosAccessOp | cfir.LocateOp) -> None:
        storage, k = self._storage(op.tensor), op.level_index
        kind, level = storage_kind(storage.format.levels[k].kind), storage.level(k)
        match op:
            case cfir.PosBoundsOp():
                self._give(op, *kind.pos_bounds(level, op.parent_pos))
            case cfir.PosAccessOp():
                self._give(op, kind.pos_access(level, op.position))
            case cfir.LocateOp():
                self._give(op, *kind.locate(level, op.parent_pos, op.coordinate))

    def _count(self, op: cfir.CountOp) -> None:
        storage, count = self._storage(op.tensor), self.emit.constant(1)
        for k, level in enumerate(storage.format.levels[: op.level_index + 1]):
            count = storage_kind(level.kind).size_below(storage.level(k), count)
        self._give(op, count)

    def _append(self, op: Operation) -> None:
        assert isinstance(
            op,
            cfir.PositionOp
            | cfir.ReserveOp
            | cfir.AppendCoordOp
            | cfir.AppendEdgesOp
            | cfir.AdvanceOp,
        )
        result, k = self._storage(op.tensor), op.level_index
        if not isinstance(result, AppendedResult):
            raise PassFailedException(
                f"lower-levels: {op.name} of a tensor that is not appended to"
            )
        match op:
            case cfir.PositionOp():
                self._give(op, result.position(k))
            case cfir.ReserveOp():
                result.reserve(k, op.count)
            case cfir.AppendCoordOp():
                result.append_coord(k, op.position, op.coordinate)
            case cfir.AppendEdgesOp():
                result.append_edges(k, op.parent_pos, op.begin, op.end)
            case cfir.AdvanceOp():
                result.advance(k)

    def _assemble(self, op: cfir.AssembleOp) -> None:
        type = op.result.type
        format, name = tensor_format(type), op.result.name_hint or "Z"
        dims = self._dims(name, format)
        if not format.all_dense:
            grown = {
                use.operation.level_index
                for use in op.result.uses
                if isinstance(use.operation, cfir.ReserveOp)
            }
            self.storages[op.result] = AppendedResult(
                ResultShape(name, format, dims, type.element_type),
                self.emit,
                op.room,
                grown,
                counted=op.counted is not None,
            )
            return
        values = self._argument(array_type(type.element_type), f"{name}_vals")
        result = DenseResult(self.emit, format, dims, values)
        self.storages[op.result] = result
        if op.fill is not None:
            result.fill(op.fill)


def lower_function(function: func.FuncOp) -> None:
    if not function.is_declaration:
        FunctionLowering(function).run()


class LowerLevelsPass(ModulePass):
    """Replaces tensors by arrays and level functions by what level kinds mean by them."""

    name = "lower-levels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [f for f in op.walk() if isinstance(f, func.FuncOp)]:
            lower_function(function)
