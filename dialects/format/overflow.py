"""Tensors that are too large for what a format computes: level expressions have 64 bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from tamale.dialects.errors import FormatError
from tamale.dialects.format.bounds import bounds
from tamale.dialects.format.expressions import Binary, Expr, counters, to_text
from tamale.dialects.format.normal import normal_form
from tamale.dialects.format.spec import Format

LIMIT = 1 << 62
"""What no coordinate may exceed, so that differences of coordinates fit into 64 bits."""


def check_extents(format: Format, shape: Sequence[int]) -> None:
    """
    Checks that no level expression, nor a part of one, overflows for a tensor of these sizes.

    Raises:
        FormatError: naming the level and the largest value.
    """
    message = _overflow(format, tuple(shape))
    if message is not None:
        raise FormatError(message)


@lru_cache(maxsize=1024)
def _overflow(format: Format, shape: tuple[int, ...]) -> str | None:
    """What overflows first, if anything does; kept, since every call of a kernel asks."""
    if 0 in shape:
        return None  # There is no entry to compute anything of.
    whole = ((0, size - 1) for size in shape)
    modes = dict(zip(format.modes, whole, strict=True))
    for k, part in _computed(format):
        low, high = bounds(part, modes)
        if max(-low, high) > LIMIT:
            sizes = " x ".join(map(str, shape))
            return (
                f"format: level {k + 1} ('{format.levels[k]}') of '{format}' does not fit a tensor "
                f"of {sizes}: '{to_text(part)}' can be {low if -low > high else high:,}, which "
                "64 bits do not hold\n  help: store the modes in levels of their own"
            )
    return None


@lru_cache(maxsize=1024)
def _computed(format: Format) -> tuple[tuple[int, Expr], ...]:
    """The different parts of level expressions that are more than a mode, each with a level."""
    first: dict[Expr, int] = {}
    for k, level in enumerate(format.levels):
        for part in _parts(normal_form(level.expression)):
            first.setdefault(part, k)
    return tuple((k, part) for part, k in first.items() if not counters(part))


def _parts(expression: Expr) -> Iterator[Expr]:
    if isinstance(expression, Binary):
        yield from _parts(expression.lhs)
        yield from _parts(expression.rhs)
        yield expression
