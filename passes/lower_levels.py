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

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, TypeAlias

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import assembly
from tamale.dialects.cfir import storage as cfir
from tamale.dialects.cfir.parts import PartsOp
from tamale.dialects.cfir.workspaces import WorkspaceOp
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.spec import Format
from tamale.dialects.locations import locate
from tamale.dialects.walking import walk_ops
from tamale.passes.emit.emitter import Emitter
from tamale.passes.emit.upstream import array_type
from tamale.passes.levels import storage_kind
from tamale.passes.levels.functions import LevelStorage, StorageKind
from tamale.passes.levels.made import NotMadeError
from tamale.passes.lowering.assembled import AssembledTensor
from tamale.passes.lowering.assembly_functions import MEANINGS as ASSEMBLY_MEANINGS
from tamale.passes.lowering.counting_functions import COUNTING_MEANINGS, CountingFunction
from tamale.passes.lowering.joined import JoinedResult
from tamale.passes.lowering.local_results import local_result
from tamale.passes.lowering.parts_functions import PART_MEANINGS
from tamale.passes.lowering.parts_storage import PartsStorage
from tamale.passes.lowering.prefetching import prefetch
from tamale.passes.lowering.returned import is_returned, returned_as
from tamale.passes.lowering.scanning import make_room
from tamale.passes.lowering.signature import Signature
from tamale.passes.lowering.storage import (
    AppendedResult,
    DenseResult,
    OperandStorage,
    ResultShape,
    check_coordinates,
    grown_groups,
    is_tensor,
    level_arrays,
)
from tamale.passes.lowering.walking_functions import WALKING_MEANINGS, Walking
from tamale.passes.lowering.workspace_functions import WORKSPACE_MEANINGS, Entries, open_workspace
from tamale.passes.lowering.workspaces import WorkspaceStorage

Storage: TypeAlias = (
    OperandStorage
    | DenseResult
    | AppendedResult
    | AssembledTensor
    | WorkspaceStorage
    | PartsStorage
)
Appending: TypeAlias = (
    cfir.PositionOp | cfir.ReserveOp | cfir.AppendCoordOp | cfir.AppendEdgesOp | cfir.AdvanceOp
)


