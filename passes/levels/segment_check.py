"""
The check of a compressed level as code, for arrays so large that passes over them count.

One walk of `pos` and `crd` sees all that the checks on NumPy arrays see in several. It only says
whether the level keeps its promises: what breaks them, and where, is found by those checks.
"""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, FunctionType, MemRefType, ModuleOp, i32, i64
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter

NAME = "segments_hold"
HINTS = ("parents", "length", "low", "high", "step", "pos", "crd")
FAILURE = "bad argument"


def build_segment_check(pos: str, crd: str) -> ModuleOp:
    """
    `segments_hold(parents, length, low, high, step, pos, crd)`, for index widths such as `"i32"`.

    It ends with status 4 unless `pos` starts at 0, never falls and ends at `length`, and below each
    of the `parents` parent positions coordinates lie in [low, high) and rise by `step` or more.
    """
    widths = {"i32": i32, "i64": i64}
    arrays = [MemRefType(widths[width], [DYNAMIC_INDEX]) for width in (pos, crd)]
    types = [*[INDEX] * 5, *arrays]
    block = Block(arg_types=types)
    for argument, hint in zip(block.args, HINTS, strict=True):
        argument.name_hint = hint
    _walk(Emitter(InsertPoint.at_end(block), block), block.args)
    block.add_op(func.ReturnOp())
    return ModuleOp([func.FuncOp(NAME, FunctionType.from_lists(types, []), Region(block))])


def _walk(emit: Emitter, arguments: tuple[SSAValue, ...]) -> None:
    parents, length, low, high, step, pos, crd = arguments
    zero, one = emit.constant(0), emit.constant(1)
    before_low = emit.sub(low, step)

    def read(array: SSAValue, position: SSAValue) -> SSAValue:
        return emit.as_index(emit.load(array, position))

    emit.check(emit.compare("eq", read(pos, zero), zero), FAILURE)
    with emit.loop(zero, parents, "p") as p:
        begin, end = read(pos, p), read(pos, emit.add(p, one))
        emit.check(emit.compare("sle", begin, end), FAILURE)
        emit.check(emit.compare("sle", end, length), FAILURE)
        last = emit.variable(INDEX, "last", before_low)
        with emit.loop(begin, end, "q") as q:
            coordinate = read(crd, q)
            least = emit.add(emit.load(last), step)
            emit.check(emit.compare("sge", coordinate, least), FAILURE)
            emit.check(emit.compare("slt", coordinate, high), FAILURE)
            emit.store(coordinate, last)
    emit.check(emit.compare("eq", read(pos, parents), length), FAILURE)
