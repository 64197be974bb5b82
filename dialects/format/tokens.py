"""Tokens of format lines and remappings, and errors that point at them."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple, NoReturn

from tamale.dialects.errors import FormatError
from tamale.dialects.lazy import load
from tamale.dialects.token_walk import TokenWalk


class FormatSyntaxError(FormatError):
    """
    A format line that cannot be read: `str` is the message above the line with a caret.

    `message` alone and the offsets `start` and `end` serve tools that show the line
    themselves.
    """

    def __init__(self, message: str, text: str, start: int, end: int):
        super().__init__(f"format: {message}\n{underlined(text, start, end)}")
        self.message = message
        self.text = text
        self.start = start
        self.end = end

    def __reduce__(self) -> tuple[type[FormatError], tuple[str, str, int, int]]:
        return FormatSyntaxError, (self.message, self.text, self.start, self.end)


def underlined(text: str, start: int, end: int) -> str:
    """
    The line of `text` around `start`, with a caret under it.

    >>> print(underlined("(i) -> (j)", 8, 9))
      (i) -> (j)
              ^
    """
    line_start = text.rfind("\n", 0, start) + 1
    line = text[line_start:].partition("\n")[0].expandtabs(1)
    width = max(min(end, line_start + len(line)) - start, 1)
    return f"  {line}\n  {' ' * (start - line_start)}^{'~' * (width - 1)}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """
    A hint to the known word that is most like `word`, empty if none is.

    >>> did_you_mean("compresed", ["compressed", "dense"])
    " (did you mean 'compressed'?)"
    """
    close = load("difflib:get_close_matches")(word, known, n=1)
    return f" (did you mean '{close[0]}'?)" if close else ""


class Token(NamedTuple):
    """A word, an integer or a punctuation mark; the last one has the text ''."""

    text: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        return self.text[:1].isalpha() or self.text[:1] == "_"

    @property
    def is_integer(self) -> bool:
        return self.text[:1].isdigit()

    @property
    def shown(self) -> str:
        return f"'{self.text}'" if self.text else "the end"


_TOKEN: Final = re.compile(
    r"\s*(?P<token>[A-Za-z_]\w*|0[xX][0-9a-fA-F]+|[0-9]+|->|<<|>>|//|[()+\-*/%&|^#{}:,=]|$|.)",
    re.ASCII | re.DOTALL,
)
_PUNCTUATION: Final = frozenset("( ) + - * / % & | ^ # { } : , = -> << >> //".split())


def tokenize(text: str, brackets: str = "") -> list[Token]:
    """
    The tokens of `text`, the end included; `brackets` are punctuation besides that of format lines.

    Raises:
        FormatSyntaxError: a character that the notation does not have.
    """
    tokens: list[Token] = []
    position = 0
    while not tokens or tokens[-1].text:
        match = _TOKEN.match(text, position)
        assert match is not None, "the pattern ends in any character or the end"
        token = Token(match["token"], *match.span("token"))
        known = token.is_word or token.is_integer or token.text in _PUNCTUATION
        if not known and token.text not in brackets:
            _reject_character(token, text)
        tokens.append(token)
        position = token.end
    return tokens


def _reject_character(token: Token, text: str) -> NoReturn:
    message = f"{token.text!r} has no meaning in a format line"
    raise FormatSyntaxError(message, text, token.start, token.end)


class Cursor(TokenWalk[Token]):
    """A place in the tokens of a text, for recursive-descent parsers."""

    def __init__(self, text: str, brackets: str = ""):
        super().__init__(tokenize(text, brackets))
        self.text = text

    @property
    def previous_end(self) -> int:
        """Where the last token that was taken ends."""
        return self.previous.end if self.index else 0

    def expect(self, text: str, where: str) -> Token:
        """Takes the next token, which must read `text`."""
        if self.token.text != text:
            self.fail(f"expected '{text}' {where}, got {self.token.shown}")
        return self.take()

    def expect_word(self, what: str) -> Token:
        """Takes the next token, which must be a word."""
        if not self.token.is_word:
            self.fail(f"expected {what}, got {self.token.shown}")
        return self.take()

    def expect_end(self, after: str) -> None:
        if self.token.text:
            self.fail(f"{self.token.shown} after the end of {after}")

    def fail(self, message: str, token: Token | None = None) -> NoReturn:
        """Raises an error that points at `token`, by default the next one."""
        at = token or self.token
        raise FormatSyntaxError(message, self.text, at.start, at.end)
