"""
Level variables: what the loops over a tensor's levels are called.

The level variable of a level that stores a mode is the index variable of that mode. A level that
stores an expression has a variable named after it, `j - i` is `j_sub_i`, so that accesses with
equal expressions share loops. Numbers that a counter gives to the entries of a tensor mean nothing
elsewhere: such a level has a variable of its own, `A1` for the first level of A.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from zlib import crc32

from tamale.dialects.format.expressions import (
    Binary,
    Const,
    Expr,
    Operator,
    Var,
    counters,
    free_variables,
    to_text,
)
from tamale.dialects.format.invert import invert
from tamale.dialects.format.normal import normalize
from tamale.dialects.format.spec import Format
from tamale.dialects.format.substitution import inline_lets, substitute
from tamale.dialects.notation.ast import Access

WORDS: Final[dict[Operator, str]] = {
    "|": "or",
    "^": "xor",
    "&": "and",
    "<<": "shl",
    ">>": "shr",
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "%": "mod",
}

LONGEST_NAME: Final = 32
"""Names of longer expressions, such as Morton codes, say which variables are in it."""


@dataclass(frozen=True)
class DerivedMode:
    """An index variable that no level stores, as an expression over level variables."""

    variable: str
    value: Expr
    level: int
    """The level after which it is known."""


@lru_cache(maxsize=1024)
def level_variables(access: Access, format: Format) -> tuple[str, ...]:
    """
    The level variable of each level, outermost first.

    >>> from tamale.dialects.format.named import resolve_format
    >>> level_variables(Access("A", ("r", "c")), resolve_format("bcsr(2, 3)"))
    ('r_div_2', 'c_div_3', 'r_mod_2', 'c_mod_3')
    """
    names: list[str] = []
    for k, level in enumerate(format.levels):
        expression = in_index_variables(level.expression, access, format)
        match expression:
            case Var(name):
                pass
            case _ if counters(expression):
                name = f"{access.tensor}{k + 1}"
            case _:
                name = expression_name(expression)
        while name in names or (name in access.indices and not isinstance(expression, Var)):
            name += "_"
        names.append(name)
    return tuple(names)


def in_index_variables(expression: Expr, access: Access, format: Format) -> Expr:
    """A level expression of the format with the access's index variables, in normal form."""
    variables = zip(format.modes, map(Var, access.indices), strict=True)
    return normalize(substitute(inline_lets(expression), dict(variables)))


def expression_name(expression: Expr) -> str:
    """
    A name that no other expression has.

    Operators are read from left to right: `(j - i) / 2` is `j_sub_i_div_2`. What cannot be read so,
    or is too long, gets a number.

    >>> from tamale.dialects.format.expression_parser import parse_expression
    >>> [expression_name(parse_expression(text)) for text in ("j - i", "j - i / 2")]
    ['j_sub_i', 'j_sub_i_div_2_ee55']
    """
    words, exact = _words(expression)
    if len(words) > LONGEST_NAME:
        words, exact = "_".join((*sorted(free_variables(expression)), "code")), False
    if words[0].isdigit():
        words = f"c{words}"
    return words if exact else f"{words}_{crc32(to_text(expression).encode()) & 0xFFFF:04x}"


def _words(expression: Expr) -> tuple[str, bool]:
    """The expression in words, and whether they say it all."""
    match expression:
        case Binary(op, lhs, rhs):
            left, left_exact = _words(lhs)
            right, right_exact = _words(rhs)
            exact = left_exact and right_exact and not isinstance(rhs, Binary)
            return f"{left}_{WORDS[op]}_{right}", exact
        case Const(value):
            return f"minus{-value}" if value < 0 else str(value), True
        case _:
            return to_text(expression), True


@lru_cache(maxsize=1024)
def derived_modes(access: Access, format: Format) -> tuple[DerivedMode, ...]:
    """
    The index variables that are no level variable, in the order in which the levels tell them.

    Raises:
        FormatError: the levels do not determine every mode.

    >>> from tamale.dialects.format.named import resolve_format
    >>> [(d.variable, to_text(d.value), d.level)
    ...  for d in derived_modes(Access("A", ("r", "c")), resolve_format("bcsr(2, 3)"))]
    [('r', 'r_div_2 * 2 + r_mod_2', 2), ('c', 'c_div_3 * 3 + c_mod_3', 3)]
    """
    if format.is_permutation:
        return ()
    own = level_variables(access, format)
    names = {f"l{k}": Var(name) for k, name in enumerate(own)}
    derived: list[DerivedMode] = []
    for variable, value in zip(access.indices, invert(format), strict=True):
        if variable not in own:
            needed = free_variables(value)
            last = max((k for k in range(len(own)) if f"l{k}" in needed), default=0)
            derived.append(DerivedMode(variable, substitute(value, names), last))
    return tuple(sorted(derived, key=lambda mode: mode.level))
