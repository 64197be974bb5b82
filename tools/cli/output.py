"""Text to stdout or to the file of `-o`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path

from tamale.dialects.errors import TamaleError


def add_output(parser: ArgumentParser) -> None:
    """The argument `-o`."""
    parser.add_argument("-o", "--output", metavar="FILE", help="stdout if not given")


def write_text(text: str, path: str | None) -> None:
    """
    Writes text that ends in a line break, as UTF-8.

    Raises:
        TamaleError: the file cannot be written.
    """
    if path is None:
        sys.stdout.write(text)
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise TamaleError(f"'{path}' cannot be written: {error.strerror}") from error
