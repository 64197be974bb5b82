"""assembly: level functions by what level kinds mean by them, loops over entries and parents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import i1
from xdsl.interpreter import Interpreter, PythonValues, impl, register_impls
from xdsl.ir import Block, Operation

from tamale.dialects import assembly
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.expressions import Expr, Var
from tamale.dialects.format.spec import Format
from tamale.dialects.format.substitution import substitute
from tamale.interpreters.assembled import AssembledTensor, walk
from tamale.interpreters.entries import selected
from tamale.interpreters.level_functions import integers, numbers
from tamale.interpreters.memory import InterpretationFailure, scalar
from tamale.interpreters.remapping import Remapper
from tamale.interpreters.runtime import TensorFunctions
from tamale.interpreters.stored import StoredTensor
from tamale.passes.levels import storage_kind


def target_expressions(target: Format, source: Format) -> list[Expr]:
    """The level expressions of the target over the modes of the source."""
    names = {a: Var(b) for a, b in zip(target.modes, source.modes, strict=True)}
    return [substitute(level.expression, names) for level in target.levels]


def run_body(interpreter: Interpreter, block: Block, args: PythonValues) -> None:
    """A body without a terminator, in a scope of its own."""
    interpreter.push_scope("entry")
    interpreter.set_values(zip(block.args, args, strict=True))
    for op in block.ops:
        results = interpreter.run_op(op, interpreter.get_values(op.operands))
        interpreter.set_values(zip(op.results, results, strict=True))
    interpreter.pop_scope()


@register_impls
class AssemblyLoopFunctions(TensorFunctions):
    """Opening and closing a tensor, loops over entries and parents."""

    @impl(assembly.OpenOp)
    def run_open(self, interpreter: Interpreter, op: assembly.OpenOp, args: PythonValues) -> Any:
        type = op.result.type
        values = dict(zip(op.operands, args, strict=True))
        queries = {
            k: {label: values[query] for label, query in op.queries_of(k).items()}
            for k in range(len(tensor_format(type).levels))
        }
        return (AssembledTensor(type, args[0].shape, queries),)

    @impl(assembly.ScanOp)
    def run_scan(self, interpreter: Interpreter, op: assembly.ScanOp, args: PythonValues) -> Any:
        type, dims = op.result.type, tuple(integers(args[1:]))
        shape = dims if op.dims else self.result_shape(type.get_num_dims())
        return (AssembledTensor.with_room(type, shape, args[0]),)

    @impl(assembly.FinishOp)
    def run_finish(
        self, interpreter: Interpreter, op: assembly.FinishOp, args: PythonValues
    ) -> Any:
        tensor: AssembledTensor = args[0]
        return (StoredTensor(tensor.finish()),)

    @impl(assembly.ForNonzerosOp)
    def run_for_nonzeros(
        self, interpreter: Interpreter, op: assembly.ForNonzerosOp, args: PythonValues
    ) -> Any:
        source, target = args
        expressions = target_expressions(target.format, source.format)
        remapper = Remapper(source.format.modes, expressions)
        for inner in op.body.walk():
            interpreter.get_data(AssemblyLoopFunctions, "entries met", dict).pop(inner, None)
        for coordinates, value in selected(source, op.selection):
            remapped = numbers(*remapper.next(coordinates))
            run_body(interpreter, op.body.block, (*remapped, scalar(value, op.value.type)))
        return ()

    @impl(assembly.ForParentsOp)
    def run_for_parents(
        self, interpreter: Interpreter, op: assembly.ForParentsOp, args: PythonValues
    ) -> Any:
        tensor: AssembledTensor = args[0]
        for position, coordinates in walk(tensor, op.level_index):
            run_body(interpreter, op.body.block, numbers(position, *coordinates))
        return ()


@dataclass
class EntriesMet:
    """What an op inside of a loop over entries remembers from one entry to the next."""

    count: int = 0
    last: tuple[int, ...] | None = None
    parents: dict[int, int] = field(default_factory=dict[int, int])


def met(interpreter: Interpreter, op: Operation) -> EntriesMet:
    """What `op` remembers in the current loop."""
    memories = interpreter.get_data(AssemblyLoopFunctions, "entries met", dict)
    return memories.setdefault(op, EntriesMet())


@register_impls
class EntryFunctions(TensorFunctions):
    """Ops that compare an entry with those before it."""

    @impl(assembly.FirstOp)
    def run_first(self, interpreter: Interpreter, op: assembly.FirstOp, args: PythonValues) -> Any:
        memory, coordinates = met(interpreter, op), tuple(integers(args))
        new, memory.last = coordinates != memory.last, coordinates
        return (scalar(new, i1),)

    @impl(assembly.AppendOp)
    def run_append(
        self, interpreter: Interpreter, op: assembly.AppendOp, args: PythonValues
    ) -> Any:
        tensor: AssembledTensor = args[0]
        memory = met(interpreter, op)
        if op.new is not None and not args[-1]:
            return numbers(memory.count - 1)
        index, k, position = tensor.code.index, op.level_index, memory.count
        parent, *coordinates = map(index, integers(args[1 : 2 + len(op.coordinates)]))
        if op.counting is not None:
            tensor.perform(assembly.CountEdgeOp(tensor.handle, k, parent))
        if op.inserting is not None:
            place = index(position)
            tensor.perform(assembly.InsertCoordOp(tensor.handle, k, parent, place, coordinates))
        memory.count += 1
        return numbers(position)

    @impl(assembly.StampOp)
    def run_stamp(self, interpreter: Interpreter, op: assembly.StampOp, args: PythonValues) -> Any:
        memory, (parent, coordinate) = met(interpreter, op), integers(args[1:])
        new, memory.parents[coordinate] = memory.parents.get(coordinate) != parent, parent
        return (scalar(new, i1),)

    @impl(assembly.RankOp)
    def run_rank(self, interpreter: Interpreter, op: assembly.RankOp, args: PythonValues) -> Any:
        tensor: AssembledTensor = args[0]
        parent, *coordinates = integers(args[1:])
        k = op.level_index
        asks = storage_kind(tensor.format.levels[k].kind).asks_ancestors
        above = coordinates[:-1] if asks else []
        for position in range(*tensor.pos_bounds(k, parent, above)):
            if tensor.pos_access(k, position, above) == coordinates[-1]:
                return numbers(position)
        raise InterpretationFailure(
            f"interpret: level {k} has no coordinate {coordinates[-1]} below position {parent}"
        )


def performed(op: Operation, args: PythonValues) -> PythonValues:
    """A level function of one tensor, by what the level's kind means by it."""
    tensor: AssembledTensor = next(arg for arg in args if isinstance(arg, AssembledTensor))
    operands = [
        tensor.handle if arg is tensor else tensor.code.value(arg, operand.type)
        for arg, operand in zip(args, op.operands, strict=True)
    ]
    types = [result.type for result in op.results]
    same = type(op).create(operands=operands, result_types=types, properties=op.properties)
    return tuple(tensor.perform(same))


def _level_function(op_type: type[Operation]) -> Any:
    def run(
        self: TensorFunctions, interpreter: Interpreter, op: Operation, args: PythonValues
    ) -> PythonValues:
        return performed(op, args)

    return impl(op_type)(run)


@register_impls
class AssemblyFunctions(TensorFunctions):
    """The level functions of assembly."""

    init_edges = _level_function(assembly.InitEdgesOp)
    insert_edges = _level_function(assembly.InsertEdgesOp)
    count_edge = _level_function(assembly.CountEdgeOp)
    finalize_edges = _level_function(assembly.FinalizeEdgesOp)
    init_coords = _level_function(assembly.InitCoordsOp)
    init_pos = _level_function(assembly.InitPosOp)
    get_pos = _level_function(assembly.GetPosOp)
    yield_pos = _level_function(assembly.YieldPosOp)
    first_pos = _level_function(assembly.FirstPosOp)
    end_edges = _level_function(assembly.EndEdgesOp)
    enlarge = _level_function(assembly.EnlargeOp)
    insert_coord = _level_function(assembly.InsertCoordOp)
    finalize_pos = _level_function(assembly.FinalizePosOp)
    init_values = _level_function(assembly.InitValuesOp)
    store = _level_function(assembly.StoreOp)
