"""Tokens: kinds, spans, characters that are none."""

import re

import pytest

from tamale.dialects.errors import NotationError
from tamale.dialects.notation.lexer import MAX_LENGTH, tokenize


def kinds(text: str) -> list[tuple[str, str]]:
    return [(token.kind, token.text) for token in tokenize(text)]


def test_kinds_and_the_end():
    assert kinds("y_1[i] += .5e-3*2j ") == [
        ("name", "y_1"),
        ("symbol", "["),
        ("name", "i"),
        ("symbol", "]"),
        ("assign", "+="),
        ("number", ".5e-3"),
        ("symbol", "*"),
        ("number", "2j"),
        ("end", ""),
    ]


def test_spans_are_offsets_and_the_end_is_after_the_last_character():
    assert [token.span for token in tokenize(" ab\n+ 1. \n")] == [(1, 3), (4, 5), (6, 8), (8, 8)]


@pytest.mark.parametrize("text", ["1", "12.", ".5", "1e5", "1E+5", "1.5e-7", "3J", "007"])
def test_numbers_are_one_token(text: str):
    assert kinds(text) == [("number", text), ("end", "")]


@pytest.mark.parametrize("space", [" ", "\t", "\r\n", "\N{NO-BREAK SPACE}"])
def test_white_space_separates(space: str):
    assert kinds(f"a{space}b") == [("name", "a"), ("name", "b"), ("end", "")]


@pytest.mark.parametrize(
    "character, help",
    [
        ("@", "C(i,k) = A(i,j) * B(j,k)"),
        ("'", "A(j,i)"),
        ("^", "xor(a, b)"),
        ("|", "or(a, b)"),
        ("&", "and(a, b)"),
        ("~", "unless(a, b)"),
        ("{", "A(i,j)"),
        (";", "one assignment"),
        ("\N{MINUS SIGN}", "write -"),
        ("\N{MULTIPLICATION SIGN}", "write *"),
        ("\N{N-ARY SUMMATION}", "write sum"),
        ("\N{GREEK SMALL LETTER ALPHA}", "names use"),
    ],
)
def test_unknown_characters_get_a_replacement(character: str, help: str):
    with pytest.raises(
        NotationError, match=f"(?s)unknown character '.'.*help: .*{re.escape(help)}"
    ) as error:
        tokenize(f"y = a {character} b")
    assert str(error.value).splitlines()[2] == " " * 8 + "^"


@pytest.mark.parametrize("character, name", [("\0", "U[+]0000"), ("\ud800", "U[+]D800")])
def test_invisible_characters_are_named_and_never_printed(character: str, name: str):
    with pytest.raises(NotationError, match=f"unknown character {name}\n  y = [?]\n") as error:
        tokenize(f"y = {character}")
    assert str(error.value).encode()


def test_the_length_is_bounded():
    assert len(tokenize("a" * MAX_LENGTH)) == 2
    with pytest.raises(NotationError, match=f"{MAX_LENGTH + 1} characters; the limit is 65536"):
        tokenize("a" * (MAX_LENGTH + 1))
