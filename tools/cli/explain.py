"""`tamale explain`: why a kernel or a conversion looks as it does, or why it is refused."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace

from tamale.dialects.errors import FormatError
from tamale.frontend.converting import Conversion
from tamale.frontend.kernel import Kernel
from tamale.frontend.request import Request
from tamale.frontend.shares import sharing_of
from tamale.tools.cli.operands import add_inputs, make_operands
from tamale.tools.cli.output import add_output, write_text
from tamale.tools.cli.pair import conversion_of
from tamale.tools.cli.sizes import add_estimates, sized_request_of
from tamale.tools.cli.statement import (
    add_statement_or_pair,
    asks_for_conversion,
    statement_formats,
)


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of `tamale explain`."""
    add_statement_or_pair(parser)
    add_estimates(parser)
    add_inputs(parser)
    add_output(parser)


def run(arguments: Namespace) -> int:
    """Prints the explanation; a refusal is an answer too, so that the exit code stays 0."""
    if asks_for_conversion(arguments):
        if arguments.input:
            arguments.refuse("-i is about the tensors of a statement")
        text = explained(conversion_of(arguments))
    else:
        request = sized_request_of(arguments)
        text = Kernel(request).explain()
        if arguments.input:
            text = "\n".join([text, *shares_text(arguments, request)])
    write_text(text + "\n", arguments.output)
    return 0


def shares_text(arguments: Namespace, request: Request) -> list[str]:
    """What each worker gets on the tensors that the arguments name: lines of text."""
    operands = make_operands(arguments, request, statement_formats(arguments))
    formats = {name: found.format for name, found in operands.tensors.items()}
    dtypes = {name: found.dtype.name for name, found in operands.tensors.items()}
    stored = replace(request, formats={**request.formats, **formats}, dtypes=dtypes)
    sharing = sharing_of(stored)
    if sharing is None:
        return ["work", "  one worker does all"]
    sizes = operands.sizes
    shape = [sizes[v] for v in request.result.indices if v in sizes]
    whole = shape if len(shape) == len(request.result.indices) else None
    shares = sharing.shares(operands.tensors, whole)
    return ["work", *(f"  {line}" for line in shares.lines())]


def explained(conversion: Conversion) -> str:
    """The steps of a conversion, or why there is none."""
    try:
        return conversion.explain()
    except FormatError as error:
        return f"refused\n  {error}"
