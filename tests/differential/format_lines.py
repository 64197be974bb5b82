"""Random format lines: level kinds and level expressions put together as they verify."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expression_parser import parse_expression
from tamale.dialects.format.expressions import Counter, Expr, Var, counters
from tamale.dialects.format.invert import facts_of, invert, value_from
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.spec import Format
from tamale.passes.conversion.by_parent import is_mode_like
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
ANYWAY = 0.03
"""The share of formats that are drawn though most conversions to them are refused."""
OFTEN = 0.4
"""How often a level that a rare kind suits gets it."""


def random_format(random: np.random.Generator, order: int) -> Format:
    """A format that verifies, and whose tensors can be read; all remappings are as likely."""
    expressions = EXPRESSIONS[order][int(random.integers(len(EXPRESSIONS[order])))]
    anyway = random.random() < ANYWAY
    while True:
        numbers = {"a": int(random.integers(2, 5)), "b": int(random.integers(2, 5))}
        filled = [_filled(e, numbers) for e in expressions]
        parsed = [parse_expression(e) for e in filled]
        levels = [f"{e} : {_random_kind(random, parsed, k)}" for k, e in enumerate(filled)]
        widths = (f"{name} = {random.choice(['i32', 'i64'])}" for name in ("pos", "crd"))
        modes = ", ".join("ijk"[:order])
        try:
            format = resolve_format(f"({modes}) -> ({', '.join(levels)}), {', '.join(widths)}")
            invert(format)
        except FormatError:
            continue
        if not _repeats_blocks(format) and (anyway or _is_fillable(format)):
            return format


def _random_kind(random: np.random.Generator, expressions: Sequence[Expr], k: int) -> str:
    """For level k one of all kinds; more often one that suits few levels, where it does."""
    own, above = expressions[k], expressions[k - 1] if k else None
    rare = [
        *["offset"] * _follows(expressions, k),
        *["range"] * (k + 1 < len(expressions) and _follows(expressions, k + 1)),
        *["sliced"] * isinstance(own, Counter),
        *["jagged"] * (isinstance(own, Var) and above == Counter((own.name,))),
    ]
    kinds = rare if rare and random.random() < OFTEN else KINDS
    return kinds[int(random.integers(len(kinds)))]


def _follows(expressions: Sequence[Expr], k: int) -> bool:
    """Whether the levels above say which coordinate level k has."""
    return value_from(expressions[k], facts_of(expressions[:k])) is not None


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


def _is_fillable(format: Format) -> bool:
    """Whether entries have places of their own, and nothing larger than them is asked for."""
    return all(
        _follows_or_is_one_of_many(format, k)
        if level.kind == "singleton"
        else _is_asked_per_mode(format, k)
        for k, level in enumerate(format.levels)
    )


def _follows_or_is_one_of_many(format: Format, k: int) -> bool:
    """Whether the levels above say which coordinate level k has, or lead to one entry each."""
    expressions = [level.expression for level in format.levels]
    above = expressions[:k]
    facts = facts_of(above)
    counted = [Var(v) for e in above for counter in counters(e) for v in counter.variables]
    numbered = any(map(counters, above)) and all(value_from(v, facts) is not None for v in counted)
    repeated = any(not format.properties(n).unique for n in range(k))
    return numbered or repeated or _follows(expressions, k)


def _is_asked_per_mode(format: Format, k: int) -> bool:
    """Whether what level k must know is asked of one mode's coordinates, or of full levels."""
    kind = storage_kind(format.levels[k].kind)
    names = [f"l{n}" for n in range(k + 1)]
    for query in () if kind.yields else kind.queries(format.levels[k], names[:-1], names[-1]):
        asked = [names.index(name) for name in query.group]
        one_mode = len(asked) == 1 and is_mode_like(format.levels[asked[0]].expression)
        if not one_mode and not all(format.properties(n).full for n in asked):
            return False
    return True


def _filled(expression: str, numbers: Mapping[str, int]) -> str:
    return " ".join(str(numbers.get(word, word)) for word in expression.split(" "))
