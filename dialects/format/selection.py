"""
Selections: which entries of a tensor, by comparisons of level expressions.

    selection  := comparison { '&&' comparison }
    comparison := expr ( '<' | '<=' | '>' | '>=' | '==' | '!=' ) expr

The grammar of `expr` is that of format lines. A counter `#i` counts the entries of the whole
tensor, in the order of its storage, whether they are selected or not.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, cast

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expression_parser import parse_expression
from tamale.dialects.format.expressions import (
    Binary,
    Const,
    Counter,
    Expr,
    Var,
    counters,
    free_variables,
    subexpressions,
    to_text,
)
from tamale.dialects.format.substitution import inline_lets, substitute
from tamale.dialects.format.tokens import FormatSyntaxError, did_you_mean

Symbol: TypeAlias = Literal["<", "<=", ">", ">=", "==", "!="]

NEGATIONS: Final[Mapping[Symbol, Symbol]] = MappingProxyType(
    {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
)
"""Every symbol -> the one that holds exactly where it does not."""

_SYMBOL: Final = re.compile(r"<<|>>|<=|>=|==|!=|<|>")
_SHIFTS: Final = frozenset({"<<", ">>"})


@dataclass(frozen=True)
class Comparison:
    """`lhs symbol rhs`, over modes and counters."""

    lhs: Expr
    symbol: Symbol
    rhs: Expr

    def __str__(self) -> str:
        return f"{to_text(self.lhs)} {self.symbol} {to_text(self.rhs)}"

    @property
    def counters(self) -> frozenset[Counter]:
        """The counters on either side."""
        return counters(self.lhs) | counters(self.rhs)

    def negated(self) -> "Comparison":
        """The comparison that holds where this one does not."""
        return Comparison(self.lhs, NEGATIONS[self.symbol], self.rhs)

    def renamed(self, old: tuple[str, ...], new: tuple[str, ...]) -> "Comparison":
        """The same comparison with modes called otherwise."""
        names: dict[str, Expr] = {a: Var(b) for a, b in zip(old, new, strict=True)}
        return Comparison(substitute(self.lhs, names), self.symbol, substitute(self.rhs, names))

    def verify(self, modes: tuple[str, ...]) -> None:
        """
        Raises:
            FormatError: it names something that is no mode, or divides by what may be zero.
        """
        for expression in (self.lhs, self.rhs):
            for name in sorted(free_variables(expression) - set(modes)):
                raise FormatError(
                    f"selection: '{name}' in '{self}' is no mode{did_you_mean(name, modes)}; "
                    f"modes: {', '.join(modes) or 'none'}"
                )
            for bad in _unsafe(inline_lets(expression)):
                raise FormatError(
                    f"selection: '{to_text(bad)}' in '{self}' needs a constant on the right: other "
                    "than zero to divide by, from 0 to 63 to shift by"
                )


@dataclass(frozen=True)
class Selection:
    """The entries for which every comparison holds; `str` is the notation."""

    comparisons: tuple[Comparison, ...]

    def __str__(self) -> str:
        return " && ".join(map(str, self.comparisons))

    @property
    def counts(self) -> bool:
        """Whether it depends on the order of the entries and on how many there are."""
        return any(comparison.counters for comparison in self.comparisons)

    @property
    def expressions(self) -> list[Expr]:
        """Both sides of every comparison, in order."""
        return [side for c in self.comparisons for side in (c.lhs, c.rhs)]

    def renamed(self, old: tuple[str, ...], new: tuple[str, ...]) -> "Selection":
        """The same selection with modes called otherwise."""
        return Selection(tuple(c.renamed(old, new) for c in self.comparisons))

    def verify(self, modes: tuple[str, ...]) -> None:
        """
        Raises:
            FormatError: a comparison breaks the rules, see `Comparison.verify`.
        """
        for comparison in self.comparisons:
            comparison.verify(modes)


def _unsafe(expr: Expr) -> Iterator[Expr]:
    """Divisions and shifts whose right side is not known to have a meaning."""
    if isinstance(expr, Binary) and expr.op in ("/", "%", "<<", ">>"):
        match expr.op, expr.rhs:
            case (("/" | "%"), Const(value)) if value != 0:
                pass
            case (("<<" | ">>"), Const(value)) if 0 <= value <= 63:
                pass
            case _:
                yield expr
    for child in subexpressions(expr):
        yield from _unsafe(child)


def parse_comparison(text: str) -> Comparison:
    """
    The comparison that `text` denotes.

    Raises:
        FormatSyntaxError: pointing at what cannot be read.

    >>> str(parse_comparison("#i<3"))
    '#i < 3'
    """
    found = [match for match in _SYMBOL.finditer(text) if match[0] not in _SHIFTS]
    if len(found) != 1:
        at = found[1].span() if found else (len(text.rstrip()), len(text))
        message = f"expected one comparison, such as '#i < 3', got {len(found)} in '{text.strip()}'"
        raise FormatSyntaxError(message, text, *at)
    (match,) = found
    lhs, rhs = text[: match.start()], text[match.end() :]
    return Comparison(parse_expression(lhs), cast(Symbol, match[0]), parse_expression(rhs))


@lru_cache(maxsize=1024)
def parse_selection(text: str) -> Selection:
    """
    The selection that `text` denotes.

    Raises:
        FormatSyntaxError: pointing at what cannot be read.

    >>> str(parse_selection("#i>=3&&j<10"))
    '#i >= 3 && j < 10'
    """
    return Selection(tuple(map(parse_comparison, text.split("&&"))))
