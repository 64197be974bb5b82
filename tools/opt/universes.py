"""Dialects, passes and targets of other packages: xDSL's entry point group `xdsl.universe`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from xdsl.universe import Universe

from tamale.dialects.errors import TamaleError
from tamale.dialects.plugins import described, entry_points_of, load_plugin

GROUP = "xdsl.universe"
KNOWN = ("xdsl", "tamale")
"""The universes that `tamale-opt` has its own selection of."""


def other_universes() -> Iterator[tuple[str, Universe]]:
    """
    Who offers a universe, and the universe.

    Raises:
        TamaleError: an entry point cannot be loaded, or names something else.
    """
    for point in entry_points_of(GROUP):
        if point.name not in KNOWN:
            universe = load_plugin(point)
            if not isinstance(universe, Universe):
                raise TamaleError(f"plug-in: {described(point)} is no Universe")
            yield described(point), universe


def join(
    known: Collection[str], what: str, table: str
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """
    The entries of one table of all universes, such as `all_passes`.

    Raises:
        TamaleError: a name is taken.
    """
    names = set(known)
    for owner, universe in other_universes():
        offered: Mapping[str, Callable[[], Any]] = getattr(universe, table)
        for name, factory in offered.items():
            if name in names:
                raise TamaleError(f"plug-in: {owner} has a {what} '{name}', and that name is taken")
            names.add(name)
            yield name, factory
