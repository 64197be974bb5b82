"""The lines of text printed so far."""

from collections.abc import Generator, Iterable
from contextlib import contextmanager

INDENT = "  "
WIDTH = 100


class Lines:
    """A buffer of lines that can be redirected while a nested block is printed."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, *lines: str) -> None:
        """Appends `lines` as they are."""
        self.lines.extend(lines)

    def add_block(self, header: str, body: Iterable[str], footer: str = "}") -> None:
        """Appends `header`, `body` indented once, and `footer`."""
        self.add(header, *indented(body), footer)

    @contextmanager
    def captured(self) -> Generator[list[str]]:
        """Lines added inside go to the yielded list instead."""
        outer, self.lines = self.lines, []
        yield self.lines
        self.lines = outer


def indented(lines: Iterable[str]) -> list[str]:
    """`lines`, one level deeper."""
    return [f"{INDENT}{line}" if line else line for line in lines]


def filled(opening: str, items: Iterable[str], closing: str) -> list[str]:
    """
    `opening item, item, ... closing` on one line if it fits, else wrapped below `opening`.

    >>> filled("f(", ["int a", "int b"], ") {")
    ['f(int a, int b) {']
    """
    items = list(items)
    whole = opening + ", ".join(items) + closing
    if len(whole) <= WIDTH or not items:
        return [whole]
    margin = INDENT * 2
    lines, current = [opening], margin + items[0]
    for item in items[1:]:
        if len(current) + len(item) + len(closing) + 2 > WIDTH:
            lines.append(f"{current},")
            current = margin + item
        else:
            current += f", {item}"
    return [*lines, current + closing]
