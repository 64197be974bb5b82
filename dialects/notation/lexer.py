"""
Cuts a statement into tokens.

    name        a letter or _, then letters, digits and _ (ASCII)
    number      12   0.5   .5   1e-3   2j (imaginary)
    assign      =  +=  -=  *=  /=  |=  &=
    symbol      + - * / ( ) [ ] ,
    end         once, after the last character that is not white space
"""

import re
from dataclasses import dataclass
from typing import Literal as OneOf
from typing import TypeAlias, cast

from tamale.dialects.errors import NotationError
from tamale.dialects.notation.ast import Span
from tamale.dialects.notation.diagnostics import error_at

MAX_LENGTH = 65_536
"""Longest statement that is read, in characters."""

Kind: TypeAlias = OneOf["name", "number", "assign", "symbol", "end"]

_TOKEN = re.compile(
    r"""
      (?P<name>   [A-Za-z_] [A-Za-z0-9_]* )
    | (?P<number> (?: [0-9]+ \.? [0-9]* | \. [0-9]+ ) (?: [eE] [+-]? [0-9]+ )? [jJ]? )
    | (?P<assign> [-+*/|&]? = )
    | (?P<symbol> [-+*/()\[\],] )
    """,
    re.VERBOSE,
)

_REPLACEMENTS = {
    "@": "write a matrix product as  C(i,k) = A(i,j) * B(j,k)",
    "'": "a transpose swaps the indices: A(j,i)",
    "^": "write xor(a, b); a power is a product, a * a",
    "|": "write or(a, b)",
    "&": "write and(a, b)",
    "~": "write unless(a, b) for a where b stores nothing",
    "{": "write indices in parentheses: A(i,j)",
    ";": "a statement is one assignment; write nothing after it",
    "\N{MINUS SIGN}": "write -",
    "\N{MULTIPLICATION SIGN}": "write *",
    "\N{MIDDLE DOT}": "write *",
    "\N{DOT OPERATOR}": "write *",
    "\N{N-ARY SUMMATION}": "write sum(j, ...)",
}


@dataclass(frozen=True)
class Token:
    """A piece of the statement, and where it stands."""

    kind: Kind
    text: str
    span: Span

    def __str__(self) -> str:
        return "the end of the statement" if self.kind == "end" else f"'{self.text}'"


def tokenize(text: str) -> list[Token]:
    """
    Cuts `text` into tokens, the last of kind `end`.

    Raises:
        NotationError: an unknown character, or more than MAX_LENGTH characters.
    """
    if len(text) > MAX_LENGTH:
        message = f"the statement has {len(text)} characters; the limit is {MAX_LENGTH}"
        raise error_at(text, (MAX_LENGTH, MAX_LENGTH + 1), message)
    tokens: list[Token] = []
    position, end = 0, len(text.rstrip())
    while position < end:
        if text[position].isspace():
            position += 1
            continue
        found = _TOKEN.match(text, position)
        if found is None:
            raise _unknown_character(text, position)
        tokens.append(Token(cast(Kind, found.lastgroup), found[0], found.span()))
        position = found.end()
    return [*tokens, Token("end", "", (end, end))]


def _unknown_character(text: str, position: int) -> NotationError:
    character = text[position]
    name = f"'{character}'" if character.isprintable() else f"U+{ord(character):04X}"
    help = _REPLACEMENTS.get(character, "")
    if character.isalpha():
        help = "names use the letters a-z and A-Z, digits and _"
    return error_at(text, (position, position + 1), f"unknown character {name}", help)
