"""The picture of a tensor: as a matrix, as its arrays, and as the hierarchy of its coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tamale.frontend.drawing.hierarchy import draw_hierarchy
from tamale.frontend.drawing.storage import Storage
from tamale.frontend.drawing.svg import CELL_HEIGHT, MARGIN, Page, text_width
from tamale.frontend.naming import shown
from tamale.frontend.tensor import Tensor

GAP = 40
"""Between the parts of a picture."""


def draw(tensor: Tensor, title: str = "") -> str:
    """
    The tensor as SVG, one entry highlighted in every part.

    Raises:
        TamaleError: the tensor is too large to be drawn.
    """
    storage = Storage(tensor)
    title = title or shown(tensor.format)
    page = Page()
    page.text(MARGIN, MARGIN + 12, title, "title")
    if title != str(tensor.format):
        page.text(MARGIN, page.height + 18, str(tensor.format), "label")
    if tensor.order <= 2:
        _draw_matrix(page, storage, page.height + GAP)
    _draw_arrays(page, storage, page.height + GAP)
    draw_hierarchy(page, storage, page.height + GAP)
    return page.render(title)


def number(value: Any) -> str:
    """A value in few characters."""
    kind = np.asarray(value).dtype.kind
    return str(value) if kind in "iu" else format(value, ".3g" if kind == "c" else ".4g")


def _cell_width(texts: Sequence[str]) -> float:
    return max([24.0, *(text_width(text) + 8 for text in texts)])


def _draw_matrix(page: Page, storage: Storage, top: float) -> None:
    """The tensor as a table; a vector as one row."""
    tensor = storage.tensor
    rows, columns = tensor.shape if tensor.order == 2 else (1, tensor.shape[0])
    texts: dict[tuple[int, int], str] = {}
    chosen: tuple[int, int] | None = None
    for place in storage.is_entry.nonzero()[0].tolist():
        crds = [int(column[place]) for column in storage.coordinates]
        at = (crds[0], crds[1]) if len(crds) == 2 else (0, crds[0])
        again = f"{texts[at]} + " if at in texts else ""
        texts[at] = again + number(tensor.vals[place])
        if storage.path and place == storage.path[-1]:
            chosen = at
    width, left = _cell_width(list(texts.values())), MARGIN + 28.0
    for column in range(columns):
        page.text(left + (column + 0.5) * width, top, str(column), "index")
    for row in range(rows):
        y = top + 8 + row * CELL_HEIGHT
        if tensor.order == 2:
            page.text(left - 14, y + 16, str(row), "index")
        for column in range(columns):
            text = texts.get((row, column), "")
            look = "chosen" if (row, column) == chosen else "" if text else "empty"
            page.cell(left + column * width, y, width, text, look)


def _draw_arrays(page: Page, storage: Storage, top: float) -> None:
    """Each level with its arrays, then the values."""
    tensor, y = storage.tensor, top
    names = [name for level in tensor.levels for name in level]
    left = MARGIN + _cell_width(["vals", *names]) + 8
    for k, level in enumerate(tensor.format.levels):
        page.text(MARGIN, y, f"level {k + 1}   {level}", "label")
        y += 14
        for name, array in tensor.levels[k].items():
            texts = [str(element) for element in array.tolist()]
            chosen = storage.chosen_elements(k, name)
            _draw_array(page, (left, y), name, texts, chosen)
            y += CELL_HEIGHT + 18
        y += 14
    vals = [number(value) for value in tensor.vals]
    _draw_array(page, (left, y), "vals", vals, storage.path[-1:], storage.is_entry.tolist())


def _draw_array(
    page: Page,
    corner: tuple[float, float],
    name: str,
    texts: Sequence[str],
    chosen: Sequence[int],
    entries: Sequence[bool] | None = None,
) -> None:
    """An array as a row of boxes, numbered from 0."""
    left, y = corner
    page.text(MARGIN, y + 17, name, "label")
    width = _cell_width(texts)
    for k, text in enumerate(texts):
        x = left + k * width
        empty = entries is not None and not entries[k]
        page.cell(x, y, width, text, "chosen" if k in chosen else "empty" if empty else "")
        page.text(x + width / 2, y + CELL_HEIGHT + 11, str(k), "index")
