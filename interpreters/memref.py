"""memref: blocks with checked bounds. xDSL's own functions know static sizes only."""

from __future__ import annotations

from math import prod
from typing import Any, cast

import numpy as np
from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.ir import Attribute, SSAValue

from tamale.dialects.memref import PrefetchOp, ReallocOp
from tamale.interpreters.memory import (
    InterpretationFailure,
    Memory,
    dtype_of,
    plain,
    scalar,
)


def _allocated(result: SSAValue, sizes: PythonValues) -> Memory:
    type = cast(MemRefType[Attribute], result.type)
    given = iter(sizes)
    extents = [plain(next(given)) if n == DYNAMIC_INDEX else n for n in type.get_shape()]
    if any(extent < 0 for extent in extents):
        raise InterpretationFailure(f"interpret: a block of {extents} elements is allocated")
    array = np.zeros(prod(extents), dtype_of(type.element_type))
    return Memory(array, result.name_hint or "a block", written=False)


def _place(memory: Memory, type: Attribute, indices: PythonValues) -> int:
    """Where an element of an array of at most one dimension is."""
    if len(indices) > 1:
        raise InterpretationFailure(f"interpret: {type} has more than one dimension")
    return plain(indices[0]) if indices else 0


@register_impls
class MemRefFunctions(InterpreterFunctions):
    """Allocation, access and release of blocks."""

    @impl(memref.AllocOp)
    def run_alloc(self, interpreter: Interpreter, op: memref.AllocOp, args: PythonValues) -> Any:
        return (_allocated(op.memref, args),)

    @impl(memref.AllocaOp)
    def run_alloca(self, interpreter: Interpreter, op: memref.AllocaOp, args: PythonValues) -> Any:
        return (_allocated(op.memref, args),)

    @impl(ReallocOp)
    def run_realloc(self, interpreter: Interpreter, op: ReallocOp, args: PythonValues) -> Any:
        memory: Memory = args[0]
        static = op.result.type.get_shape()[0]
        return (memory.resized(plain(args[1]) if len(args) > 1 else static),)

    @impl(memref.DeallocOp)
    def run_dealloc(
        self, interpreter: Interpreter, op: memref.DeallocOp, args: PythonValues
    ) -> Any:
        args[0].free()
        return ()

    @impl(memref.LoadOp)
    def run_load(self, interpreter: Interpreter, op: memref.LoadOp, args: PythonValues) -> Any:
        memory: Memory = args[0]
        return (scalar(memory.load(_place(memory, op.memref.type, args[1:])), op.res.type),)

    @impl(memref.StoreOp)
    def run_store(self, interpreter: Interpreter, op: memref.StoreOp, args: PythonValues) -> Any:
        memory: Memory = args[1]
        memory.store(_place(memory, op.memref.type, args[2:]), plain(args[0]))
        return ()

    @impl(PrefetchOp)
    def run_prefetch(self, interpreter: Interpreter, op: PrefetchOp, args: PythonValues) -> Any:
        _place(args[0], op.memref.type, args[1:])
        return ()

    @impl(memref.DimOp)
    def run_dim(self, interpreter: Interpreter, op: memref.DimOp, args: PythonValues) -> Any:
        return (scalar(len(args[0].array), op.result.type),)

    @impl(memref.CastOp)
    def run_cast(self, interpreter: Interpreter, op: memref.CastOp, args: PythonValues) -> Any:
        return args
