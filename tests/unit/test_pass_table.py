"""Pass file <-> row of the page <-> class <-> lit file, and the page of each pass."""

import ast
from pathlib import Path

import pytest

from tamale.dialects import get_all_dialects
from tamale.passes import get_all_passes
from tamale.passes.pipelines import TABLE

MACHINERY = {"__init__", "pass_table", "pipeline", "pipelines", "registry"}
SHARED = {"algebra", "conversion", "emit", "levels", "lowering"}
NAMES = sorted(TABLE.steps)


def pass_file(root: Path, name: str) -> Path:
    """Where the pass called `name` lives: a module, or a package if it has several parts."""
    stem = root / "passes" / name.replace("-", "_")
    return stem / "__init__.py" if stem.is_dir() else stem.with_suffix(".py")


def test_every_pass_file_has_a_row(root: Path):
    modules = {p.stem for p in (root / "passes").glob("*.py")} - MACHINERY
    packages = {p.parent.name for p in (root / "passes").glob("*/__init__.py")} - SHARED
    rows = {name.replace("-", "_") for name in NAMES}
    assert modules | packages <= rows, "a pass without a row in passes/pipelines.py never runs"


@pytest.mark.parametrize("name", NAMES)
def test_row_leads_to_its_class(root: Path, name: str):
    assert pass_file(root, name).exists()
    class_ = get_all_passes()[name]()
    assert class_.name == name
    assert class_.__doc__
    assert TABLE.steps[name].why


@pytest.mark.parametrize("name", NAMES)
def test_module_docstring_is_the_page_of_the_pass(root: Path, name: str):
    page = ast.get_docstring(ast.parse(pass_file(root, name).read_text())) or ""
    head = page.split("\n", 1)[0]
    assert head.startswith(f"`{name}`: "), f"the page starts with: `{name}`: reads -> leaves."
    assert "->" in head
    assert "efore" in page
    assert "after" in page
    assert "\n    " in page, "the page shows IR before and after"


@pytest.mark.parametrize("name", NAMES)
def test_pass_has_a_lit_file(root: Path, name: str):
    file = root / "tests" / "lit" / "passes" / f"{name}.mlir"
    assert file.exists()
    assert name in file.read_text().split("\n\n", 1)[0], "the RUN line runs the pass"


def test_every_lit_file_has_a_pass(root: Path):
    files = {p.stem for p in (root / "tests" / "lit" / "passes").glob("*.mlir")}
    bases = {name.split("_")[0] for name in files}
    assert bases <= set(NAMES)


def test_rows_name_dialects_that_exist():
    known = set(get_all_dialects())
    named = {d for row in TABLE.steps.values() for d in row.reads | row.leaves}
    assert named <= known
