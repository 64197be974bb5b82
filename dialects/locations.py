"""Where in the user's file an op or an error comes from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from xdsl.dialects.builtin import FileLineColLoc
from xdsl.ir import Operation

ErrorT = TypeVar("ErrorT", bound=BaseException)

_ATTRIBUTE = "tamale_location"


def location_of(op: Operation) -> FileLineColLoc | None:
    """
    The place in the file that `op` was read from.

    An op that a pass made has no place of its own; the nearest op around it that has one, else
    the first op inside it, stands in.
    """
    outward: Operation | None = op
    while outward is not None:
        if isinstance(outward.location, FileLineColLoc):
            return outward.location
        outward = outward.parent_op()
    return next((o.location for o in op.walk() if isinstance(o.location, FileLineColLoc)), None)


def succeed(heirs: Iterable[Operation], op: Operation) -> None:
    """What takes the place of `op` comes from the same place in the file."""
    place = location_of(op)
    for heir in heirs:
        if place is not None and not isinstance(heir.location, FileLineColLoc):
            heir.location = place


def locate(error: ErrorT, where: Operation | FileLineColLoc) -> ErrorT:
    """
    Remembers in `error` the place it is about; returns `error`, so that one can write

        raise locate(PassFailedException("concretize: ..."), op)

    The first place wins: an outer caller knows less than the inner one.
    """
    if error_location(error) is None:
        place = location_of(where) if isinstance(where, Operation) else where
        if place is not None:
            setattr(error, _ATTRIBUTE, place)
    return error


def error_location(error: BaseException) -> FileLineColLoc | None:
    """The place that `locate` remembered, if any."""
    return getattr(error, _ATTRIBUTE, None)
