"""An independent reading of the last form: runs a function on Python numbers and lists."""

import math
import operator
import struct
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue


def integer_bits(type_: Attribute) -> int | None:
    """The width of an integer type."""
    spelling = str(type_)
    if spelling == "index":
        return 64
    return int(spelling[1:]) if spelling.startswith("i") else None


def wrap(value: Any, type_: Attribute) -> Any:
    """`value` as `type_` can hold it; integers are signed, conditions are bools."""
    if (bits := integer_bits(type_)) is not None:
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
    bits = integer_bits(type_)
    assert bits is not None
    return int(value) % (1 << bits)


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
    "arith.andi": lambda a, b: a & b,
    "arith.ori": lambda a, b: a | b,
    "arith.xori": lambda a, b: a ^ b,
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
    "arith.divui": lambda a, b: a // b,
    "arith.remui": operator.mod,
    "arith.ceildivui": lambda a, b: -(-a // b),
    "arith.shrui": lambda a, b: a >> b,
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
CONVERSIONS: dict[str, Callable[[Any, Attribute], Any]] = {
    "arith.extui": _unsigned,
    "arith.uitofp": lambda a, type_: float(_unsigned(a, type_)),
    "arith.sitofp": lambda a, _: float(_signed(a)),
    "arith.negf": lambda a, _: -a,
    "arith.extf": lambda a, _: a,
    "arith.truncf": lambda a, _: a,
    "arith.index_cast": lambda a, _: _signed(a),
    "arith.extsi": lambda a, _: _signed(a),
    "arith.trunci": lambda a, _: _signed(a),
}
RELATIONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
FLOAT_RELATIONS = (operator.eq, operator.gt, operator.ge, operator.lt, operator.le, operator.ne)


def run_function(module: ModuleOp, name: str, arguments: Sequence[Any]) -> list[Any]:
    """
    Runs a function of `module` and returns its results.

    Args:
        module: functions of arith, scf, and memref without heap buffers.
        name: that of the function.
        arguments: numbers, and lists for memrefs, which are changed in place.
    """
    for op in module.ops:
        if isinstance(op, func.FuncOp) and op.sym_name.data == name:
            return _Interpreter().run(op.body.block, arguments)
    raise AssertionError(f"no function {name}")


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
        for table, prepare in ((SIGNED, _signed), (FLOATS, float)):
            if op.name in table:
                return table[op.name](*(prepare(arg) for arg in args))
        if op.name in UNSIGNED:
            return UNSIGNED[op.name](*(_unsigned(arg, types[0]) for arg in args))
        if op.name in CONVERSIONS:
            return CONVERSIONS[op.name](args[0], types[0])
        match op:
            case arith.ConstantOp(value=IntegerAttr() | FloatAttr() as constant):
                return constant.value.data
            case arith.SelectOp():
                return args[1] if args[0] else args[2]
            case arith.CmpiOp(predicate=predicate):
                return self.compare(predicate.value.data, args, types[0])
            case arith.CmpfOp(predicate=predicate):
                return self.compare_floats(predicate.value.data, *args)
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
