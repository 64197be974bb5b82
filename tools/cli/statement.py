"""What the subcommands on statements share: the expression, formats and element type."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping
from typing import get_args

from tamale.dialects.errors import FormatError
from tamale.dialects.notation.parser import parse_notation
from tamale.frontend.notation.formats import parse_format_flag
from tamale.frontend.request import Assembly, Request, make_request
from tamale.frontend.schedule import Schedule
from tamale.tools.cli.pair import add_pair


def add_statement(parser: ArgumentParser, *, optional: bool = False) -> None:
    """The arguments of every subcommand that takes a statement; `optional`, if it may not."""
    parser.add_argument(
        "expression",
        metavar="EXPR",
        nargs="?" if optional else None,
        help="such as 'y(i) = A(i,j) * x(j)'",
    )
    parser.add_argument(
        "-f",
        "--format",
        action="append",
        default=[],
        metavar="T=FORMAT",
        help="how tensor T is stored: a name (A=csr), a format line, or taco's A:ds:0,1; dense "
        "by default; may be repeated",
    )
    parser.add_argument("--dtype", help="element type of operands and result (float64)")
    parser.add_argument("--name", default="kernel", help="name of the function (kernel)")
    parser.add_argument(
        "--no-conversions",
        dest="conversions",
        action="store_false",
        help="refuse what needs a tensor to be converted inside of the kernel",
    )
    parser.add_argument(
        "--order",
        action="append",
        default=[],
        metavar="[T:]I,J,..",
        help="the loops to run, outermost first, instead of those that `explain` gives reasons "
        "for; T: those of a tensor that --precompute names; may be repeated",
    )
    parser.add_argument(
        "--precompute",
        action="append",
        default=[],
        metavar="PART",
        help="a part to compute first, with the tensor that keeps it, such as "
        "'T(i,l) = A(i,k) * B(k,l)'; -f says how it is stored; may be repeated",
    )
    parser.add_argument(
        "--assembly",
        choices=get_args(Assembly),
        help="how sparse results get their entries: appended to arrays that may grow, or counted "
        "first and filled into exact room; by default as `explain` gives reasons for",
    )
    parser.add_argument(
        "--threads",
        type=positive,
        default=1,
        metavar="N",
        help="how many workers share the loops, where they can (1)",
    )


def positive(text: str) -> int:
    """A count on the command line."""
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise ArgumentTypeError(f"'{text}' is no positive number")
    return int(text)


def add_statement_or_pair(parser: ArgumentParser) -> None:
    """The arguments of subcommands on a statement, or on a conversion by `--convert`."""
    add_statement(parser, optional=True)
    add_pair(parser)
    parser.set_defaults(refuse=parser.error)


def asks_for_conversion(arguments: Namespace) -> bool:
    """Whether `--convert` is given; ends with a usage error unless it, or a statement, is."""
    if (arguments.convert is None) == (arguments.expression is None):
        arguments.refuse("expected either a statement or --convert FROM:TO")
    if arguments.convert is not None and arguments.format:
        arguments.refuse("-f is about the tensors of a statement; --convert names its formats")
    return arguments.convert is not None


def statement_formats(arguments: Namespace) -> dict[str, str]:
    """
    Tensor -> format text, of the tensors of the statement.

    Raises:
        TamaleError: a flag cannot be read, or two are about one tensor.
    """
    temporaries = {parse_notation(part).result.tensor for part in arguments.precompute}
    formats = formats_of(arguments)
    return {tensor: text for tensor, text in formats.items() if tensor not in temporaries}


def formats_of(arguments: Namespace) -> dict[str, str]:
    """
    Tensor -> format text, of every tensor that a flag names.

    Raises:
        FormatError: a flag cannot be read, or two are about one tensor.
    """
    formats: dict[str, str] = {}
    for flag in arguments.format:
        tensor, text = parse_format_flag(flag)
        if formats.setdefault(tensor, text) != text:
            raise FormatError(
                f"format flag: {tensor} is given two formats, '{formats[tensor]}' and '{text}'"
            )
    return formats


def request_of(arguments: Namespace) -> Request:
    """
    What the arguments ask for.

    Raises:
        TamaleError: the statement or a format is refused.
    """
    dtype = arguments.dtype
    request = _request(arguments, {})
    if dtype is None:
        return request
    return _request(arguments, {operand.name: dtype for operand in request.operands})


def schedule_of(arguments: Namespace) -> Schedule:
    """
    What --precompute and --order ask for.

    Raises:
        TamaleError: a flag cannot be read.
    """
    schedule, formats = Schedule(), formats_of(arguments)
    for part in arguments.precompute:
        name = parse_notation(part).result.tensor
        schedule = schedule.precompute(part, formats.get(name, "dense"))
    for flag in arguments.order:
        before, colon, after = flag.rpartition(":")
        schedule = schedule.reorder(after, of=before.strip() if colon else "")
    return schedule


def _request(arguments: Namespace, dtypes: Mapping[str, object]) -> Request:
    return make_request(
        arguments.expression,
        statement_formats(arguments),
        dtypes,
        dtype=arguments.dtype,
        name=arguments.name,
        conversions=arguments.conversions,
        schedule=schedule_of(arguments),
        assembly=arguments.assembly,
        threads=arguments.threads,
    )
