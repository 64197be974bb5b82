"""`tamale-opt`: the pass driver. `--version` answers without importing xDSL."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.metadata import version


def main(args: Sequence[str] | None = None) -> int:
    """Runs the driver on `args` (default: the command line); returns the exit code."""
    arguments = list(sys.argv[1:] if args is None else args)
    if "--version" in arguments or "-v" in arguments:
        print(f"tamale-opt {version('tamale')} (xdsl {version('xdsl')})")
        return 0

    from tamale.tools.opt.driver import run_driver  # costs 150 ms, which --version need not pay

    try:
        return run_driver(arguments)
    except BrokenPipeError:  # the reader, say `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
