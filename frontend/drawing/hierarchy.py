"""The hierarchy of coordinates as a tree: a row of boxes per level, each below its parent."""

from __future__ import annotations

from tamale.frontend.drawing.storage import Storage
from tamale.frontend.drawing.svg import CELL_HEIGHT, MARGIN, Page, text_width

ROW_HEIGHT = 56


def draw_hierarchy(page: Page, storage: Storage, top: float) -> None:
    """Draws the tree; positions without an entry below them are faint."""
    levels = storage.tensor.format.levels
    captions = [str(level) for level in levels]
    left = MARGIN + max(map(text_width, captions)) + 20
    width = _node_width(storage)
    places = _places(storage)
    centres = [[left + (x + 0.5) * (width + 6) for x in row] for row in places]
    root = sum(centres[0]) / len(centres[0]) if centres[0] else left
    page.cell(root - 24, top, 48, "root", "chosen" if storage.path else "")
    for k, row in enumerate(centres):
        y = top + (k + 1) * ROW_HEIGHT
        page.text(MARGIN, y + 17, captions[k], "label")
        above = centres[k - 1] if k else [root]
        for position, x in enumerate(row):
            owner = int(storage.tree[k].owners[position])
            look = _look(storage, k, position)
            line_look = "faint" if look == "empty" else look
            page.line(above[owner], y - ROW_HEIGHT + CELL_HEIGHT, x, y, line_look)
            text = str(int(storage.tree[k].coordinates[position]))
            page.cell(x - width / 2, y, width, text, look)


def _look(storage: Storage, k: int, position: int) -> str:
    if storage.path and storage.path[k] == position:
        return "chosen"
    return "" if storage.used[k][position] else "empty"


def _node_width(storage: Storage) -> float:
    texts = [str(int(c)) for level in storage.tree for c in level.coordinates]
    return max([22.0, *(text_width(text) + 6 for text in texts)])


def _places(storage: Storage) -> list[list[float]]:
    """
    Per level: where each position is, in widths of a node: above the middle of its children, or at
    a place of its own if it has none.
    """
    children: list[list[list[int]]] = []
    counts = [1, *(len(level.owners) for level in storage.tree)]
    for level, parents in zip(storage.tree, counts, strict=False):
        below: list[list[int]] = [[] for _ in range(parents)]
        for position, owner in enumerate(map(int, level.owners)):
            below[owner].append(position)
        children.append(below)
    places = [[0.0] * count for count in counts[1:]]
    free = 0

    def place(k: int, position: int) -> float:
        """Puts a position and all below it; level k - 1 is the root for k = 0."""
        nonlocal free
        below = children[k][position] if k < len(children) else []
        if below:
            middle = [place(k + 1, child) for child in below]
            x = sum(middle) / len(middle)
        else:
            x, free = float(free), free + 1
        if k:
            places[k - 1][position] = x
        return x

    place(0, 0)
    return places
