"""
What notebooks show of a tensor. A small one is drawn entry by entry; of others, a picture says in
which parts entries lie, and a table how the arrays begin.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamale.dialects.errors import TamaleError
from tamale.frontend.drawing.picture import draw, number
from tamale.frontend.naming import shown
from tamale.frontend.tensor import Tensor

CELLS = 64
"""Into how many parts the longer side of a picture is cut."""

SIDE = 256
"""How long that side is, in pixels."""

MOST_ENTRIES = 1 << 20
"""From this many entries on, a picture shows evenly spaced ones only."""

FIRST_ELEMENTS = 8
"""How many elements of an array a table shows."""


def page(tensor: Tensor) -> str:
    """A tensor as HTML."""
    try:
        body = draw(tensor)
    except TamaleError:
        body = _spy(tensor) + _table(tensor)
    return f"<div><code>{escape(repr(tensor))}</code><br>{body}</div>"


def _spy(tensor: Tensor) -> str:
    """Where entries are in the first two modes, as SVG; the more, the darker."""
    if tensor.order == 0 or 0 in tensor.shape or not tensor.nnz:
        return ""
    counts = densities(tensor)
    rows, columns = counts.shape
    size = SIDE / max(rows, columns)
    shades = np.sqrt(counts / max(counts.max(), 1))
    boxes = "".join(
        f'<rect x="{column * size:g}" y="{row * size:g}" width="{size:g}" height="{size:g}" '
        f'fill-opacity="{max(shades[row, column], 0.15):.2f}"/>'
        for row, column in np.argwhere(counts).tolist()
    )
    width, height = columns * size, rows * size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}">'
        f'<rect width="{width:g}" height="{height:g}" fill="#f6f8fa" stroke="#818b98"/>'
        f'<g fill="#0550ae">{boxes}</g></svg>'
    )


def densities(tensor: Tensor) -> NDArray[np.int64]:
    """How many entries lie in each part of the first two modes; a vector has one row."""
    crds, _ = tensor.nonzeros()
    step = max(1, len(crds[0]) // MOST_ENTRIES)
    shape = tensor.shape[:2] if tensor.order > 1 else (1, tensor.shape[0])
    columns = crds[:2] if tensor.order > 1 else (np.zeros_like(crds[0]), crds[0])
    per_cell = max(1, -(-max(shape) // CELLS))
    parts = [-(-size // per_cell) for size in shape]
    counts = np.zeros(parts, np.int64)
    np.add.at(counts, tuple(column[::step] // per_cell for column in columns), 1)
    return counts


def _table(tensor: Tensor) -> str:
    """The format line, then each array with its type, its length and its first elements."""
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{array.dtype}</td><td>{len(array)}</td>"
        f"<td><code>{escape(_beginning(array))}</code></td></tr>"
        for name, array in _arrays(tensor)
    )
    head = "<tr><th>array</th><th>type</th><th>length</th><th>elements</th></tr>"
    line = f"{shown(tensor.format)}: {tensor.format}"
    return f"<p><code>{escape(line)}</code></p><table>{head}{rows}</table>"


def _arrays(tensor: Tensor) -> Iterator[tuple[str, Any]]:
    for k, level in enumerate(tensor.levels, 1):
        for name, array in level.items():
            yield f"level {k} {name}", array
    yield "vals", tensor.vals


def _beginning(array: Any) -> str:
    texts = [number(element) for element in array[:FIRST_ELEMENTS]]
    return ", ".join(texts) + (", ..." if len(array) > FIRST_ELEMENTS else "")
