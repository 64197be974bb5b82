"""`tamale explain`: why a kernel or a conversion looks as it does, or why it is refused."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from tamale.dialects.errors import FormatError
from tamale.frontend.converting import Conversion
from tamale.frontend.kernel import Kernel
from tamale.tools.cli.output import add_output, write_text
from tamale.tools.cli.pair import conversion_of
from tamale.tools.cli.sizes import add_estimates, sized_request_of
from tamale.tools.cli.statement import add_statement_or_pair, asks_for_conversion


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of `tamale explain`."""
    add_statement_or_pair(parser)
    add_estimates(parser)
    add_output(parser)


def run(arguments: Namespace) -> int:
    """Prints the explanation; a refusal is an answer too, so that the exit code stays 0."""
    if asks_for_conversion(arguments):
        text = explained(conversion_of(arguments))
    else:
        text = Kernel(sized_request_of(arguments)).explain()
    write_text(text + "\n", arguments.output)
    return 0


def explained(conversion: Conversion) -> str:
    """The steps of a conversion, or why there is none."""
    try:
        return conversion.explain()
    except FormatError as error:
        return f"refused\n  {error}"
