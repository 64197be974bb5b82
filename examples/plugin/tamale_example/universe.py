"""What this package adds to every tool that is built on xDSL: its dialect."""

from xdsl.universe import Universe


def _probe():
    from tamale_example.probe import PROBE

    return PROBE


UNIVERSE = Universe(all_dialects={"probe": _probe})
