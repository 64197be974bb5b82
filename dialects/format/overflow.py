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
    if 0 in shape:
        return  # There is no entry to compute anything of.
    for k, part in _computed(format):
        whole = ((0, size - 1) for size in shape)
        low, high = bounds(part, dict(zip(format.modes, whole, strict=True)))
        if max(-low, high) > LIMIT:
            sizes = " x ".join(map(str, shape))
            raise FormatError(
                f"format: level {k + 1} ('{format.levels[k]}') of '{format}' does not fit a tensor "
                f"of {sizes}: '{to_text(part)}' can be {low if -low > high else high:,}, which "
                "64 bits do not hold\n  help: store the modes in levels of their own"
            )


@lru_cache(maxsize=1024)
def _computed(format: Format) -> tuple[tuple[int, Expr], ...]:
    """The parts of level expressions that are more than a mode, each with its level."""
    return tuple(
        (k, part)
        for k, level in enumerate(format.levels)
        for part in _parts(normal_form(level.expression))
        if not counters(part)
    )


def _parts(expression: Expr) -> Iterator[Expr]:
    if isinstance(expression, Binary):
        yield from _parts(expression.lhs)
        yield from _parts(expression.rhs)
        yield expression
