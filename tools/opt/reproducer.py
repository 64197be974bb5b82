"""What to keep of a run that met a bug, so that it can be run again."""

from __future__ import annotations

import argparse
import shlex
from argparse import Namespace
from pathlib import Path

from tamale.dialects.errors import TamaleError
from tamale.tools.opt.arguments import single_quoted

REPRODUCER = Path("reproducer.mlir")
_PREFIX = "// configuration: "


def configuration(args: Namespace) -> str:
    """The options of this run that decide what happens to the IR, as a command line."""
    words = [f"-p {single_quoted(args.passes)}"]
    if args.target != "mlir":
        words.append(f"-t {single_quoted(args.target)}")
    if args.allow_unregistered_dialect:
        words.append("--allow-unregistered-dialect")
    if args.check_passes:
        words.append("--check-passes")
    return " ".join(words)


def write_reproducer(args: Namespace, text: str) -> str:
    """
    Writes `reproducer.mlir`: the options of this run, then the input.

    Returns:
        How to run it again, or why it could not be written.
    """
    try:
        REPRODUCER.write_text(f"{_PREFIX}{configuration(args)}\n{text}")
    except OSError as error:
        return f"no reproducer: {error}"
    return f"to reproduce: tamale-opt {REPRODUCER} --run-reproducer"


def adopt_configuration(args: Namespace) -> None:
    """
    Sets in `args` the options that the first line of the input file records.

    Raises:
        TamaleError: the input has no such line, or an option in it is not one of ours.
    """
    if args.input_file is None:
        raise TamaleError("--run-reproducer needs a file, and the input is stdin")
    with open(args.input_file, encoding="utf-8") as file:
        first = file.readline()
    if not first.startswith(_PREFIX):
        raise TamaleError(f"{args.input_file}: the first line is not '{_PREFIX}-p ...'")
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("-p", dest="passes", default="")
    parser.add_argument("-t", dest="target", default="mlir")
    parser.add_argument("--allow-unregistered-dialect", action="store_true")
    parser.add_argument("--check-passes", action="store_true")
    recorded, rest = parser.parse_known_args(shlex.split(first.removeprefix(_PREFIX)))
    if rest:
        raise TamaleError(f"{args.input_file}:1: unknown options {rest}")
    for name, value in vars(recorded).items():
        setattr(args, name, value)
