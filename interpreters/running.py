"""
Running a function of a module, of whatever stage, on tensors.

Where the function still takes tensors, it gets them; where `lower-levels` has put arrays in their
place, it gets those, in the documented order (ARCHITECTURE.md, "The C interface").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.interpreter import Interpreter, InterpreterFunctions
from xdsl.ir import Attribute
from xdsl.utils.exceptions import InterpretationError

from tamale.dialects.errors import TamaleError
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.spec import Format
from tamale.frontend.tensor import Tensor
from tamale.interpreters.assembled import tensor_from_blocks
from tamale.interpreters.assembly import (
    AssemblyFunctions,
    AssemblyLoopFunctions,
    EntryFunctions,
)
from tamale.interpreters.cfir import CfirFunctions
from tamale.interpreters.cin import CinFunctions
from tamale.interpreters.level_functions import AppendingFunctions, WalkingFunctions
from tamale.interpreters.linalg import LinalgFunctions
from tamale.interpreters.meant import MeantTensor
from tamale.interpreters.memory import InterpretationFailure, Memory, dtype_of, scalar
from tamale.interpreters.parts import PartFunctions
from tamale.interpreters.query import QueryFunctions
from tamale.interpreters.sorting import SortingFunctions
from tamale.interpreters.stored import StoredTensor
from tamale.interpreters.tin import TinFunctions
from tamale.interpreters.upstream import upstream_functions
from tamale.interpreters.workspaces import WorkspaceFunctions
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.levels import storage_kind

_UNKNOWN_OP = "Could not find interpretation function for op "

Shape = tuple[int, ...]


@dataclass(frozen=True)
class ResultType:
    """How the result of a function is stored, and what its elements are."""

    format: Format
    dtype: np.dtype[Any]

    @classmethod
    def of(cls, type: Attribute) -> ResultType:
        """The result of a function that still returns a tensor."""
        tensor = cast("TensorType[Attribute]", type)
        return cls(tensor_format(tensor), dtype_of(tensor.element_type))


Outcome = Tensor | MeantTensor
"""What a function computed: a stored tensor, or values without a storage."""


def function_named(module: ModuleOp, name: str | None) -> func.FuncOp:
    """
    The function with a body that is called `name`, or the only one.

    Raises:
        TamaleError: there is none, or several and no name.
    """
    functions = {
        f.sym_name.data: f
        for f in module.walk()
        if isinstance(f, func.FuncOp) and not f.is_declaration
    }
    if name is None and len(functions) == 1:
        return next(iter(functions.values()))
    if name not in functions:
        known = ", ".join(functions) or "none"
        wanted = "which function is not said" if name is None else f"there is no function '{name}'"
        raise TamaleError(f"interpret: {wanted}; the module has {known}")
    return functions[name]


def takes_tensors(function: func.FuncOp) -> bool:
    """Whether tensors go in or out, not yet arrays."""
    types = (*function.function_type.inputs, *function.function_type.outputs)
    return any(isinstance(type, TensorType) for type in types)


def interpreter_for(
    module: ModuleOp, shape: Shape | None, listeners: Sequence[Interpreter.Listener] = ()
) -> Interpreter:
    """An interpreter that knows every dialect; `shape` is that of the function's result."""
    interpreter = Interpreter(module, listeners=tuple(listeners))
    own: tuple[InterpreterFunctions, ...] = (
        LinalgFunctions(),
        TinFunctions(shape),
        CinFunctions(shape),
        CfirFunctions(shape),
        WalkingFunctions(shape),
        AppendingFunctions(shape),
        PartFunctions(shape),
        WorkspaceFunctions(shape),
        QueryFunctions(shape),
        AssemblyLoopFunctions(shape),
        EntryFunctions(shape),
        AssemblyFunctions(shape),
        SortingFunctions(shape),
    )
    for functions in (*upstream_functions(), *own):
        interpreter.register_implementations(functions)
    return interpreter


def run_function(
    module: ModuleOp,
    operands: Sequence[Tensor],
    result: ResultType,
    *,
    shape: Shape | None = None,
    name: str | None = None,
    listeners: Sequence[Interpreter.Listener] = (),
) -> Outcome:
    """
    Runs a function that computes one tensor.

    Args:
        module: of any stage of the compiler, or of several at once.
        operands: in the order of the function's arguments.
        result: how the result is stored.
        shape: the result's dimension sizes; needed where the function takes arrays, and where no
            operand tells them.
        name: of the function; needed if there are several.
        listeners: told of every op, such as a `WorkCounter`.

    Raises:
        InterpretationFailure: the IR does what it must not do.
        KernelError: the kernel ended with a status that is not ok.
        TamaleError: there is no such function, or the operands do not fit it.
    """
    function = function_named(module, name)
    interpreter = interpreter_for(module, shape, listeners)
    try:
        if takes_tensors(function):
            _check_operands(function, operands)
            values = tuple(StoredTensor(operand) for operand in operands)
            (value,) = interpreter.call_op(function, values)
            return value.tensor if isinstance(value, StoredTensor) else value
        return _run_on_arrays(interpreter, function, operands, result, shape or ())
    except TamaleError as error:
        error.__notes__ = []  # xDSL adds the whole module, once for each op around the failure.
        raise
    except InterpretationError as error:
        message = str(error).removeprefix(_UNKNOWN_OP)
        raise InterpretationFailure(f"interpret: no meaning is known for op {message}") from error


def _check_operands(function: func.FuncOp, operands: Sequence[Tensor]) -> None:
    inputs = function.function_type.inputs
    if len(inputs) != len(operands):
        raise TamaleError(f"interpret: {len(operands)} operands for {len(inputs)} arguments")
    for operand, type in zip(operands, inputs, strict=True):
        wanted = tensor_format(cast("TensorType[Attribute]", type))
        if operand.format.canonical() != wanted.canonical():
            raise TamaleError(f"interpret: an operand is stored as '{operand.format}', not {type}")


def _run_on_arrays(
    interpreter: Interpreter,
    function: func.FuncOp,
    operands: Sequence[Tensor],
    result: ResultType,
    shape: Shape,
) -> Tensor:
    arguments = [value for operand in operands for value in _arguments(operand)]
    count = len(function.function_type.inputs)
    if count > len(arguments):  # A function that only converts gets no sizes of its result.
        arguments += [scalar(size, INDEX) for size in shape]
    written = result.format.all_dense and count > len(arguments)
    values = Memory(
        np.zeros(prod(shape) if written else 0, result.dtype), "the result", written=False
    )
    if written:
        arguments.append(values)
    if len(arguments) != count:
        raise TamaleError(
            f"interpret: {len(arguments)} arguments for {count}; do the formats of the operands "
            "and of the result fit the function?"
        )
    returned: tuple[Memory, ...] = interpreter.call_op(function, tuple(arguments))
    if returned:
        return tensor_from_blocks(result.format, shape, returned)
    stored = values.first(prod(shape))
    return Tensor(result.format, shape, [{} for _ in result.format.levels], stored)


def _arguments(operand: Tensor) -> Iterator[Any]:
    """Sizes, level arrays and values of an operand."""
    yield from (scalar(size, INDEX) for size in operand.shape)
    for level, arrays in zip(operand.format.levels, operand.levels, strict=True):
        for name in storage_kind(level.kind).arrays:
            yield Memory(arrays[name], name, constant=True)
    yield Memory(operand.vals, "vals", constant=True)
