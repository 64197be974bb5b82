"""Raw text is taken exactly, and lexing goes on behind it."""

import re

import pytest
from xdsl.context import Context
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from tamale.dialects.raw_text import take_until, take_until_closing


def parser_of(text: str) -> Parser:
    return Parser(Context(), text)


@pytest.mark.parametrize(
    "body",
    [
        "",
        " i & ~j ",
        "(i >> 2) -> (j < 3, i << 1)",
        "a<b<c>>, [>], {<}",
        '">" : "\\">"',
        "# ^ % ! @ $",
    ],
)
def test_up_to_the_closing_bracket(body: str):
    parser = parser_of(f"<{body}> after")
    text = take_until_closing(parser)
    assert text == (body, 1)
    assert parser.parse_identifier() == "after"


def test_comments_become_blanks():
    parser = parser_of('<a // >\n "//" b>')
    assert take_until_closing(parser).text == 'a     \n "//" b'


@pytest.mark.parametrize(
    "text, column, message",
    [
        ("x>", 1, "'<' expected"),
        ("<a", 1, "this '<' is never closed"),
        ("<a (b>", 4, "this '(' is never closed"),
        ("<a (b]>", 4, "this '(' is never closed"),
        ("<a )>", 1, "this '<' is never closed"),
        ("<a <b>", 1, "this '<' is never closed"),
    ],
)
def test_brackets_that_do_not_match(text: str, column: int, message: str):
    with pytest.raises(ParseError) as error:
        take_until_closing(parser_of(text))
    assert error.value.msg == message
    assert error.value.span.get_location().col == column


def test_until_a_pattern():
    parser = parser_of("in A.i & ~B.i // not {\n | # {}")
    text = take_until(parser, re.compile(r"\{"))
    assert text == (" A.i & ~B.i         \n | # ", 2)
    parser.parse_punctuation("{")
    parser.parse_punctuation("}")


@pytest.mark.parametrize("end", ["\n next", ""])
def test_until_the_end_of_the_line(end: str):
    parser = parser_of(f"= ~x{end}")
    assert take_until(parser, re.compile(r"\n|\Z")).text == " ~x"
    assert parser.parse_optional_identifier() == (end.strip() or None)


def test_a_pattern_that_never_comes():
    with pytest.raises(ParseError, match=r"'{' expected behind this"):
        take_until(parser_of("in A.i // {"), re.compile(r"\{"), expected="'{'")
    with pytest.raises(ParseError, match=r"expected behind this"):
        take_until(parser_of("in A.i"), re.compile(r"\{"))
