"""
Parts of an IR file as raw text, for notations that xDSL's lexer cannot read.

The lexer has no `&`, `~` or lone `#`, and it is always one token ahead. So a parser takes
raw text while the last ordinary token before it is still the current one:

    take_until_closing(parser)              current token: the `<` before the text
    take_until(parser, re.compile(r"\\{"))    current token: the last one before the text

Either way lexing goes on right behind the text. Comments in it are blanked out, so that
offsets in the text plus `start` are positions in the file.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple, NoReturn, TypeVar

from xdsl.parser import AttrParser

from tamale.dialects.errors import TamaleError

T = TypeVar("T")

_COMMENT: Final = r"//[^\n]*"
_STRING: Final = r'"(?:[^"\\\n]|\\.)*"'
_BODY_TOKEN: Final = re.compile(rf"{_COMMENT}|{_STRING}|->|[()\[\]{{}}<>]")
_OPENING: Final = {")": "(", "]": "[", "}": "{", ">": "<"}


class RawText(NamedTuple):
    """A piece of a file."""

    text: str
    """As in the file, comments replaced by blanks."""
    start: int
    """Where the text starts in the file."""


def take_until_closing(parser: AttrParser) -> RawText:
    """
    The text between the `<` that is the current token and its `>`, which is taken too.

    Brackets of all kinds nest. Inside `()`, `[]` and `{}` a `<` or `>` is an operator
    and closes nothing, so that `(i >> 2)` is safe; `->` never closes.
    """
    if parser._current_token.text != "<":  # pyright: ignore[reportPrivateUsage]
        parser.raise_error("'<' expected")
    start = parser._current_token.span.end  # pyright: ignore[reportPrivateUsage]
    end = _find_closing(parser, start)
    text = _without_comments(parser, start, end)
    parser._resume_from(end + 1)  # pyright: ignore[reportPrivateUsage]
    return text


def _find_closing(parser: AttrParser, start: int) -> int:
    """The position of the `>` that closes the `<` just before `start`."""
    open_brackets = [("<", start - 1)]
    for match in _BODY_TOKEN.finditer(parser.lexer.input.content, start):
        bracket = match.group()
        in_angles = open_brackets[-1][0] == "<"
        if bracket in ("(", "[", "{") or (bracket == "<" and in_angles):
            open_brackets.append((bracket, match.start()))
        elif bracket in (")", "]", "}") or (bracket == ">" and in_angles):
            if open_brackets[-1][0] != _OPENING[bracket]:
                _report_unclosed(parser, *open_brackets[-1])
            open_brackets.pop()
            if not open_brackets:
                return match.start()
    _report_unclosed(parser, *open_brackets[-1])


def _report_unclosed(parser: AttrParser, bracket: str, position: int) -> NoReturn:
    parser.raise_error(f"this '{bracket}' is never closed", position, position + 1)


def take_until(parser: AttrParser, stop: re.Pattern[str], *, expected: str = "") -> RawText:
    r"""
    The text from the end of the current token up to the next match of `stop`.

    The current token is taken; the match of `stop` is not and may be lexed next. Comments
    are skipped while looking for `stop`.

    Args:
        stop: what ends the text; add `|\Z` to let the end of the file end it as well.
        expected: how an error names what `stop` matches; its pattern by default.
    """
    start = parser._current_token.span.end  # pyright: ignore[reportPrivateUsage]
    either = re.compile(rf"(?P<comment>{_COMMENT})|(?:{stop.pattern})", stop.flags)
    for match in either.finditer(parser.lexer.input.content, start):
        if match["comment"] is None:
            text = _without_comments(parser, start, match.start())
            parser._resume_from(match.start())  # pyright: ignore[reportPrivateUsage]
            return text
    what = expected or f"'{stop.pattern}'"
    parser.raise_error(f"{what} expected behind this", start - 1, start)


def _without_comments(parser: AttrParser, start: int, end: int) -> RawText:
    text = parser.lexer.input.content[start:end]
    return RawText(re.sub(rf"({_STRING})|{_COMMENT}", _blank_comment, text), start)


def _blank_comment(match: re.Match[str]) -> str:
    return match[1] or " " * len(match.group())


def read(parser: AttrParser, start: int, text: str, reader: Callable[[str], T]) -> T:
    """What `reader` makes of a text that was taken from `start` up to here."""
    try:
        return reader(text)
    except TamaleError as error:
        parser.raise_error(str(error), start, parser.pos)


def read_until_closing(parser: AttrParser, reader: Callable[[str], T]) -> T:
    """What `reader` makes of the text in angle brackets."""
    start = parser.pos
    return read(parser, start, take_until_closing(parser).text, reader)
