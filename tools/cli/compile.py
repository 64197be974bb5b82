"""`tamale compile`: a statement as any stage of the compiler, as C++ or as pictures."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from tamale.backends.dot.target import print_dot
from tamale.frontend.stages import Stages
from tamale.passes.pipelines import STAGES
from tamale.tools.cli.output import add_output, write_text
from tamale.tools.cli.statement import add_statement, request_of

FORMS = (*STAGES, "cpp", "dot")


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of `tamale compile`."""
    add_statement(parser)
    parser.add_argument(
        "--emit",
        choices=FORMS,
        default="cpp",
        help="a stage that tamale-opt reads, C++ (default), or the index graph and lattices as DOT",
    )
    add_output(parser)


def run(arguments: Namespace) -> int:
    """Prints one form of the kernel."""
    text = emitted(Stages(request_of(arguments)), arguments.emit)
    write_text(text.rstrip("\n") + "\n", arguments.output)
    return 0


def emitted(stages: Stages, form: str) -> str:
    """The kernel in one of FORMS."""
    if form == "cpp":
        return stages.cpp
    if form == "dot":
        pictures = [print_dot(stages.module("tin"))]
        loops = stages.module("ocin")
        if any(op.name == "cin.forall" for op in loops.walk()):
            pictures.append(print_dot(loops))
        return "\n".join(pictures)
    return stages.text(form)
