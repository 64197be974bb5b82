"""
What installed packages offer through Python entry points; each is imported when it is asked for.

    [project.entry-points."tamale.passes"]
    count-loops = "my_package.count_loops:CountLoopsPass"

The name of an entry point is the name of what it offers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from tamale.dialects.errors import TamaleError
from tamale.dialects.lazy import load

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@cache
def entry_points_of(group: str) -> tuple[EntryPoint, ...]:
    """
    The entry points of a group. Looking for them takes 10 ms, and so does importing
    `importlib.metadata`, so only where a name is not tamale's own.
    """
    return tuple(load("importlib.metadata:entry_points")(group=group))


def offered(
    group: str, own: Collection[str], error: type[TamaleError] = TamaleError
) -> Mapping[str, EntryPoint]:
    """
    Name -> entry point of a group.

    Raises:
        TamaleError: of type `error`; two packages offer the same name, or one offers a name of
            tamale's `own`.
    """
    points: dict[str, EntryPoint] = {}
    for point in entry_points_of(group):
        if point.name in own:
            raise error(
                f"plug-in: {described(point)} has the name of one that tamale itself has\n"
                "  help: rename it, or uninstall its package"
            )
        known = points.setdefault(point.name, point)
        if known.value != point.value:
            raise error(
                f"plug-in: {described(point)} has the name of {described(known)}\n"
                "  help: rename one of them, or uninstall its package"
            )
    return points


def described(point: EntryPoint) -> str:
    """Which entry point of which package."""
    package = f"package '{point.dist.name}'" if point.dist else "an unnamed package"
    return f"'{point.name}' of {package} ({point.group}: {point.value})"


def load_plugin(point: EntryPoint, error: type[TamaleError] = TamaleError) -> Any:
    """
    What an entry point names.

    Raises:
        TamaleError: of type `error`; importing it fails, in whatever way.
    """
    try:
        return point.load()
    except Exception as reason:
        raise error(
            f"plug-in: {described(point)} cannot be loaded: {type(reason).__name__}: {reason}"
        ) from reason


def load_class(point: EntryPoint, base: str) -> Any:
    """
    The subclass of `base`, a `module:NAME`, that an entry point names; its `name` has to be that
    of the entry point.

    Raises:
        TamaleError: it cannot be loaded, or is something else.
    """
    found, expected = load_plugin(point), load(base)
    if not (isinstance(found, type) and issubclass(found, expected)):
        raise TamaleError(f"plug-in: {described(point)} is no {expected.__name__}")
    if (name := getattr(found, "name", None)) != point.name:
        raise TamaleError(f"plug-in: {described(point)} calls itself '{name}'")
    return found


def lazy_plugins(group: str, base: str, own: Collection[str]) -> dict[str, Callable[[], Any]]:
    """A table `name -> factory` of what packages offer; calling a factory loads the class."""
    return {
        name: partial(load_class, point, base) for name, point in offered(group, own).items()
    }
