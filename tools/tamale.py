"""
`tamale`: the command line. One file per subcommand in `tools/cli`, imported when it is used.

Results go to stdout, errors and progress to stderr. Exit codes: 0; 1 with an error; 2 for bad
usage; 130 when interrupted.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from importlib.metadata import version
from io import TextIOWrapper
from typing import TextIO

from tamale.dialects.errors import TamaleError
from tamale.dialects.lazy import load
from tamale.tools.cli.taco import translated

COMMANDS = {
    "compile": "compile a statement or a conversion, print a stage of it or its C++",
    "run": "compile a statement and run it on matrices from files",
    "convert": "convert a tensor from a file to another format",
    "explain": "say why the kernel of a statement, or a conversion, looks as it does",
    "interpret": "run a module of any stage on tensors from files, without compiling it",
    "formats": "list named formats and level kinds, or draw a matrix in a format",
}
"""Subcommand -> what it does; `tamale.tools.cli.NAME` has `add_arguments` and `run`."""


def main(args: Sequence[str] | None = None) -> int:
    """Runs the command on `args` (default: the command line); returns the exit code."""
    words = list(sys.argv[1:] if args is None else args)
    try:
        speak_utf8(sys.stdout)
        words = translated(words)
        arguments = parser_for(words).parse_args(words)
        exit_code: int = load(f"tamale.tools.cli.{arguments.command}:run")(arguments)
        sys.stdout.flush()
        return exit_code
    except BrokenPipeError:  # the reader, say `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return complain("interrupted", 130)
    except (TamaleError, OSError) as error:
        return complain(str(error).rstrip())
    except MemoryError as error:
        return complain(f"not enough memory: {error}".rstrip(": "))
    except Exception as error:
        if os.environ.get("TAMALE_DEBUG") == "1":
            raise
        return complain(
            f"internal error: {type(error).__name__}: {error}\n"
            "  help: this is a bug; TAMALE_DEBUG=1 shows where"
        )


def speak_utf8(stream: TextIO) -> None:
    """DOT pictures have ∪ in any locale."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(encoding="utf-8")


def complain(message: str, exit_code: int = 1) -> int:
    """Prints an error; returns the exit code."""
    print(f"tamale: error: {message}", file=sys.stderr)
    return exit_code


def parser_for(words: Sequence[str]) -> ArgumentParser:
    """The parser of the command line, complete for the subcommand that `words` name."""
    parser = ArgumentParser("tamale", description="A sparse tensor compiler.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"tamale {version('tamale')}")
    subcommands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, what in COMMANDS.items():
        own = subcommands.add_parser(name, help=what, description=f"{what}.", allow_abbrev=False)
        if name in words:
            add_arguments: Callable[[ArgumentParser], None]
            add_arguments = load(f"tamale.tools.cli.{name}:add_arguments")
            add_arguments(own)
    return parser


if __name__ == "__main__":
    sys.exit(main())