@dataclass
class FunctionLowering:
    """Lowers one function."""

    function: func.FuncOp
    storages: dict[SSAValue, Storage] = field(default_factory=dict[SSAValue, Storage])
    finished: dict[SSAValue, list[SSAValue]] = field(default_factory=dict[SSAValue, list[SSAValue]])
    local: dict[SSAValue, list[SSAValue]] = field(default_factory=dict[SSAValue, list[SSAValue]])
    """The arrays of tensors that only this function sees: they are freed at its end."""
    workspaces: dict[SSAValue, tuple[Block, Entries]] = field(
        default_factory=dict[SSAValue, tuple[Block, Entries]]
    )
    """Each is freed at the end of the block that opens it."""

    def __post_init__(self) -> None:
        self.block = self.function.body.block
        self.emit = Emitter(InsertPoint.at_end(self.block), self.block)
        self.signature = Signature(self.emit, self.block)

    def run(self) -> None:
        tensors = [argument for argument in self.block.args if is_tensor(argument.type)]
        for tensor in tensors:
            self.storages[tensor] = self.signature.operand(tensor)
        level_functions = [op for op in walk_ops(self.function.body) if type(op) in _MEANINGS]
        for op in level_functions:
            self._replace_located(op)
        self._replace_return()
        for op in reversed(level_functions):
            Rewriter.erase_op(op)
        for tensor in tensors:
            self.block.erase_arg(tensor)
        self._update_type()

    # Signature

    def _update_type(self) -> None:
        last = self.block.last_op
        assert isinstance(last, func.ReturnOp)
        self.function.arg_attrs = None
        self.function.function_type = FunctionType.from_lists(
            self.block.arg_types, [value.type for value in last.arguments]
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
        self._free_locals(last)
        Rewriter.replace_op(last, func.ReturnOp(*values))

    def _free_locals(self, last: Operation) -> None:
        """Before the function returns: what no caller gets."""
        with self.emit.at(InsertPoint.before(last)):
            for array in chain.from_iterable(self.local.values()):
                self.emit.free(array)
        for block, workspace in self.workspaces.values():
            assert block.last_op is not None
            with self.emit.at(InsertPoint.before(block.last_op)):
                for array in workspace.arrays():
                    self.emit.free(array)

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
                f"lower-levels: tensor '{tensor.name_hint}' is neither an argument of this "
                "function nor computed by its kernels"
            )
        return self.storages[tensor]

    def _replace_located(self, op: Operation) -> None:
        try:
            with self.emit.at(InsertPoint.before(op), op):
                _MEANINGS[type(op)](self, op)
        except PassFailedException as error:
            raise locate(error, op) from None
        except (NotImplementedError, NotMadeError) as error:  # no such function; not yet
            raise locate(PassFailedException(f"lower-levels: {error}"), op) from None

    def give(self, op: Operation, *values: SSAValue) -> None:
        """Puts `values` in the place of the results of `op`, which itself goes later."""
        for result, value in zip(op.results, values, strict=True):
            if result.name_hint and not value.name_hint:
                value.name_hint = result.name_hint
            result.replace_all_uses_with(value)

    # Meanings, by level function

    def dim(self, op: cfir.DimOp) -> None:
        self.give(op, self._storage(op.tensor).dims[op.mode.value.data])

    def counting_function(self, op: CountingFunction) -> None:
        self.give(op, COUNTING_MEANINGS[type(op)](self._storage(op.tensor), op))

    def load(self, op: cfir.LoadOp) -> None:
        self.give(op, self.emit.load(self._values(op.tensor), op.position))

    def store(self, op: cfir.StoreOp) -> None:
        self.emit.store(op.value, self._values(op.tensor), op.position)

    def _values(self, tensor: SSAValue) -> SSAValue:
        storage = self._storage(tensor)
        return storage.values_array() if isinstance(storage, AppendedResult) else storage.values

    def walking_function(self, op: Walking) -> None:
        self.give(op, *WALKING_MEANINGS[type(op)](*self._level(op), op))

    def _level(self, op: Walking) -> tuple[StorageKind, LevelStorage]:
        """The level that a walking function asks, with what it says of the levels above."""
        storage, k = self._storage(op.tensor), op.level_index
        level = storage.level(k)
        ancestors = () if isinstance(op, cfir.PosFoundOp) else op.ancestors
        if ancestors:
            level = replace(level, ancestors=tuple(ancestors))
        if isinstance(storage, WorkspaceStorage):
            return storage.kind(k), level
        return storage_kind(storage.format.levels[k].kind), level

    def prefetch(self, op: cfir.PrefetchOp) -> None:
        prefetch(self._storage(op.tensor), op)

    def position(self, op: cfir.PositionOp) -> None:
        self.give(op, self._appended(op).position(op.level_index))

    def reserve(self, op: cfir.ReserveOp) -> None:
        self._appended(op).reserve(op.level_index, op.count)

    def append_coord(self, op: cfir.AppendCoordOp) -> None:
        self._written(op).append_coord(op.level_index, op.position, op.coordinate)

    def append_edges(self, op: cfir.AppendEdgesOp) -> None:
        self._written(op).append_edges(op.level_index, op.parent_pos, op.begin, op.end)

    def advance(self, op: cfir.AdvanceOp) -> None:
        self._appended(op).advance(op.level_index)

    def _appended(self, op: Appending) -> AppendedResult:
        result = self._storage(op.tensor)
        if not isinstance(result, AppendedResult):
            raise PassFailedException(
                f"lower-levels: {op.name} of a tensor that is not appended to"
            )
        return result

    def _written(self, op: Appending) -> AppendedResult | JoinedResult:
        result = self._storage(op.tensor)
        return result if isinstance(result, JoinedResult) else self._appended(op)

    def finish(self, op: cfir.FinishOp) -> None:
        result = self._storage(op.tensor)
        self.storages[op.result] = result
        self.finished[op.result] = []
        if not isinstance(result, AppendedResult | JoinedResult):
            return
        arrays = result.finish()
        if is_returned(op.result):
            self.finished[op.result] = arrays
            return
        self.local[op.result] = arrays
        levels = dict(zip(level_arrays(result.format), arrays, strict=False))
        self.storages[op.result] = OperandStorage(
            self.emit, result.format, result.dims, levels, arrays[-1]
        )

    def workspace(self, op: WorkspaceOp) -> None:
        within = None if op.within is None else self._storage(op.within)
        workspace, block = open_workspace(self.emit, op, within), op.parent
        assert block is not None
        self.workspaces[op.result] = block, workspace
        if isinstance(workspace, WorkspaceStorage):
            self.storages[op.result] = workspace

    def workspace_function(self, op: Operation) -> None:
        tensor = next(operand for operand in op.operands if is_tensor(operand.type))
        if tensor not in self.workspaces:
            raise PassFailedException(f"lower-levels: tensor '{tensor.name_hint}' is no workspace")
        _, workspace = self.workspaces[tensor]
        self.give(op, *WORKSPACE_MEANINGS[type(op)](workspace, op))

    # Results in parts

    def parts(self, op: PartsOp) -> None:
        type = op.result.type
        format, name = tensor_format(type), op.result.name_hint or "Z"
        returned = returned_as(op.result)
        dims = op.dims if returned is None else self._dims_of(returned, name, format)
        shape = ResultShape(name, format, dims, type.element_type)
        check_coordinates(self.emit, shape)
        self.storages[op.result] = PartsStorage.open(self.emit, shape, op.count.value.data)

    def part_function(self, op: Operation) -> None:
        PART_MEANINGS[type(op)](self.emit, self.storages, op)

    def open_assembly(self, op: assembly.OpenOp) -> None:
        type = op.result.type
        format = tensor_format(type)
        queries = {
            k: {label: self._values(query) for label, query in op.queries_of(k).items()}
            for k in range(len(format.levels))
        }
        dims = self._storage(op.source).dims
        name = op.result.name_hint or "B"
        self.storages[op.result] = AssembledTensor(
            self.emit, name, format, dims, type.element_type, queries, op.worker_count
        )

    def finish_assembly(self, op: assembly.FinishOp) -> None:
        tensor = self._assembled(op)
        self.storages[op.result] = tensor
        if is_returned(op.result):
            self.finished[op.result] = tensor.stored()
        else:
            self.local[op.result] = tensor.stored()

    def assembly_function(self, op: Operation) -> None:
        self.give(op, *ASSEMBLY_MEANINGS[type(op)](self._assembled(op), op))

    def _assembled(self, op: Operation) -> AssembledTensor:
        tensor = next(operand for operand in op.operands if is_tensor(operand.type))
        storage = self._storage(tensor)
        if not isinstance(storage, AssembledTensor):
            raise PassFailedException(f"lower-levels: {op.name} of a tensor that is not assembled")
        return storage

    def assemble(self, op: cfir.AssembleOp) -> None:
        type = op.result.type
        format, name = tensor_format(type), op.result.name_hint or "Z"
        returned = returned_as(op.result)
        if format.all_dense and (op.dims or returned is None):
            tensor = local_result(self.emit, op, name)
            self.storages[op.result] = tensor
            if format.order:
                self.local[op.result] = [tensor.values]
            return
        dims = op.dims if returned is None else self._dims_of(returned, name, format)
        if not format.all_dense:
            self._assemble_appended(op, ResultShape(name, format, dims, type.element_type))
            return
        values = self.signature.argument(array_type(type.element_type), f"{name}_vals")
        result = DenseResult(self.emit, format, dims, values)
        self.storages[op.result] = result
        if op.fill is not None:
            result.fill(op.fill, 1 if op.workers is None else op.workers.value.data)

    def _dims_of(self, returned: SSAValue, name: str, format: Format) -> Sequence[SSAValue]:
        """The sizes of a result that the caller gives, called after what it gets."""
        converted = isinstance(returned.owner, assembly.FinishOp)
        return self.signature.dims((converted and returned.name_hint) or name, format)

    def scan(self, op: assembly.ScanOp) -> None:
        """The levels of the counts become the result's; the counts themselves stay local."""
        type, counts = op.result.type, self._storage(op.counts)
        format, name = tensor_format(type), op.result.name_hint or "Z"
        returned = returned_as(op.result)
        dims = op.dims if returned is None else self._dims_of(returned, name, format)
        tensor = AssembledTensor(self.emit, name, format, dims, type.element_type, {})
        assert isinstance(counts, DenseResult | AssembledTensor)
        arrays = counts.arrays if isinstance(counts, AssembledTensor) else {}
        make_room(tensor, op.depth, arrays, counts.values)
        self.storages[op.result] = tensor
        if isinstance(counts, AssembledTensor):
            self.local[op.counts] = [counts.values]

    def _assemble_appended(self, op: cfir.AssembleOp, shape: ResultShape) -> None:
        check_coordinates(self.emit, shape)
        grown, counted = grown_groups(op.result), op.counted is not None
        self.storages[op.result] = AppendedResult(shape, self.emit, op.room, grown, counted=counted)


