"""
`tamale formats`: the named formats with their lines, the level kinds with their properties; with
`--draw`, a picture of a matrix in a format.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tamale.dialects.format.kinds import known_level_kinds, level_kind
from tamale.dialects.format.named import (
    EXAMPLE_ORDER,
    NAMED_FORMATS,
    NAMED_HYBRIDS,
    Family,
    NamedFormat,
)
from tamale.frontend.files import read
from tamale.frontend.interop import tensor
from tamale.frontend.tensor import Tensor
from tamale.tools.cli.output import add_output, write_text


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of `tamale formats`."""
    parser.add_argument(
        "--draw", metavar="FORMAT", help="draw the matrix in a format as SVG, with its arrays"
    )
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="a small matrix for --draw; one of 4 x 6 if missing"
    )
    add_output(parser)
    parser.set_defaults(refuse=parser.error)


def run(arguments: Namespace) -> int:
    """Prints both tables, or the picture."""
    if arguments.draw is not None:
        write_text(picture(arguments.draw, arguments.file), arguments.output)
        return 0
    if arguments.file is not None:
        arguments.refuse("a matrix is drawn, which needs --draw FORMAT")
    named = [(entry.usage, format_line(entry)) for entry in NAMED_FORMATS.values()]
    named += [(entry.usage, entry.shown) for entry in NAMED_HYBRIDS.values()]
    lines = ["named formats", *table(named), "", "level kinds", *table(level_kinds())]
    lines += ["", "index widths", "  i32; others are written behind: csr, pos = i64, crd = i64"]
    write_text("\n".join(lines) + "\n", arguments.output)
    return 0


def picture(format: str, path: str | None) -> str:
    """
    The matrix of a file in a format, as SVG.

    Raises:
        TamaleError: the file or the format cannot be read, or the matrix is too large.
    """
    source = tensor(read(path)) if path is not None else example()
    return source.to_format(format).draw(f"{Path(path).name if path else 'example'}: {format}")


def example() -> Tensor:
    """The matrix of Figure 1 of the paper on conversion (Chou et al., PLDI 2020)."""
    rows, columns = (0, 0, 1, 1, 2, 2, 2, 3, 3), (0, 1, 1, 2, 0, 2, 3, 1, 4)
    vals = (5.0, 1.0, 7.0, 3.0, 8.0, 2.0, 4.0, 6.0, 9.0)
    return tensor((vals, (rows, columns)), "coo", shape=(4, 6))


def format_line(entry: NamedFormat) -> str:
    """The line that a name stands for; for a family, that of one order."""
    note = f"   for order {EXAMPLE_ORDER}" if isinstance(entry, Family) else ""
    return entry.shown + note


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
