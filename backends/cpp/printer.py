"""
C++ of a whole module: `print_cpp`.

The text is what a person would have written: names from the IR's name hints, values printed where
they are used, plain loops. It needs a compiler with GNU extensions (g++ or clang++) and the flags
in `flags`; a function returns one of the codes in `status`.
"""

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from tamale.backends.cpp.functions import FunctionPrinter
from tamale.backends.cpp.prelude import Prelude


def print_cpp(module: ModuleOp) -> str:
    """
    The C++ text of `module`.

    Args:
        module: functions in the last form: ops of func, scf, arith, math, complex, `cf.assert`, and
            memref on one-dimensional arrays and on local variables of rank zero.

    Returns:
        A translation unit with one `extern "C"` function per `func.func`, and one called
        `NAME_free` per function that returns buffers. Parameters are the arguments in order, then
        a pointer for each result. Equal modules give equal text.

    Raises:
        DiagnosticException: something in `module` has no C++ form.
    """
    sections, functions = print_parts(module)
    return "\n\n".join([*sections, *functions]) + "\n"


def print_parts(
    module: ModuleOp, *, linkage: str = 'extern "C"'
) -> tuple[Sequence[str], Sequence[str]]:
    """
    The C++ text in two: what stands above the functions, includes first; and the functions.

    Args:
        module: as of `print_cpp`.
        linkage: what each function begins with.

    Raises:
        DiagnosticException: something in `module` has no C++ form.
    """
    prelude = Prelude()
    functions: list[str] = []
    for op in module.ops:
        if not isinstance(op, func.FuncOp):
            raise DiagnosticException(
                f"cpp: '{op.name}' at the top of a module; only functions have a C++ form."
            )
        functions += FunctionPrinter(op, prelude, linkage).print()
    return prelude.sections(), functions
