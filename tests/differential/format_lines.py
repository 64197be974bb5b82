"""Random format lines: level kinds and level expressions put together as they verify."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tamale.dialects.errors import FormatError
from tamale.dialects.format.invert import invert
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.spec import Format
from tamale.passes.levels import storage_kind

EXPRESSIONS: Mapping[int, Sequence[Sequence[str]]] = {
    2: (
        ("i", "j"),
        ("j", "i"),
        ("i / a", "j", "i % a"),
        ("j / a", "j % a", "i"),
        ("i / a", "j / b", "i % a", "j % b"),
        ("i / a", "i % a", "j / b", "j % b"),
        ("j - i", "i"),
        ("j - i", "j"),
        ("i + j", "i"),
        ("j - i", "i", "j"),
        ("i + j", "j", "i"),
        ("(j - i) / a", "i", "(j - i) % a"),
        ("#i", "i", "j"),
        ("#j", "j", "i"),
        ("i / a", "#i", "i % a", "j"),
        ("#i / a", "i", "#i % a", "j"),
        ("i ^ j", "j"),
        ("#", "i", "j"),
    ),
    3: (
        ("i", "j", "k"),
        ("k", "i", "j"),
        ("j", "k / a", "i", "k % a"),
        ("k - i", "i", "j"),
        ("i / a", "j / a", "k / a", "i % a", "j % a", "k % a"),
        ("#i", "i", "j", "k"),
    ),
}
"""Level expressions from which all modes can be computed; `a` and `b` stand for numbers."""

KINDS = (
    "dense",
    "compressed",
    "compressed",
    "compressed(nonunique)",
    "compressed(nonordered)",
    "compressed(nonunique, nonordered)",
    "singleton",
    "singleton(nonordered)",
    "singleton(nonunique)",
    "singleton(nonunique, nonordered)",
    "squeezed",
    "range",
    "offset",
    "sliced",
    "banded",
    "ragged",
    "jagged",
    "hashed",
    "bitmap",
)


def random_format(random: np.random.Generator, order: int) -> Format:
    """A format that verifies, and whose tensors can be read."""
    while True:
        expressions = EXPRESSIONS[order][int(random.integers(len(EXPRESSIONS[order])))]
        numbers = {"a": int(random.integers(2, 5)), "b": int(random.integers(2, 5))}
        levels = [
            f"{_filled(e, numbers)} : {KINDS[random.integers(len(KINDS))]}" for e in expressions
        ]
        widths = (f"{name} = {random.choice(['i32', 'i64'])}" for name in ("pos", "crd"))
        modes = ", ".join("ijk"[:order])
        try:
            format = resolve_format(f"({modes}) -> ({', '.join(levels)}), {', '.join(widths)}")
            invert(format)
        except FormatError:
            continue
        if not _repeats_blocks(format):
            return format


def _repeats_blocks(format: Format) -> bool:
    """
    Whether entries with equal coordinates have whole blocks of their own below them: these are in
    no lexicographic order, which `check` asks for.
    """
    nonunique = False
    for k, level in enumerate(format.levels):
        listed = storage_kind(level.kind).yields or format.properties(k).branchless
        if nonunique and not listed:
            return True
        nonunique |= not format.properties(k).unique
    return False


def _filled(expression: str, numbers: Mapping[str, int]) -> str:
    return " ".join(str(numbers.get(word, word)) for word in expression.split(" "))
