"""Parsing, compiling and running, and an independent reading of the last form."""

import math
import operator
import shutil
import struct
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import (
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.parser import Parser

from tamale.backends.cpp.flags import REQUIRED_FLAGS
from tamale.dialects import tamale_context

COMPILER = shutil.which("g++") or shutil.which("clang++") or "c++"
STRICT = ("-Wall", "-Wextra", "-Werror")
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")

Parse = Callable[[str], ModuleOp]
Run = Callable[..., str]
Oracle = Callable[[ModuleOp, str, Sequence[Any]], list[Any]]


@pytest.fixture(scope="session")
def parse() -> Parse:
    """Parses and verifies a module."""

    def parse_module(text: str) -> ModuleOp:
        module = Parser(tamale_context(), text).parse_module()
        module.verify()
        return module

    return parse_module


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Compiles C++ without warnings and with sanitizers; runs it and returns what it prints."""

    def compile_and_run(text: str, *flags: str, optimize: str = "-O1") -> str:
        source, program = tmp_path / "test.cpp", tmp_path / "test"
        source.write_text(text, encoding="utf-8")
        command = [COMPILER, *REQUIRED_FLAGS, optimize, *STRICT, *SANITIZERS, *flags]
        result = subprocess.run(
            [*command, str(source), "-o", str(program)], capture_output=True, text=True
        )
        assert result.returncode == 0, result.stderr
        result = subprocess.run([str(program)], capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        return result.stdout

    return compile_and_run


@pytest.fixture(scope="session")
def oracle() -> Oracle:
    """Runs a function of a module on numbers and lists (changed in place); returns its results."""

    def run_function(module: ModuleOp, name: str, arguments: Sequence[Any]) -> list[Any]:
        for op in module.ops:
            if isinstance(op, func.FuncOp) and op.sym_name.data == name:
                return _Interpreter().run(op.body.block, arguments)
        raise AssertionError(f"no function {name}")

    return run_function


def wrap(value: Any, type_: Attribute) -> Any:
    """`value` as `type_` can hold it; integers are signed, conditions are bools."""
    if isinstance(type_, IntegerType | IndexType):
        bits = 64 if isinstance(type_, IndexType) else type_.width.data
        if bits == 1:
            return bool(value & 1)
        half = 1 << (bits - 1)
        return (value + half) % (2 * half) - half
    if str(type_) == "f32" and not math.isinf(value):
        try:
            return struct.unpack("f", struct.pack("f", value))[0]
        except OverflowError:
            return math.copysign(math.inf, value)
    return value


def _signed(value: Any) -> int:
    """An operand as a signed number; a condition that holds is -1."""
    return -value if isinstance(value, bool) else value


def _unsigned(value: Any, type_: Attribute) -> int:
    bits = 64 if isinstance(type_, IndexType) else type_.width.data  # pyright: ignore
    return int(value) % (1 << bits)  # pyright: ignore


def _divide(lhs: int, rhs: int) -> int:
    quotient = abs(lhs) // abs(rhs)
    return quotient if (lhs < 0) == (rhs < 0) else -quotient


def _divide_floats(lhs: float, rhs: float) -> float:
    if rhs != 0.0:
        return lhs / rhs
    if lhs == 0.0 or math.isnan(lhs):
        return math.nan
    return math.copysign(math.inf, lhs) * math.copysign(1.0, rhs)


def _extremum(lhs: float, rhs: float, *, larger: bool) -> float:
    if math.isnan(lhs) or math.isnan(rhs):
        return math.nan
    if lhs == rhs == 0.0:
        return math.copysign(0.0, (max if larger else min)(math.copysign(1, v) for v in (lhs, rhs)))
    return (max if larger else min)(lhs, rhs)


SIGNED: dict[str, Callable[[Any, Any], Any]] = {
    "arith.addi": operator.add,
    "arith.subi": operator.sub,
    "arith.muli": operator.mul,
    "arith.andi": operator.and_,
    "arith.ori": operator.or_,
    "arith.xori": operator.xor,
    "arith.divsi": _divide,
    "arith.remsi": lambda a, b: a - _divide(a, b) * b,
    "arith.floordivsi": lambda a, b: a // b,
    "arith.ceildivsi": lambda a, b: -(-a // b),
    "arith.shli": lambda a, b: a << b,
    "arith.shrsi": lambda a, b: a >> b,
    "arith.minsi": min,
    "arith.maxsi": max,
}
UNSIGNED: dict[str, Callable[[int, int], int]] = {
    "arith.divui": operator.floordiv,
    "arith.remui": operator.mod,
    "arith.ceildivui": lambda a, b: -(-a // b),
    "arith.shrui": operator.rshift,
    "arith.minui": min,
    "arith.maxui": max,
}
FLOATS: dict[str, Callable[[float, float], float]] = {
    "arith.addf": operator.add,
    "arith.subf": operator.sub,
    "arith.mulf": operator.mul,
    "arith.divf": _divide_floats,
    "arith.minimumf": lambda a, b: _extremum(a, b, larger=False),
    "arith.maximumf": lambda a, b: _extremum(a, b, larger=True),
    # Of two zeros, MLIR allows either; of a number and NaN, it asks for the number.
    "arith.minnumf": lambda a, b: a if a < b or math.isnan(b) else b,
    "arith.maxnumf": lambda a, b: a if a > b or math.isnan(b) else b,
}
RELATIONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
FLOAT_RELATIONS = (operator.eq, operator.gt, operator.ge, operator.lt, operator.le, operator.ne)


class _Interpreter:
    """Runs blocks op by op, as the documentation of upstream MLIR words it."""

    def __init__(self) -> None:
        self.values: dict[SSAValue, Any] = {}

    def run(self, block: Block, arguments: Sequence[Any]) -> list[Any]:
        self.values.update(zip(block.args, arguments, strict=True))
        for op in block.ops:
            if op is block.last_op:
                return [self.values[operand] for operand in op.operands]
            results = self.results(op, [self.values[operand] for operand in op.operands])
            self.values.update(zip(op.results, results, strict=True))
        raise AssertionError("a block without a terminator")

    def results(self, op: Operation, args: list[Any]) -> list[Any]:
        match op:
            case scf.IfOp():
                region = op.true_region if args[0] else op.false_region
                return self.run(region.block, []) if region.blocks else []
            case scf.ForOp():
                carried = args[3:]
                for i in range(args[0], args[1], args[2]):
                    carried = self.run(op.body.block, [i, *carried])
                return carried
            case scf.WhileOp():
                condition, *carried = self.run(op.before_region.block, args)
                while condition:
                    carried = self.run(op.after_region.block, carried)
                    condition, *carried = self.run(op.before_region.block, carried)
                return carried
            case memref.AllocaOp():
                return [[None]]
            case memref.LoadOp():
                return [args[0][args[1] if op.indices else 0]]
            case memref.StoreOp():
                args[1][args[2] if op.indices else 0] = args[0]
                return []
            case _:
                return [wrap(self.value(op, args), op.results[0].type)]

    def value(self, op: Operation, args: list[Any]) -> Any:
        types = op.operand_types
        match op:
            case arith.ConstantOp(value=IntegerAttr() | FloatAttr() as constant):
                return constant.value.data
            case arith.SelectOp():
                return args[1] if args[0] else args[2]
            case arith.CmpiOp(predicate=predicate):
                return self.compare(predicate.value.data, args, types[0])
            case arith.CmpfOp(predicate=predicate):
                return self.compare_floats(predicate.value.data, *args)
            case _ if op.name in SIGNED:
                return SIGNED[op.name](*(_signed(arg) for arg in args))
            case _ if op.name in UNSIGNED:
                return UNSIGNED[op.name](*(_unsigned(arg, types[0]) for arg in args))
            case _ if op.name in FLOATS:
                return FLOATS[op.name](*args)
            case arith.ExtUIOp():
                return _unsigned(args[0], types[0])
            case arith.UIToFPOp():
                return float(_unsigned(args[0], types[0]))
            case arith.SIToFPOp():
                return float(_signed(args[0]))
            case arith.NegfOp():
                return -args[0]
            case arith.ExtFOp() | arith.TruncFOp():
                return args[0]
            case arith.IndexCastOp() | arith.ExtSIOp() | arith.TruncIOp():
                return _signed(args[0])
            case _:
                raise AssertionError(f"oracle: {op.name}")

    @staticmethod
    def compare(predicate: int, args: list[Any], type_: Attribute) -> bool:
        if predicate < 6:
            return RELATIONS[predicate](*(_signed(arg) for arg in args))
        return RELATIONS[predicate - 4](*(_unsigned(arg, type_) for arg in args))

    @staticmethod
    def compare_floats(predicate: int, lhs: float, rhs: float) -> bool:
        is_unordered = math.isnan(lhs) or math.isnan(rhs)
        match predicate:
            case 0 | 15:
                return predicate == 15
            case 7 | 14:
                return is_unordered == (predicate == 14)
            case _ if predicate < 7:
                return not is_unordered and FLOAT_RELATIONS[predicate - 1](lhs, rhs)
            case _:
                return is_unordered or FLOAT_RELATIONS[predicate - 8](lhs, rhs)


