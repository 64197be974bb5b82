"""`tamale explain`: why the kernel of a statement looks as it does, or why it is refused."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from tamale.frontend.kernel import Kernel
from tamale.tools.cli.output import add_output, write_text
from tamale.tools.cli.statement import add_statement, request_of


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of `tamale explain`."""
    add_statement(parser)
    add_output(parser)


def run(arguments: Namespace) -> int:
    """Prints the explanation; a refusal is an answer too, so that the exit code stays 0."""
    write_text(Kernel(request_of(arguments)).explain() + "\n", arguments.output)
    return 0
