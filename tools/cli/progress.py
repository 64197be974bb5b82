"""One line on a terminal that says what is going on; nothing where stderr is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager


@contextmanager
def progress(what: str) -> Generator[Callable[[float], None]]:
    """
    Shows `what` while the block runs, and leaves no trace; the block may tell which part is done.
    """
    shown = sys.stderr.isatty()
    if shown:
        print(f"\r{what} ...", end="", file=sys.stderr, flush=True)
    percent = -1

    def tell(part: float) -> None:
        nonlocal percent
        if shown and int(100 * part) != percent:
            percent = int(100 * part)
            print(f"\r{what} ... {percent} %", end="", file=sys.stderr, flush=True)

    try:
        yield tell
    finally:
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
