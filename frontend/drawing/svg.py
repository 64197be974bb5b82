"""SVG text: boxes, lines and words, on a page that grows with them."""

from __future__ import annotations

from xml.sax.saxutils import escape

STYLE = """
text { font: 13px ui-monospace, monospace; fill: #1f2328; text-anchor: middle; }
.title { font-weight: 600; text-anchor: start; }
.label { fill: #59636e; text-anchor: start; }
.index { fill: #818b98; font-size: 10px; }
.faint { fill: #afb8c1; }
rect { fill: #ffffff; stroke: #818b98; }
rect.page { stroke: none; }
rect.empty { fill: #f6f8fa; stroke: #d1d9e0; }
rect.chosen { fill: #ffd33d; stroke: #9a6700; }
line { stroke: #818b98; }
line.faint { stroke: #d1d9e0; }
line.chosen { stroke: #9a6700; stroke-width: 2.5; }
"""
"""Classes that elements may have; `chosen` is the highlighted entry."""

MARGIN = 16
CELL_HEIGHT = 24


class Page:
    """Collects elements; later ones lie on top."""

    def __init__(self) -> None:
        self._elements: list[str] = []
        self.width = self.height = 0.0

    def _reach(self, x: float, y: float) -> None:
        self.width, self.height = max(self.width, x), max(self.height, y)

    def text(self, x: float, y: float, text: str, look: str = "") -> None:
        """Words: centred at x, or from x on for titles and labels; y is their base line."""
        starts = look in ("title", "label")
        self._reach(x + text_width(text) * (1 if starts else 0.5), y + 4)
        self._elements.append(f'<text x="{x:g}" y="{y:g}"{_class(look)}>{escape(text)}</text>')

    def cell(self, x: float, y: float, width: float, text: str, look: str = "") -> None:
        """A box with words in it."""
        self._reach(x + width, y + CELL_HEIGHT)
        self._elements.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{CELL_HEIGHT}"{_class(look)}/>'
        )
        if text:
            faint = "faint" if look == "empty" else ""
            self.text(x + width / 2, y + 17, text, faint)

    def line(self, x1: float, y1: float, x2: float, y2: float, look: str = "") -> None:
        """A straight line."""
        self._elements.append(
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"{_class(look)}/>'
        )

    def render(self, title: str) -> str:
        """The picture as a file of its own."""
        width, height = self.width + MARGIN, self.height + MARGIN
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
                f'viewBox="0 0 {width:g} {height:g}">',
                f"<title>{escape(title)}</title>",
                f"<style>{STYLE}</style>",
                f'<rect class="page" width="{width:g}" height="{height:g}"/>',
                *self._elements,
                "</svg>\n",
            ]
        )


def text_width(text: str) -> float:
    """About how wide words are."""
    return 8.0 * len(text)


def _class(look: str) -> str:
    return f' class="{look}"' if look else ""
