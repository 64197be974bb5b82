"""The target `outline`: the loops, branches and probes of a module, one a line."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.target import Target

from tamale_example.probe import VisitOp


@dataclass(frozen=True)
class OutlineTarget(Target):
    """Prints what encloses what."""

    name = "outline"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        for line in lines_of(module, ""):
            print(line, file=output)


def lines_of(op: Operation, margin: str) -> Iterator[str]:
    """An op, if an outline shows it, and below it what is inside."""
    text = shown(op)
    if text is not None:
        yield f"{margin}{text}"
        margin += "  "
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                yield from lines_of(inner, margin)


def shown(op: Operation) -> str | None:
    """An op in words; None if an outline does not show it."""
    match op:
        case func.FuncOp():
            return f"function {op.sym_name.data}"
        case scf.ForOp():
            return f"for {op.body.block.args[0].name_hint or '_'}"
        case scf.WhileOp():
            return "while"
        case scf.IfOp():
            return "if"
        case VisitOp():
            return f"probe '{op.place.data}'"
        case _:
            return None
