"""
Set expressions: which coordinates a loop visits.

    A.i         the coordinates of i stored in access A, below the current position of its parent
    level U.i         every coordinate of i
    S | T, S & T, ~S

Immutable values with value equality; the algebra (`passes/algebra`) works on them directly, and
the IR carries them as `#cin.set<A.i | B.i>`. A leaf names an *access*, not a tensor: the two P's
of `P' A P` are different leaves.

Source: Root et al., OOPSLA 2024 (set expressions); Henry and Hsu et al., OOPSLA 2021 (complement).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from tamale.dialects.errors import TamaleError


@dataclass(frozen=True, slots=True)
class Stored:
    """The coordinates of `variable` stored in `access`."""

    access: str
    variable: str


@dataclass(frozen=True, slots=True)
class Universe:
    """Every coordinate of `variable`."""

    variable: str


@dataclass(frozen=True, slots=True)
class Empty:
    """No coordinate."""


@dataclass(frozen=True, slots=True)
class Union:
    """Coordinates of at least one of `sets`."""

    sets: tuple[SetExpr, ...]


@dataclass(frozen=True, slots=True)
class Intersection:
    """Coordinates of all of `sets`."""

    sets: tuple[SetExpr, ...]


@dataclass(frozen=True, slots=True)
class Complement:
    """Coordinates that are not of `set`."""

    set: SetExpr


SetExpr: TypeAlias = Stored | Universe | Empty | Union | Intersection | Complement
EMPTY = Empty()


def children(expression: SetExpr) -> tuple[SetExpr, ...]:
    match expression:
        case Union(sets) | Intersection(sets):
            return sets
        case Complement(inner):
            return (inner,)
        case _:
            return ()


def walk(expression: SetExpr) -> Iterator[SetExpr]:
    """The expression and everything below it, outside in, left to right."""
    yield expression
    for child in children(expression):
        yield from walk(child)


@lru_cache(maxsize=4096)
def leaves(expression: SetExpr) -> tuple[Stored, ...]:
    """The stored leaves, each once, in order of appearance."""
    return tuple(dict.fromkeys(e for e in walk(expression) if isinstance(e, Stored)))


def belongs(domain: SetExpr, is_member: Callable[[Stored | Universe], bool]) -> bool:
    """Whether something is in a set, told for which leaves it is."""
    match domain:
        case Stored() | Universe():
            return is_member(domain)
        case Empty():
            return False
        case Union(sets):
            return any(belongs(s, is_member) for s in sets)
        case Intersection(sets):
            return all(belongs(s, is_member) for s in sets)
        case Complement(inner):
            return not belongs(inner, is_member)


def complemented_leaves(expression: SetExpr) -> frozenset[Stored]:
    """The stored leaves that a complement stands around."""
    return frozenset(
        leaf for e in walk(expression) if isinstance(e, Complement) for leaf in leaves(e)
    )


_PRECEDENCE = {Union: 0, Intersection: 1, Complement: 2}


def set_text(expression: SetExpr, outer: int = 0) -> str:
    """The expression as `A.i | B.i & ~C.i`, with the fewest parentheses."""
    match expression:
        case Stored(access, variable):
            return f"{access}.{variable}"
        case Universe(variable):
            return f"U.{variable}"
        case Empty():
            return "empty"
        case Complement(inner):
            return f"~{set_text(inner, 2)}"
        case Union(sets) | Intersection(sets):
            own = _PRECEDENCE[type(expression)]
            symbol = " | " if isinstance(expression, Union) else " & "
            text = symbol.join(set_text(child, own + 1) for child in sets)
            return f"({text})" if own < outer else text


_DEEPEST = 100
"""How many parentheses and complements may be inside each other."""

_TOKEN = re.compile(r"\s*(?:([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?|([|&~()]))")


def parse_set(text: str) -> SetExpr:
    """The inverse of `set_text`; a `TamaleError` names the offending part."""
    return _SetParser(text).parse()


class _SetParser:
    """Recursive descent over `|`, `&`, `~`, loosest first."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position: int = 0
        self.nesting: int = 0

    def parse(self) -> SetExpr:
        expression = self.union()
        if self.text[self.position :].strip():
            raise self.error("expected the end of the set expression")
        return expression

    def error(self, message: str) -> TamaleError:
        rest = self.text[self.position :].strip() or "the end"
        return TamaleError(f"set expression '{self.text.strip()}': {message} at '{rest}'")

    def take(self, symbol: str) -> bool:
        match = _TOKEN.match(self.text, self.position)
        if match is None or match[3] != symbol:
            return False
        self.position = match.end()
        return True

    def union(self) -> SetExpr:
        sets = [self.intersection()]
        while self.take("|"):
            sets.append(self.intersection())
        return sets[0] if len(sets) == 1 else Union(tuple(sets))

    def intersection(self) -> SetExpr:
        sets = [self.atom()]
        while self.take("&"):
            sets.append(self.atom())
        return sets[0] if len(sets) == 1 else Intersection(tuple(sets))

    def atom(self) -> SetExpr:
        self.nesting += 1
        if self.nesting > _DEEPEST:
            raise self.error(f"more than {_DEEPEST} sets are nested in each other")
        found = self.nested() or self.leaf()
        self.nesting -= 1
        return found

    def nested(self) -> SetExpr | None:
        if self.take("~"):
            return Complement(self.atom())
        if not self.take("("):
            return None
        inner = self.union()
        if not self.take(")"):
            raise self.error("expected ')'")
        return inner

    def leaf(self) -> SetExpr:
        match = _TOKEN.match(self.text, self.position)
        if match is None or match[1] is None:
            raise self.error("expected a set such as A.i or U.i")
        if match[1] == "empty" and match[2] is None:
            self.position = match.end()
            return EMPTY
        if match[2] is None:
            raise self.error("expected a set such as A.i or U.i")
        self.position = match.end()
        return Universe(match[2]) if match[1] == "U" else Stored(match[1], match[2])
