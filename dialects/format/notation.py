"""
Reads format lines.

    format  := '(' [ mode { ',' mode } ] ')' '->' '(' [ level { ',' level } ] ')' { ',' width }
    level   := expr ':' kind [ '(' [ option { ',' option } ] ')' ]
    option  := name | 'non'name | name value | name '=' value
    width   := ('pos' | 'crd') '=' ('i32' | 'i64')

MLIR's `posWidth = 64` and `crdWidth = 64` are read too. `str` of a format is its line.
"""

from functools import lru_cache
from typing import Final, Literal, TypedDict

from tamale.dialects.format.expression_parser import ExpressionParser, integer_value, is_reserved
from tamale.dialects.format.level import PROPERTY_NAMES, Level, OptionValue
from tamale.dialects.format.spec import WIDTHS, Format, Width
from tamale.dialects.format.tokens import Cursor, FormatSyntaxError, Token
from tamale.dialects.format.verify import Part, problems, with_defaults_omitted

_WIDTH_NAMES: Final[dict[str, Literal["pos", "crd"]]] = {
    "pos": "pos",
    "posWidth": "pos",
    "crd": "crd",
    "crdWidth": "crd",
}
_WIDTH_VALUES: Final[dict[str, Width]] = {
    **{width: width for width in WIDTHS},
    **{width.removeprefix("i"): width for width in WIDTHS},
}


@lru_cache(maxsize=1024)
def parse_format(text: str) -> Format:
    """
    The format that the line `text` denotes; equal lines give the same object.

    Raises:
        FormatSyntaxError: pointing at what cannot be read or breaks a rule.

    >>> str(parse_format("(i,j)->(i floordiv 2:dense, i mod 2:dense, j:compressed(unique))"))
    '(i, j) -> (i / 2 : dense, i % 2 : dense, j : compressed)'
    """
    return FormatParser(text).parse()


class FormatParser:
    """Reads one format line, remembering where its parts are for messages."""

    def __init__(self, text: str):
        self.text = text
        self.cursor = Cursor(text)
        self.spans: dict[tuple[Part, int], tuple[int, int]] = {}

    def parse(self) -> Format:
        """The format of the whole text, verified."""
        return self.checked(self.parse_line())

    def parse_line(self) -> Format:
        """The format of the whole text as it is written, not verified."""
        modes = self._parse_modes()
        self.cursor.expect("->", "after the modes")
        levels = self._parse_levels()
        widths = parse_widths(self.cursor)
        self.cursor.expect_end("the format")
        return Format(modes, levels, **widths)

    def checked(self, format: Format) -> Format:
        """`format` with default options left out, if it obeys all rules."""
        found = problems(format)
        if found:
            start, end = self.spans[found[0].part, found[0].number]
            messages = "; ".join(problem.message for problem in found)
            raise FormatSyntaxError(messages, self.text, start, end)
        return with_defaults_omitted(format)

    def _parse_modes(self) -> tuple[str, ...]:
        if self.cursor.token.text != "(":
            self.cursor.fail(
                "a format line starts with the modes in parentheses, "
                f"such as '(i, j) -> (i : dense, j : compressed)', got {self.cursor.token.shown}"
            )
        self.cursor.take()
        modes: list[str] = []
        while not self.cursor.accept(")"):
            if modes:
                self.cursor.expect(",", "or ')' after a mode")
            modes.append(self._parse_mode(len(modes)))
        return tuple(modes)

    def _parse_mode(self, number: int) -> str:
        token = self.cursor.expect_word("the name of a mode")
        if is_reserved(token):
            self.cursor.fail(f"{token.shown} is a reserved word and cannot name a mode", token)
        self.spans["mode", number] = token.start, token.end
        return token.text

    def _parse_levels(self) -> tuple[Level, ...]:
        self.cursor.expect("(", "before the levels")
        levels: list[Level] = []
        while not self.cursor.accept(")"):
            if levels:
                self.cursor.expect(",", f"or ')' after level {len(levels)}")
            levels.append(self._parse_level(len(levels)))
        return tuple(levels)

    def _parse_level(self, number: int) -> Level:
        start = self.cursor.token.start
        expression = ExpressionParser(self.cursor).parse()
        self.spans["expression", number] = start, self.cursor.previous_end
        name = f"level {number + 1} ('{self.text[start : self.cursor.previous_end]}')"
        self.cursor.expect(":", f"and a level kind after the expression of {name}")
        kind = self.cursor.expect_word(f"the kind of {name}, such as 'dense'")
        self.spans["kind", number] = kind.start, kind.end
        options = self._parse_options(number) if self.cursor.token.text == "(" else ()
        self.spans["level", number] = start, self.cursor.previous_end
        return Level(expression, kind.text, options)

    def _parse_options(self, number: int) -> tuple[tuple[str, OptionValue], ...]:
        start = self.cursor.take().end
        options: list[tuple[str, OptionValue]] = []
        while self.cursor.token.text != ")":
            if options:
                self.cursor.expect(",", "or ')' after an option")
            options.append(self._parse_option())
        self.spans["options", number] = start, self.cursor.token.start
        self.cursor.take()
        return tuple(options)

    def _parse_option(self) -> tuple[str, OptionValue]:
        name = self.cursor.expect_word("an option of the level, such as 'nonunique'").text
        if self.cursor.accept("=") or self.cursor.token.text not in (",", ")"):
            return name, self._parse_option_value(name)
        switched_off = name.removeprefix("non")
        if name not in PROPERTY_NAMES and switched_off in PROPERTY_NAMES:
            return switched_off, False
        return name, True

    def _parse_option_value(self, name: str) -> OptionValue:
        negative = self.cursor.accept("-")
        token = self.cursor.token
        if token.is_integer and (value := integer_value(token)) is not None:
            self.cursor.take()
            return -value if negative else value
        if not negative and token.is_word:
            self.cursor.take()
            return {"true": True, "false": False}.get(token.text, token.text)
        self.cursor.fail(f"expected an integer or a word as the value of option '{name}'")


class Widths(TypedDict, total=False):
    """The widths that a text gives."""

    pos: Width
    crd: Width


def parse_widths(cursor: Cursor) -> Widths:
    """The widths of positions and coordinates in `, pos = i64, crd = i64`, both optional."""
    widths: Widths = {}
    while cursor.accept(","):
        name = cursor.token
        array = _WIDTH_NAMES.get(name.text)
        if array is None:
            cursor.fail(f"expected 'pos' or 'crd' and its width, got {name.shown}")
        if array in widths:
            cursor.fail(f"the width of '{array}' is given twice")
        cursor.take()
        cursor.expect("=", f"after '{name.text}'")
        widths[array] = _parse_width(cursor, cursor.take())
    return widths


def _parse_width(cursor: Cursor, token: Token) -> Width:
    width = _WIDTH_VALUES.get(token.text)
    if width is None:
        cursor.fail(f"expected an index width, {' or '.join(WIDTHS)}, got {token.shown}", token)
    return width
