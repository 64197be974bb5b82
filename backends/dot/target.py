"""The xDSL target `dot`, for `tamale-opt -t dot`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException
from xdsl.utils.target import Target

from tamale.backends.dot.index_graphs import index_graph_text
from tamale.backends.dot.lattices import cfir_lattices, cin_lattices
from tamale.dialects import cfir, cin, tin


def print_dot(module: ModuleOp) -> str:
    """
    The pictures of all kernels in a module: index graphs of tin, lattices of cin and cfir.

    Raises:
        DiagnosticException: the module has none of these kernels.
    """
    pictures = [picture for op in module.walk() for picture in _pictures(op)]
    if not pictures:
        raise DiagnosticException(
            "dot: there is nothing to draw: no tin.kernel, and no loop in a cin.kernel or "
            "cfir.kernel\n"
            "  help: print the module after concretize, iterate-locate or build-lattices"
        )
    return "\n".join(pictures)


def _pictures(op: object) -> Iterator[str]:
    match op:
        case tin.KernelOp():
            yield index_graph_text(op)
        case cin.KernelOp():
            yield from cin_lattices(op)
        case cfir.KernelOp():
            yield from cfir_lattices(op)
        case _:
            pass


@dataclass(frozen=True)
class DotTarget(Target):
    """Draws a module's index graphs and iteration lattices."""

    name = "dot"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(print_dot(module))
