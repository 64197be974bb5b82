"""Parallel loops, for which xDSL has no functions: one iteration after the other."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import scf
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

from tamale.interpreters.memory import InterpretationFailure, plain, scalar


@register_impls
class ParallelFunctions(InterpreterFunctions):
    """
    Loops whose iterations may run in any order, without reductions.

    The last iteration comes first, so that a loop that needs the written order gives something
    else.
    """

    @impl(scf.ParallelOp)
    def run_parallel(
        self, interpreter: Interpreter, op: scf.ParallelOp, args: PythonValues
    ) -> Any:
        if len(op.body.block.args) != 1 or op.initVals:
            raise InterpretationFailure(
                "interpret: a parallel loop has to have one variable and no reduction"
            )
        low, high, step = map(plain, args)
        for i in reversed(range(low, high, step)):
            interpreter.run_ssacfg_region(op.body, (scalar(i, op.lowerBound[0].type),), "parallel")
        return ()

    @impl_terminator(scf.ReduceOp)
    def run_reduce(
        self, interpreter: Interpreter, op: scf.ReduceOp, args: PythonValues
    ) -> tuple[TerminatorValue, PythonValues]:
        return ReturnedValues(()), ()