_MEANINGS: dict[type[Operation], Callable[[FunctionLowering, Any], None]] = {
    cfir.DimOp: FunctionLowering.dim,
    **dict.fromkeys(COUNTING_MEANINGS, FunctionLowering.counting_function),
    **dict.fromkeys(WALKING_MEANINGS, FunctionLowering.walking_function),
    cfir.PrefetchOp: FunctionLowering.prefetch,
    cfir.LoadOp: FunctionLowering.load,
    cfir.StoreOp: FunctionLowering.store,
    cfir.AssembleOp: FunctionLowering.assemble,
    cfir.PositionOp: FunctionLowering.position,
    cfir.ReserveOp: FunctionLowering.reserve,
    cfir.AppendCoordOp: FunctionLowering.append_coord,
    cfir.AppendEdgesOp: FunctionLowering.append_edges,
    cfir.AdvanceOp: FunctionLowering.advance,
    cfir.FinishOp: FunctionLowering.finish,
    PartsOp: FunctionLowering.parts,
    **dict.fromkeys(PART_MEANINGS, FunctionLowering.part_function),
    WorkspaceOp: FunctionLowering.workspace,
    **dict.fromkeys(WORKSPACE_MEANINGS, FunctionLowering.workspace_function),
    **dict.fromkeys(ASSEMBLY_MEANINGS, FunctionLowering.assembly_function),
    assembly.OpenOp: FunctionLowering.open_assembly,
    assembly.FinishOp: FunctionLowering.finish_assembly,
    assembly.ScanOp: FunctionLowering.scan,
}
"""By level function: the method that emits what it means; each takes an op of that class."""


class LowerLevelsPass(ModulePass):
    """Replaces tensors by arrays and level functions by what level kinds mean by them."""

    name = "lower-levels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [f for f in walk_ops(op) if isinstance(f, func.FuncOp)]:
            if not function.is_declaration:
                FunctionLowering(function).run()
