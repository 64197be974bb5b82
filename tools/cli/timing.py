"""`--timing` and `--timing-json` of the subcommands: where the time went."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Generator
from contextlib import contextmanager

from tamale.dialects.timing import listening
from tamale.tools.cli.output import write_text
from tamale.tools.opt.timing import Stopwatch


def add_timing(parser: ArgumentParser) -> None:
    """The arguments that ask where the time went."""
    parser.add_argument(
        "--timing",
        action="store_true",
        help="print where the time went, to stderr: each pass, the printer, the C++ compiler, "
        "calls; a kernel that the cache has is not compiled again",
    )
    parser.add_argument("--timing-json", metavar="FILE", help="write where the time went to FILE")


@contextmanager
def stopwatch(arguments: Namespace) -> Generator[Stopwatch]:
    """
    A watch on which passes, printer and compiler book their time; reported at the end as asked for.

    Raises:
        TamaleError: the file for the times cannot be written.
    """
    watch = Stopwatch()
    with listening(watch.book):
        yield watch
    if arguments.timing:
        print(watch.table(), file=sys.stderr)
    if arguments.timing_json:
        write_text(f"{watch.json()}\n", arguments.timing_json)
