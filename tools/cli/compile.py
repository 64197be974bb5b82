"""`tamale compile`: a statement or a conversion as any stage of the compiler, or as C++."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from tamale.backends.dot.target import print_dot
from tamale.dialects.errors import TamaleError
from tamale.frontend.converting import Conversion
from tamale.frontend.exporting import header_only, write_library
from tamale.frontend.stages import Stages
from tamale.passes.pipelines import CONVERSION_STAGES, STAGES
from tamale.tools.cli.output import add_output, write_text
from tamale.tools.cli.pair import conversion_of
from tamale.tools.cli.sizes import add_estimates, sized_request_of
from tamale.tools.cli.statement import add_statement_or_pair, asks_for_conversion
from tamale.tools.cli.timing import add_timing, stopwatch

STATEMENT_FORMS = (*STAGES, "cpp", "dot", "header", "so")
CONVERSION_FORMS = (*CONVERSION_STAGES, "cpp")
FORMS = tuple(dict.fromkeys((*STATEMENT_FORMS, *CONVERSION_FORMS)))


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of `tamale compile`."""
    add_statement_or_pair(parser)
    add_estimates(parser)
    parser.add_argument(
        "--emit",
        choices=FORMS,
        default="cpp",
        help="a stage that tamale-opt reads, C++ (default), or the index graph and lattices of a "
        "statement as DOT; header: a C++ header with the kernel and an example; so: a shared "
        "library, and its C header beside it",
    )
    add_output(parser)
    add_timing(parser)


def run(arguments: Namespace) -> int:
    """Prints one form of the kernel."""
    with stopwatch(arguments) as watch:
        print_form(arguments)
        watch.lap("rest of compiling")
    return 0


def print_form(arguments: Namespace) -> None:
    """As `run`."""
    form = arguments.emit
    if asks_for_conversion(arguments):
        check_form("conversion", form, CONVERSION_FORMS)
        text = emitted_conversion(conversion_of(arguments), form)
    else:
        check_form("statement", form, STATEMENT_FORMS)
        if form == "so":
            emit_library(arguments)
            return
        text = emitted(Stages(sized_request_of(arguments)), form)
    write_text(text.rstrip("\n") + "\n", arguments.output)


def emit_library(arguments: Namespace) -> None:
    """
    Writes a shared library and its header.

    Raises:
        TamaleError: no file is named, or it cannot be written.
    """
    if arguments.output is None:
        raise TamaleError("compile: --emit so writes two files\n  help: name the library, -o k.so")
    header = write_library(sized_request_of(arguments), Path(arguments.output))
    print(f"{arguments.output}, {header}")


def check_form(what: str, form: str, known: Sequence[str]) -> None:
    """
    Raises:
        TamaleError: what is compiled has no such form.
    """
    if form not in known:
        raise TamaleError(f"compile: a {what} has no form '{form}'; it has {', '.join(known)}")


def emitted_conversion(conversion: Conversion, form: str) -> str:
    """The conversion in one of CONVERSION_FORMS."""
    return conversion.cpp if form == "cpp" else conversion.stages.text(form)


def emitted(stages: Stages, form: str) -> str:
    """The kernel in one of STATEMENT_FORMS."""
    if form == "cpp":
        return stages.cpp
    if form == "header":
        return header_only(stages.request)
    if form == "dot":
        pictures = [print_dot(stages.module("tin"))]
        loops = stages.module("ocin")
        if any(op.name == "cin.forall" for op in loops.walk()):
            pictures.append(print_dot(loops))
        return "\n".join(pictures)
    return stages.text(form)
