"""The observers that the command line asks for, each loaded only then."""

from __future__ import annotations

from argparse import Namespace

from tamale.dialects.lazy import load
from tamale.tools.opt.observer import Observer

OBSERVERS = {
    "statistics": "tamale.tools.opt.statistics:Statistics",
    "remarks": "tamale.tools.opt.remarks:Remarks",
}
"""Option -> the observer that it is for."""


def observers(args: Namespace) -> list[Observer]:
    """Those whose option is given."""
    return [load(path)(args) for option, path in OBSERVERS.items() if getattr(args, option)]
