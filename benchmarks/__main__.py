"""
`python benchmarks`, which `make bench` calls.

Prints the report and writes it to `benchmarks/results.md` and `benchmarks/results.json`, and, where
matplotlib is installed, `benchmarks/speedups.svg` and `benchmarks/growth.svg`.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from pathlib import Path

from effort import FULL, QUICK, USUAL
from plots import draw
from suite import SECTIONS, run_suite
from timing import WrongResult

from tamale.dialects.errors import TamaleError


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the suite; returns the exit code."""
    options = make_parser().parse_args(arguments)
    try:
        report = run_suite(options.sections or SECTIONS, options.effort)
        report.write(options.output)
        draw(report.results, options.output)
    except (TamaleError, WrongResult, OSError) as error:
        print(f"benchmarks: error: {error}", file=sys.stderr)
        return 1
    print(report.markdown(), end="")
    failed = [verdict for verdict in report.verdicts if verdict.is_missed]
    if options.check:
        for verdict in failed:
            print(f"benchmarks: {verdict}", file=sys.stderr)
    return 1 if options.check and failed else 0


def section(text: str) -> str:
    """A section's name on the command line."""
    if text not in SECTIONS:
        raise ArgumentTypeError(f"'{text}' is no section; they are {', '.join(SECTIONS)}")
    return text


def make_parser() -> ArgumentParser:
    """The command line."""
    parser = ArgumentParser(prog="python benchmarks", description=__doc__)
    parser.add_argument(
        "sections", nargs="*", type=section, metavar="SECTION",
        help=f"what to measure, all by default: {', '.join(SECTIONS)}",
    )  # fmt: skip
    effort = parser.add_mutually_exclusive_group()
    effort.add_argument(
        "--quick", action="store_const", dest="effort", const=QUICK, default=USUAL,
        help="tiny inputs: a look at the suite, not at speed",
    )  # fmt: skip
    effort.add_argument(
        "--full", action="store_const", dest="effort", const=FULL,
        help="every file of the data folder, more samples",
    )  # fmt: skip
    parser.add_argument(
        "--check", action="store_true", help="exit with 1 where a limit is missed by a tenth",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", type=Path, default=Path(__file__).parent, metavar="FOLDER",
        help="where to write results and pictures (benchmarks)",
    )  # fmt: skip
    return parser


if __name__ == "__main__":
    sys.exit(main())
