"""What the loops of cin and cfir go over: a set, and levels that are located or sought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from xdsl.dialects.builtin import ArrayAttr
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.cin.attributes import SetAttr
from tamale.dialects.cin.sets import Intersection, SetExpr, Stored, parse_set, set_text
from tamale.dialects.cin.text import text_after_keyword
from tamale.dialects.errors import TamaleError
from tamale.dialects.raw_text import read


def leaves_attribute(found: Sequence[Stored]) -> ArrayAttr[SetAttr]:
    """Levels as a property."""
    return ArrayAttr([SetAttr(leaf) for leaf in found])


def leaves_of(attribute: ArrayAttr[SetAttr] | None) -> tuple[Stored, ...]:
    """The levels of such a property."""
    return tuple(cast(Stored, leaf.data) for leaf in attribute or ())


class WalkLike(Protocol):
    """A loop of cin or of cfir."""

    @property
    def name(self) -> str: ...
    @property
    def domain(self) -> SetAttr: ...
    @property
    def sought(self) -> ArrayAttr[SetAttr] | None: ...
    @property
    def located_leaves(self) -> tuple[Stored, ...]: ...
    @property
    def sought_leaves(self) -> tuple[Stored, ...]: ...


@dataclass(frozen=True)
class Walk:
    """What a loop goes over: `A.k & B.k seeking B.k with x.k = k`."""

    domain: SetExpr
    located: Sequence[Stored] = ()
    sought: Sequence[Stored] = ()

    @property
    def text(self) -> str:
        sought = ", ".join(map(set_text, self.sought))
        clauses = located_text(self.located)
        return (
            set_text(self.domain)
            + (f" seeking {sought}" if sought else "")
            + (f" with {clauses}" if clauses else "")
        )


def walk_of(op: WalkLike) -> Walk:
    return Walk(op.domain.data, op.located_leaves, op.sought_leaves)


def verify_sought(op: WalkLike) -> None:
    """Only where all levels are needed can entries of one be passed over."""
    domain = op.domain.data
    met = domain.sets if isinstance(domain, Intersection) else ()
    needed = met if all(isinstance(s, Stored) for s in met) else ()
    for attribute in op.sought or ():
        if attribute.data not in needed:
            raise VerifyException(
                f"{op.name}: '{set_text(attribute.data)}' can be sought only in an intersection of "
                f"levels that has it, not in '{set_text(domain)}'"
            )


def located_text(located: Sequence[Stored]) -> str:
    """`B.i = i, C.i = i`."""
    return ", ".join(f"{set_text(leaf)} = {leaf.variable}" for leaf in located)


def parse_walk(parser: Parser, keyword: str, stop: str) -> Walk:
    """What follows `keyword` up to `stop`: the inverse of `Walk.text`."""
    start = parser.pos
    text = text_after_keyword(parser, keyword, stop)
    if text is None:
        parser.raise_error(f"expected '{keyword}' and a set expression")
    return read(parser, start, text, _walk)


def _walk(text: str) -> Walk:
    walked, _, clauses = text.partition(" with ")
    domain, _, sought = walked.partition(" seeking ")
    found = [_parse_level(leaf) for leaf in sought.split(",") if leaf.strip()]
    return Walk(parse_set(domain), parse_clauses(clauses), found)


def _parse_level(text: str) -> Stored:
    leaf = parse_set(text)
    if not isinstance(leaf, Stored):
        raise TamaleError(f"expected a level to seek, such as 'B.i', got '{text.strip()}'")
    return leaf


def parse_clauses(text: str) -> list[Stored]:
    """The inverse of `located_text`."""
    return [_parse_clause(clause) for clause in text.split(",") if clause.strip()]


def _parse_clause(text: str) -> Stored:
    leaf_text, _, variable = text.partition("=")
    leaf = parse_set(leaf_text)
    if not isinstance(leaf, Stored) or leaf.variable != variable.strip():
        raise TamaleError(f"expected a clause such as 'B.i = i', got '{text.strip()}'")
    return leaf
