"""Sizes and counts on the command line: `--size i=1000`, `--entries A=50000`."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence

from tamale.dialects.errors import TamaleError
from tamale.frontend.request import Request
from tamale.frontend.statistics import with_statistics
from tamale.tools.cli.statement import request_of

_PAIR = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*([0-9]{1,18})\s*")


def add_size(parser: ArgumentParser, meaning: str) -> None:
    """The argument `--size`."""
    parser.add_argument("--size", action="append", default=[], metavar="i=N", help=meaning)


def add_estimates(parser: ArgumentParser) -> None:
    """The arguments that say how large operands will be."""
    add_size(parser, "about the size of an index variable, to estimate by; may be repeated")
    parser.add_argument(
        "--entries",
        action="append",
        default=[],
        metavar="T=N",
        help="about the stored entries of operand T, to estimate by; may be repeated",
    )


def sized_request_of(arguments: Namespace) -> Request:
    """
    What the arguments ask for, for operands of the sizes that they tell.

    Raises:
        TamaleError: the statement, a format or a number is refused.
    """
    request = request_of(arguments)
    sizes = parse_sizes(arguments.size, request)
    names = [operand.name for operand in request.operands]
    entries = _parse("entries", "operand", "A=50000", arguments.entries, names, request)
    return with_statistics(request, sizes, entries)


def parse_sizes(flags: Sequence[str], request: Request) -> dict[str, int]:
    """Index variable -> size, from `i=100`."""
    accesses = (request.result, *request.uses)
    variables = dict.fromkeys(v for access in accesses for v in access.indices)
    return _parse("size", "index variable", "i=100", flags, variables, request)


def _parse(
    flag: str,
    thing: str,
    example: str,
    given: Sequence[str],
    known: Iterable[str],
    request: Request,
) -> dict[str, int]:
    """Name -> number, from `name=number`."""
    numbers: dict[str, int] = {}
    for text in given:
        found = _PAIR.fullmatch(text)
        if found is None:
            raise TamaleError(
                f"{flag} flag: expected an {thing}, '=' and a number, in  --{flag} {text}\n"
                f"  help: write {example}"
            )
        if found[1] not in known:
            raise TamaleError(
                f"{flag} flag: '{found[1]}' is no {thing} of  {request.source}\n"
                f"  help: its {thing}s are {', '.join(known) or 'none'}"
            )
        numbers[found[1]] = int(found[2])
    return numbers
