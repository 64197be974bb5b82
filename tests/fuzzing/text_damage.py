"""Damage of texts: pieces are dropped, doubled, moved, nested; the same for one seed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

Damage: TypeAlias = Callable[[list[str], Random], None]

_TOKEN = re.compile(r"\s+|[A-Za-z_]\w*|\d+|->|[^\w\s]")

STRANGERS = (
    *"()[]{}<>,:;=+-*/%#&|^~!?.@\"'\\$\n\t \0",
    *("->", "<<", ">>", "&&", "==", "//", "::", "%0", "@f", "!t", "^bb0", "#a"),
    *("0", "1", "-1", "64", "2147483648", "99999999999999999999999", "1e400", "0x", "nan", "-0.0"),
    *("i", "j", "A", "U", "sum", "max", "empty", "dense", "compressed", "with", "where", "per"),
    *("é", "∩", "\u202e", "\ud7ff", "\U0001f600", "\ufeff", "ﬁ", "１"),
)
"""What is put between the tokens of a text."""

BRACKETS = (("(", ")"), ("[", "]"), ("<", ">"), ("{", "}"), ("-", ""), ("~", ""))

DEEPEST = 3000
"""How often a bracket is put around a text that shall be deep."""


def tokens_of(text: str) -> list[str]:
    """The text in pieces: words, numbers, punctuation, blanks."""
    return _TOKEN.findall(text)


def _drop(tokens: list[str], rng: Random) -> None:
    begin = rng.randrange(len(tokens))
    del tokens[begin : begin + rng.choice((1, 1, 1, 2, 5))]


def _double(tokens: list[str], rng: Random) -> None:
    begin = rng.randrange(len(tokens))
    piece = tokens[begin : begin + rng.choice((1, 2, 3, 8))]
    tokens[begin:begin] = piece * rng.choice((1, 1, 1, 2, 40))


def _move(tokens: list[str], rng: Random) -> None:
    tokens.insert(rng.randrange(len(tokens)), tokens.pop(rng.randrange(len(tokens))))


def _insert(tokens: list[str], rng: Random) -> None:
    tokens.insert(rng.randint(0, len(tokens)), rng.choice(STRANGERS))


def _replace(tokens: list[str], rng: Random) -> None:
    tokens[rng.randrange(len(tokens))] = rng.choice(STRANGERS)


def _borrow(tokens: list[str], rng: Random) -> None:
    tokens[rng.randrange(len(tokens))] = rng.choice(tokens)


def _cut(tokens: list[str], rng: Random) -> None:
    del tokens[rng.randrange(len(tokens)) :]


def _nest(tokens: list[str], rng: Random) -> None:
    at = rng.randrange(len(tokens))
    before, after = rng.choice(BRACKETS)
    depth = rng.choice((1, 2, 50, 150, DEEPEST))
    tokens[at] = before * depth + tokens[at] + after * depth


DAMAGES: Sequence[Damage] = (
    *(_drop, _drop, _double, _move, _move, _insert, _insert, _replace, _replace),
    *(_borrow, _borrow, _borrow, _cut, _nest),
)


def damaged(text: str, others: Sequence[str], rng: Random) -> str:
    """The text with a few pieces changed, or, now and then, with the end of another one."""
    tokens = tokens_of(text)
    if rng.random() < 0.1:
        other = tokens_of(rng.choice(others))
        tokens = tokens[: rng.randint(0, len(tokens))] + other[rng.randint(0, len(other)) :]
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 6))):
        if tokens:
            rng.choice(DAMAGES)(tokens, rng)
    return "".join(tokens)
