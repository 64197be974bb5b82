"""Level expressions as code, run and compared with what they mean; and counters."""

import ctypes
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import FunctionType, MemRefType, ModuleOp, i32
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from tamale.backends.cpp.flags import REQUIRED_FLAGS
from tamale.backends.cpp.printer import print_cpp
from tamale.backends.jit.compiler import find_compiler
from tamale.dialects.format.expression_parser import parse_expression
from tamale.dialects.format.expressions import Counter, evaluate
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.coordinates import CounterState, Extent, emit_level_expression

Body: TypeAlias = Callable[[Emitter, Sequence[SSAValue], SSAValue], None]

EXPRESSIONS = (
    "i",
    "-3 + i",
    "i - j",
    "i / 4",
    "i % 4",
    "i / 3",
    "i % 3",
    "(i - j) / 3",
    "(i - j) % 3",
    "(i - j) / 4",
    "(i - j) % 8",
    "(i - j) / (j + 1)",
    "(i - j) % (j + 1)",
    "(i - j) % (0 - 3)",
    "(i - 1) / 3 + 1",
    "(i - j - 1) / 4 + 2",
    "i * 5 + j",
    "i & 3 | (j & 3) << 2",
    "(i ^ j) >> 1",
    "(i - j) >> 1",
    "i - (i - j & (i - j >> 63))",
    "r = i / 2 in s = r + j in r * s - s % 3",
    "dim_i - 1 - i",
)
VALUES = (-9, -4, -3, -1, 0, 1, 2, 3, 4, 5, 7, 8, 12)


def built(
    body: Callable[[Emitter, Sequence[SSAValue], SSAValue], None], arguments: int
) -> ModuleOp:
    """A module with `f`, which has this many numbers and a place for results as arguments."""
    types = [*[INDEX] * arguments, MemRefType(INDEX, [-1])]
    block = Block(arg_types=types)
    emit = Emitter(InsertPoint.at_end(block), block)
    body(emit, block.args[:-1], block.args[-1])
    block.add_op(func.ReturnOp())
    function = func.FuncOp("f", FunctionType.from_lists(types, []), Region(block))
    module = ModuleOp([function])
    module.verify()
    return module


def run(module: ModuleOp, folder: Path, count: int) -> Callable[..., list[int]]:
    """`f`, compiled without warnings; it gives this many results."""
    library = folder / "f.so"
    strict = ("-Wall", "-Wextra", "-Werror")
    flags = ("-O1", "-shared", "-fPIC", *strict, *REQUIRED_FLAGS)
    find_compiler().compile(print_cpp(module), library, flags)
    function = ctypes.CDLL(str(library)).f

    def call(*values: int) -> list[int]:
        out = (ctypes.c_int64 * count)()
        assert function(*map(ctypes.c_int64, values), out) == 0
        return list(out)

    return call


def evaluating(*, nonnegative: Sequence[str]) -> ModuleOp:
    def body(emit: Emitter, arguments: Sequence[SSAValue], out: SSAValue) -> None:
        values = dict[str, SSAValue](zip(("i", "j", "dim_i"), arguments, strict=True))
        for place, text in enumerate(EXPRESSIONS):
            value = emit_level_expression(
                emit, parse_expression(text), values, nonnegative=nonnegative
            )
            emit.store(value, out, emit.constant(place))

    return built(body, 3)


@pytest.mark.parametrize("known", [(), ("i", "j")])
def test_values(tmp_path: Path, known: Sequence[str]):
    call = run(evaluating(nonnegative=known), tmp_path, len(EXPRESSIONS))
    parsed = [parse_expression(text) for text in EXPRESSIONS]
    for i in [v for v in VALUES if not known or v >= 0]:
        for j in [v for v in VALUES if v >= 0]:
            values = {"i": i, "j": j, "dim_i": 13}
            assert call(i, j, 13) == [evaluate(e, values) for e in parsed], values


def ops(text: str, *, nonnegative: Sequence[str] = ()) -> list[type[Operation]]:
    """What is emitted for an expression, constants left out."""

    def body(emit: Emitter, arguments: Sequence[SSAValue], out: SSAValue) -> None:
        values = dict[str, SSAValue](zip(("i", "j"), arguments, strict=True))
        emit_level_expression(emit, parse_expression(text), values, nonnegative=nonnegative)

    found = [type(op) for op in built(body, 2).walk()]
    return [op for op in found if op.name.startswith("arith") and op is not arith.ConstantOp]


def test_powers_of_two_take_no_division():
    assert ops("(i - j) / 8") == [arith.SubiOp, arith.ShRSIOp]
    assert ops("(i - j) % 8") == [arith.SubiOp, arith.AndIOp]
    assert ops("i / 1") == []


def test_rounding_is_paid_for_only_where_it_shows():
    assert ops("i / 3") == [arith.FloorDivSIOp]
    assert ops("i / 3", nonnegative=["i"]) == [arith.DivSIOp]
    assert ops("(i + j) % 3", nonnegative=["i", "j"]) == [arith.AddiOp, arith.RemSIOp]
    assert ops("(i - j) / 3", nonnegative=["i", "j"]) == [arith.SubiOp, arith.FloorDivSIOp]
    assert ops("(i - 1) / 3 + 1", nonnegative=["i"]) == [arith.AddiOp, arith.DivSIOp]


def test_equal_terms_are_computed_once():
    assert ops("(i + j) * (i + j)") == [arith.AddiOp, arith.MuliOp]
    assert ops("r = i + j in r * r + (i + j)") == [arith.AddiOp, arith.MuliOp, arith.AddiOp]


def test_counters_stand_for_given_values():
    def body(emit: Emitter, arguments: Sequence[SSAValue], out: SSAValue) -> None:
        counters = {Counter(("i",)): arguments[0]}
        value = emit_level_expression(emit, parse_expression("#i / 3"), {}, counters=counters)
        assert isinstance(value.owner, arith.DivSIOp)

    built(body, 1)


def test_counter_per_coordinate(tmp_path: Path):
    """Coordinates from -1 to 2 by 0 and 1; each is reached `n` times, then counts are freed."""

    def body(emit: Emitter, arguments: Sequence[SSAValue], out: SSAValue) -> None:
        (n,) = arguments
        minus, two, four = emit.constant(-1), emit.constant(2), emit.constant(4)
        state = CounterState.array(emit, [Extent(minus, four), Extent(None, two)], "counts", i32)
        with (
            emit.loop(emit.constant(0), n, "r") as _,
            emit.loop(minus, emit.constant(3), "i") as i,
            emit.loop(emit.constant(0), two, "j") as j,
        ):
            place = emit.add(emit.mul(emit.add(i, emit.constant(1)), two), j)
            emit.store(state.next(emit, [i, j]), out, place)
        state.release(emit)

    module = built(body, 1)
    assert any(isinstance(op, memref.DeallocOp) for op in module.walk())
    assert run(module, tmp_path, 8)(3) == [2] * 8


def test_counter_starts_where_it_is_made(tmp_path: Path):
    def body(emit: Emitter, arguments: Sequence[SSAValue], out: SSAValue) -> None:
        zero, (n,) = emit.constant(0), arguments
        with emit.loop(zero, emit.constant(3), "i") as i:
            state = CounterState.scalar(emit, "count")
            with emit.loop(zero, emit.add(n, i), "j"):
                emit.store(state.next(emit), out, i)

    assert run(built(body, 1), tmp_path, 3)(2) == [1, 2, 3]
