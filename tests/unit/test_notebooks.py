"""Notebooks are their pages, and run from top to bottom."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

notebooks: Any = import_module("notebooks")


@pytest.mark.parametrize("name", notebooks.PAGES)
def test_a_notebook_is_its_page(name: str, root: Path):
    page = (root / "docs" / f"{name}.md").read_text()
    found = (root / "examples" / f"{name}.ipynb").read_text()
    assert found == notebooks.notebook(page), "run `python docs/notebooks.py`"


@pytest.mark.parametrize("name", notebooks.PAGES)
def test_the_cells_run(name: str, root: Path, tmp_path: Path):
    """In a process of their own, as a reader's: what cells declare stays declared."""
    document = json.loads((root / "examples" / f"{name}.ipynb").read_text())
    assert document["nbformat"] == 4
    cells = [cell for cell in document["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 4
    assert all(cell["outputs"] == [] for cell in cells)
    script = tmp_path / f"{name}.py"
    script.write_text("\n".join(cell["source"] for cell in cells))
    ran = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_text_and_code_become_cells():
    page = "# Title\n\nText.\n\n```python\na = 1\n```\n\n```console\n$ b\n```\n"
    cells = json.loads(notebooks.notebook(page))["cells"]
    assert [(cell["cell_type"], cell["source"]) for cell in cells] == [
        ("markdown", "# Title\n\nText."),
        ("code", "a = 1"),
        ("markdown", "```console\n$ b\n```"),
    ]
