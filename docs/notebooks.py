"""
Notebooks of pages: `python docs/notebooks.py` writes `examples/NAME.ipynb` for each page of PAGES.

Python blocks become cells to run, in order, and what is between them becomes text. Nothing of what
a cell gives is kept: notebooks are run by their readers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGES = ("guide", "paper", "tutorial")
"""Pages of docs/ whose every Python block runs in one session."""

ROOT = Path(__file__).resolve().parents[1]


def notebook(page: str) -> str:
    """A page in Markdown as a Jupyter notebook."""
    cells: list[dict[str, Any]] = [
        {"id": f"cell-{number}", "cell_type": kind, "metadata": {}, "source": text, **more}
        for number, (kind, text, more) in enumerate(_cells(page))
    ]
    document: dict[str, Any] = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(document, indent=1) + "\n"


def _cells(page: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The kind, text and further fields of each cell."""
    parts = re.split(r"^```python\n(.*?)^```\n", page, flags=re.M | re.S)
    for number, text in enumerate(parts):
        if number % 2:
            yield "code", text.rstrip("\n"), {"execution_count": None, "outputs": []}
        elif text.strip():
            yield "markdown", text.strip("\n"), {}


def main() -> None:
    for name in PAGES:
        text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
        (ROOT / "examples").mkdir(exist_ok=True)
        path = ROOT / "examples" / f"{name}.ipynb"
        path.write_text(notebook(text), encoding="utf-8")


if __name__ == "__main__":
    main()
