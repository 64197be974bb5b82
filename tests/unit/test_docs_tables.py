"""The tables of the documents say what the code says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tamale.backends.cpp.status import STATUS_MESSAGES
from tamale.dialects.format.kinds import BUILTIN_KINDS, level_kind
from tamale.dialects.format.named import NAMED_FORMATS, Family
from tamale.dialects.operators import (
    HIGHEST,
    LOWEST,
    declared_operators,
    is_builtin_operator,
    operator_named,
)
from tamale.passes.pipelines import PASSES

INTERNAL_OPERATORS = {"absent"}
"""What folding leaves behind; nobody writes it."""


def rows_below(page: Path, heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, without the titles."""
    _, found, section = page.read_text().partition(f"\n{heading}\n")
    assert found, f"{page.name} has no heading '{heading}'"
    lines = re.split(r"^#", section, flags=re.MULTILINE)[0].splitlines()
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def test_named_formats(root: Path):
    shown = {row[0]: row[1] for row in rows_below(root / "docs/formats.md", "## Named formats")}
    for entry in NAMED_FORMATS.values():
        name = entry.name if isinstance(entry, Family) else entry.usage
        assert shown.pop(f"`{name}`") == f"`{entry.shown}`"
    assert shown == {}


def test_level_kinds(root: Path):
    titles = ("full", "ordered", "unique", "branchless", "compact")
    rows = rows_below(root / "docs/formats.md", "## Level kinds")
    assert [row[0] for row in rows] == [f"`{name}`" for name in BUILTIN_KINDS]
    for name, row in zip(BUILTIN_KINDS, rows, strict=True):
        kind = level_kind(name)
        for title, cell in zip(titles, row[1:6], strict=True):
            default = "yes" if getattr(kind.defaults, title) else "no"
            assert cell == (f"{default}, may be set" if title in kind.toggles else default), title
        assert row[6] == (", ".join(f"`{array}`" for array in kind.arrays) or "none")


@pytest.mark.parametrize("column", ["arguments", "identity", "annihilator", "reduces"])
def test_operators(root: Path, column: str):
    rows = {row[0].strip("`"): row for row in rows_below(root / "docs/notation.md", "## Operators")}
    builtin = {name for name in declared_operators() if is_builtin_operator(name)}
    assert rows.keys() == builtin - INTERNAL_OPERATORS
    for name, row in rows.items():
        operator = operator_named(name)
        expected = {
            "arguments": str(operator.arity),
            "identity": values_text(operator.identities),
            "annihilator": values_text(operator.annihilators),
            "reduces": "yes" if operator.reduction_identity is not None else "no",
        }
        place = ["arguments", "identity", "annihilator", "reduces"].index(column)
        assert row[1 + place] == expected[column], name


def values_text(values: tuple[object, ...]) -> str:
    """`0`, or `-, 0` where the arguments differ; `none` where no argument has one."""
    names: dict[object, str] = {LOWEST: "lowest", HIGHEST: "highest", None: "-"}
    words = [names.get(value, str(value)) for value in values]
    if not words or set(words) == {"-"}:
        return "none"
    return words[0] if len(set(words)) == 1 else ", ".join(words)


def test_status_codes(root: Path):
    rows = rows_below(root / "ARCHITECTURE.md", "### Status codes")
    assert {int(row[0]): row[1] for row in rows} == STATUS_MESSAGES


def test_passes(root: Path):
    """All passes, in their order."""
    rows = rows_below(root / "ARCHITECTURE.md", "## Passes")
    assert [row[0] for row in rows] == [f"`{step.name}`" for step in PASSES]
