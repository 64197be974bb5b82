"""Arrays that claim more than they keep: sorted and summed up where they only claim order."""

from __future__ import annotations

from dataclasses import replace

from tamale.dialects.errors import FormatError
from tamale.dialects.format.kinds import level_kind
from tamale.dialects.format.level import Level
from tamale.dialects.format.spec import Format
from tamale.frontend.entries import from_entries
from tamale.frontend.tensor import Tensor


def canonical(tensor: Tensor) -> Tensor:
    """
    The tensor itself if it keeps the promises of its format; else one that does, with its entries
    sorted and duplicates added up.

    Raises:
        FormatError: the arrays are no tensor even without promises of order and uniqueness.
    """
    try:
        return tensor.check()
    except FormatError:
        loose = Tensor(loosened(tensor.format), tensor.shape, tensor.levels, tensor.vals).check()
        return from_entries(*loose.entries(), loose.shape, tensor.format)


def loosened(format: Format) -> Format:
    """The same levels, whose coordinates may come in any order and more than once."""
    return replace(format, levels=tuple(map(_loosened_level, format.levels)))


def _loosened_level(level: Level) -> Level:
    toggles = level_kind(level.kind).toggles
    promises = tuple((name, False) for name in toggles if name in ("unique", "ordered"))
    return replace(level, properties=promises) if promises else level
