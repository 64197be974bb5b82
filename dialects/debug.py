"""
What passes say while they work, by tag; silent unless a tag is switched on.

    debug("domains", lambda: f"{set_text(before)} -> {set_text(after)}")

The text is made only where someone reads it. `tamale-opt --debug-only=domains` switches a tag on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Final

TAGS: Final = {
    "domains": "each change of a loop's set expression, and what the loop locates",
    "lattices": "the points of each loop's lattice, in order; those that only skip in brackets",
    "loop-order": "each choice of the next loop, and by which rule",
    "plans": "how each conversion is made",
    "queries": "each rewriting of a query's kernel",
}
"""Tag -> what it shows."""

_switched_on: set[str] = set()


def switch_on(tags: Iterable[str]) -> None:
    """Shows what is said under these tags from now on, and nothing else."""
    _switched_on.clear()
    _switched_on.update(tags)


def debug(tag: str, text: Callable[[], str]) -> None:
    """Says `text` on stderr, if the tag is switched on."""
    assert tag in TAGS, tag
    if tag in _switched_on:
        for line in text().splitlines():
            print(f"[{tag}] {line}", file=sys.stderr)
