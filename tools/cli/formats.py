"""`tamale formats`: the named formats with their lines, the level kinds with their properties."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict

from tamale.dialects.format.kinds import known_level_kinds, level_kind
from tamale.dialects.format.named import NAMED_FORMATS, Line, NamedFormat
from tamale.tools.cli.output import add_output, write_text

EXAMPLE_ORDER = 3
"""The order for which a format of every order is shown."""


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of `tamale formats`."""
    add_output(parser)


def run(arguments: Namespace) -> int:
    """Prints both tables."""
    named = [(entry.usage, format_line(entry)) for entry in NAMED_FORMATS.values()]
    lines = ["named formats", *table(named), "", "level kinds", *table(level_kinds())]
    lines += ["", "index widths", "  i32; others are written behind: csr, pos = i64, crd = i64"]
    write_text("\n".join(lines) + "\n", arguments.output)
    return 0


def format_line(entry: NamedFormat) -> str:
    """The line that a name stands for; for a family, that of one order."""
    if isinstance(entry, Line):
        return entry.text
    return f"{entry.build(EXAMPLE_ORDER, ())}   for order {EXAMPLE_ORDER}"


def level_kinds() -> list[tuple[str, ...]]:
    """A row per level kind, below a row of titles."""
    rows: list[tuple[str, ...]] = []
    for name in known_level_kinds():
        kind = level_kind(name)
        properties: dict[str, bool] = asdict(kind.defaults)
        titles = ("kind", *properties, "arrays", "may be set")
        rows = rows or [titles]
        flags = ("yes" if value else "no" for value in properties.values())
        arrays = ", ".join(kind.arrays) or "none"
        rows.append((name, *flags, arrays, ", ".join(kind.spellings()) or "nothing"))
    return rows


def table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """The rows with aligned columns, indented."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  " + "  ".join(f"{cell:{w}}" for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
