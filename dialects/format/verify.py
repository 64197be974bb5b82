"""
What every format obeys, whether it was parsed or made by hand.

Each breach is a `Problem` that says where it is, so that the parser can point at it.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expressions import (
    Binary,
    Const,
    Counter,
    Expr,
    Let,
    apply,
    free_variables,
    subexpressions,
    to_text,
)
from tamale.dialects.format.kinds import LevelKind, is_level_kind, known_level_kinds, level_kind
from tamale.dialects.format.level import Level, option_text
from tamale.dialects.format.spec import WIDTHS, Format
from tamale.dialects.format.substitution import inlined_extent
from tamale.dialects.format.tokens import did_you_mean

Part: TypeAlias = Literal["mode", "level", "expression", "kind", "options"]

RESERVED_WORDS: Final = frozenset({"in", "floordiv", "mod"})
"""Words of the notation that name no mode."""

LARGEST_TREE: Final = 5000
"""Nodes of a level expression, its lets written out; a Morton code of three modes has 400."""

DEEPEST_TREE: Final = 150
"""Nodes inside each other, counted alike; what works on expressions is recursive."""


class Problem(NamedTuple):
    """One breach of the rules and the part of the format line to point at."""

    message: str
    part: Part
    number: int
    """Of the mode or level, from 0."""


def verify_format(format: Format) -> None:
    """
    Raises:
        FormatError: listing everything that is wrong with `format`.
    """
    _verify(format)


@lru_cache(maxsize=1024)
def _verify(format: Format) -> None:
    """Cached for correct formats only: an exception is never cached."""
    found = problems(format)
    if found:
        messages = "\n".join(f"format: {problem.message}" for problem in found)
        raise FormatError(f"{messages}\n  in '{format}'")
    normal = with_defaults_omitted(format)
    if normal != format:
        raise FormatError(
            f"format: '{format}' is not in normal form: options follow the order of their kind, "
            f"and defaults are left out.\n  normal form: '{normal}'"
        )


def problems(format: Format) -> tuple[Problem, ...]:
    """Everything that is wrong with `format`, in the order of its line."""
    found = [*_mode_problems(format), *_width_problems(format)]
    for number, level in enumerate(format.levels):
        found += _kind_problems(number, format.levels)
        found += _expression_problems(number, level, format.modes)
    return (*found, *_repeated_level_problems(format), *_unstored_mode_problems(format))


def with_defaults_omitted(format: Format) -> Format:
    """
    `format` in normal form: options in their kind's order, without those that state a default.

    Only for a format without `problems`.
    """
    return replace(format, levels=tuple(map(_without_defaults, format.levels)))


def _without_defaults(level: Level) -> Level:
    kind = level_kind(level.kind)
    said = dict(level.properties)
    kept = tuple(
        (name, said[name])
        for name in kind.settings
        if name in said and said[name] != kind.default(name)
    )
    return replace(level, properties=kept)


def describe(number: int, level: Level) -> str:
    """
    How messages name a level.

    >>> describe(1, Level(Const(0), "dense"))
    "level 2 ('0 : dense')"
    """
    return f"level {number + 1} ('{level}')"


def _mode_problems(format: Format) -> Iterator[Problem]:
    for number, mode in enumerate(format.modes):
        if not (mode.isascii() and mode.isidentifier()) or mode in RESERVED_WORDS:
            yield Problem(f"'{mode}' cannot name a mode", "mode", number)
        if mode in format.modes[:number]:
            yield Problem(f"mode '{mode}' is listed twice", "mode", number)


def _width_problems(format: Format) -> Iterator[Problem]:
    for array, width in (("pos", format.pos), ("crd", format.crd)):
        if width not in WIDTHS:
            choice = " or ".join(WIDTHS)
            yield Problem(f"{array} has width '{width}'; use {choice}", "level", 0)


def _kind_problems(number: int, levels: tuple[Level, ...]) -> Iterator[Problem]:
    level = levels[number]
    if not is_level_kind(level.kind):
        known = known_level_kinds()
        yield Problem(
            f"{describe(number, level)} has an unknown kind "
            f"'{level.kind}'{did_you_mean(level.kind, known)}; "
            f"known kinds: {', '.join(known)}",
            "kind",
            number,
        )
        return
    try:
        kind = level_kind(level.kind)
    except FormatError as error:
        reason = str(error).removeprefix("format: ")
        yield Problem(f"{describe(number, level)}: {reason}", "kind", number)
        return
    refused = list(_option_problems(number, level, kind))
    yield from refused or _refusal_of_kind(number, levels, kind)


def _refusal_of_kind(number: int, levels: tuple[Level, ...], kind: LevelKind) -> Iterator[Problem]:
    level = levels[number]
    try:
        kind.verify(level, number)
        kind.verify_below(level, levels[:number])
    except FormatError as error:
        yield Problem(f"{describe(number, level)} {error}", "level", number)


def _option_problems(number: int, level: Level, kind: LevelKind) -> Iterator[Problem]:
    names = [name for name, _ in level.properties]
    for name, value in level.properties:
        if not kind.accepts(name, value):
            spellings = kind.spellings()
            choice = f"takes {', '.join(spellings)}" if spellings else "takes no options"
            message = f"has option '{option_text(name, value)}', but '{kind.name}' {choice}"
            yield Problem(f"{describe(number, level)} {message}", "options", number)
    for name in sorted({name for name in names if names.count(name) > 1}):
        message = f"says twice whether it is '{name}'"
        yield Problem(f"{describe(number, level)} {message}", "options", number)


def _expression_problems(number: int, level: Level, modes: tuple[str, ...]) -> Iterator[Problem]:
    for message in _complaints(level.expression, frozenset(modes), frozenset()):
        yield Problem(f"{describe(number, level)} {message}", "expression", number)
    size, depth = inlined_extent(level.expression)
    if size > LARGEST_TREE or depth > DEEPEST_TREE:
        message = "is too large once its lets are written out"
        yield Problem(f"{describe(number, level)} {message}", "expression", number)


def _complaints(expr: Expr, modes: frozenset[str], bound: frozenset[str]) -> Iterator[str]:
    """What is wrong with `expr` below lets that bind `bound`."""
    match expr:
        case Let(name, value, body):
            if name in modes:
                yield f"binds '{name}', which is a mode; choose another name"
            yield from _complaints(value, modes, bound)
            yield from _complaints(body, modes, bound | {name})
            return
        case Counter(variables):
            for name in variables:
                if name in bound:
                    yield f"counts per '{name}', which is no mode but bound by a let"
            strangers = free_variables(expr) - modes - bound
        case Binary(op, _, Const(value)) if op in ("/", "%", "<<", ">>"):
            yield from _constant_operand_complaints(expr, value)
            strangers = frozenset[str]()
        case _:
            own_names = frozenset[str]() if subexpressions(expr) else free_variables(expr)
            strangers = own_names - modes - bound
    for name in sorted(strangers):
        known = ", ".join(sorted(modes)) or "none"
        yield f"uses '{name}', which is no mode of this format (modes: {known})"
    for child in subexpressions(expr):
        yield from _complaints(child, modes, bound)


def _constant_operand_complaints(expr: Binary, value: int) -> Iterator[str]:
    try:
        apply(expr.op, 0, value)
    except FormatError:
        reason = f"shifts by {value} bits; 0 to 63 are possible" if value else "divides by zero"
        yield f"{reason} in '{to_text(expr)}'"


def _repeated_level_problems(format: Format) -> Iterator[Problem]:
    first: dict[Expr, int] = {}
    for number, level in enumerate(format.levels):
        earlier = first.setdefault(level.expression, number)
        if earlier != number:
            yield Problem(
                f"{describe(number, level)} stores '{to_text(level.expression)}' again; "
                f"level {earlier + 1} has it already",
                "expression",
                number,
            )


def _unstored_mode_problems(format: Format) -> Iterator[Problem]:
    stored = frozenset[str]().union(*(_outside_counters(x.expression) for x in format.levels))
    for number, mode in enumerate(format.modes):
        if mode not in stored:
            yield Problem(f"mode '{mode}' is not stored by any level", "mode", number)


def _outside_counters(expr: Expr) -> frozenset[str]:
    if isinstance(expr, Counter):
        return frozenset()
    return frozenset[str]().union(
        *map(_outside_counters, subexpressions(expr)),
        free_variables(expr) if not subexpressions(expr) else (),
    )
