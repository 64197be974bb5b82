"""The functions of upstream dialects: of xDSL where it has all ops of ours, else our own."""

from __future__ import annotations

from xdsl.interpreter import InterpreterFunctions
from xdsl.interpreters.builtin import BuiltinFunctions
from xdsl.interpreters.func import FuncFunctions
from xdsl.interpreters.scf import ScfFunctions

from tamale.interpreters.arith import MoreArithFunctions
from tamale.interpreters.cf import MoreCfFunctions
from tamale.interpreters.complex import ComplexFunctions
from tamale.interpreters.math import MathFunctions
from tamale.interpreters.memref import MemRefFunctions
from tamale.interpreters.parallel import ParallelFunctions


def upstream_functions() -> tuple[InterpreterFunctions, ...]:
    """What the last form needs."""
    return (
        BuiltinFunctions(),
        FuncFunctions(),
        ScfFunctions(),
        ParallelFunctions(),
        MoreArithFunctions(),
        MathFunctions(),
        ComplexFunctions(),
        MoreCfFunctions(),
        MemRefFunctions(),
    )
