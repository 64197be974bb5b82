"""The xDSL target `cpp`, for `tamale-opt -t cpp`."""

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from tamale.backends.cpp.printer import print_cpp


@dataclass(frozen=True)
class CppTarget(Target):
    """Prints a module of the last form as C++."""

    name = "cpp"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(print_cpp(module))
