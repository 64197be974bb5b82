"""`make docs`: every page is in the navigation, the reference has everything, the site builds."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import tamale
from tamale.dialects.operators import declared_operators
from tamale.passes.pipelines import TABLE

reference: Any = import_module("reference_pages")


def test_every_page_is_in_the_navigation(root: Path):
    listed = set(re.findall(r": ([\w/]+\.md)$", (root / "mkdocs.yml").read_text(), re.M))
    made = {f"reference/{name}.md" for name in reference.pages()}
    assert listed == made | {path.name for path in (root / "docs").glob("*.md")}


def test_the_reference_has_everything():
    pages = reference.pages()
    for name in ("compile", "Tensor", "Tensor.prune", "Kernel", "read", "TamaleError"):
        assert f"# {name}\n" in pages["python"]
    assert "Computes a statement; the kernel is compiled on first use" in pages["python"]
    described = [n for n in tamale.__all__ if n not in ("__version__", "formats")]
    assert [n for n in described if f"## {n}\n" not in pages["python"]] == []
    assert "### cin.forall\n" in pages["operations"]
    forall = pages["operations"].partition("### cin.forall\n")[2].partition("###")[0]
    assert "| property | `domain` | 1 |" in forall
    assert "| region | `body` | 1 |" in forall
    assert "| property | `order` | 0 or 1 |" in pages["operations"]
    assert "| operand | `tensors` | any |" in pages["operations"]
    assert [name for name in TABLE.steps if f"## {name}\n" not in pages["passes"]] == []
    assert [name for name in declared_operators() if f"`{name}`" not in pages["operators"]] == []


@pytest.mark.filterwarnings("ignore")
def test_the_site_builds(root: Path, tmp_path: Path):
    config: Any = import_module("mkdocs.config").load_config
    build: Any = import_module("mkdocs.commands.build").build
    build(config(str(root / "mkdocs.yml"), site_dir=str(tmp_path), strict=True))
    assert "kernel is compiled on first use" in (tmp_path / "reference" / "python.html").read_text()
    assert (tmp_path / "tutorial.html").exists()
