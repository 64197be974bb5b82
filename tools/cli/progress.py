"""One line on a terminal that says what is going on; nothing where stderr is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def progress(what: str) -> Generator[None]:
    """Shows `what` while the block runs, and leaves no trace."""
    shown = sys.stderr.isatty()
    if shown:
        print(f"\r{what} ...", end="", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
