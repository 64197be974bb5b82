"""Formats as users write and read them: names where there are any, lines elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tamale.dialects.errors import FormatError
from tamale.dialects.format.hybrid import HybridFormat, name_of_hybrid, resolve_hybrid
from tamale.dialects.format.named import name_of, resolve_format
from tamale.dialects.format.spec import Format

COMMON_ORDER = 2
"""The order of tensors where nothing tells it."""


def shown(format: Format | HybridFormat) -> str:
    """
    What a user would write for the format: its name if it has one, else its line.

    >>> shown(resolve_format("(r, c) -> (c : dense, r : compressed), pos = i64"))
    'csc, pos = i64'
    """
    if isinstance(format, HybridFormat):
        return _shown_hybrid(format)
    name = name_of(format)
    if name is None:
        return str(format)
    usual = resolve_format(name, format.order)
    widths = (("pos", format.pos, usual.pos), ("crd", format.crd, usual.crd))
    return name + "".join(f", {array} = {w}" for array, w, default in widths if w != default)


def fitting(format: str, shape: Sequence[int]) -> Format:
    """
    The format that a text says for a tensor of these sizes; its coordinates are as wide as the
    sizes need, unless the text says how wide.

    >>> shown(fitting("dcsr", (2**40, 3)))
    'dcsr, crd = i64'
    """
    found = resolve_format(format, len(shape))
    narrow = max(shape, default=0) < 1 << 31
    if narrow or re.search(r"\bcrd\s*=", format):
        return found
    return found.with_widths(pos=found.pos, crd="i64")


def _shown_hybrid(format: HybridFormat) -> str:
    """`hyb(3)`, or the parts as a user would write them."""
    name = name_of_hybrid(format)
    if name is not None and resolve_hybrid(name) == format:
        return name
    return " : ".join(
        shown(p.format) if p.comparison is None else f"{p.comparison} ? {shown(p.format)}"
        for p in format.parts
    )


def resolve_pair(
    source: str | Format, target: str | Format, order: int | None = None
) -> tuple[Format, Format]:
    """
    Two formats of one order, which either of them may tell.

    Raises:
        FormatError: a format cannot be read, or their orders differ.
    """
    for format in (source, target):
        order = order if order is not None else _order_of(format)
    order = COMMON_ORDER if order is None else order
    return _of_order(source, order), _of_order(target, order)


def _order_of(format: str | Format) -> int | None:
    if isinstance(format, Format):
        return format.order
    try:
        return resolve_format(format).order
    except FormatError:  # A name that fits several orders, or an error that comes up again.
        return None


def _of_order(format: str | Format, order: int) -> Format:
    if isinstance(format, str):
        return resolve_format(format, order)
    if format.order != order:
        raise FormatError(f"format: {shown(format)} is of order {format.order}, not {order}")
    return format
