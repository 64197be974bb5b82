"""
Reads the text of MLIR's sparse tensor encodings.

    encoding := '{' entry { ',' entry } '}'
    entry    := 'map' '=' map | 'posWidth' '=' integer | 'crdWidth' '=' integer
    map      := [ '{' names '}' ] '(' dimensions ')' '->' '(' level { ',' level } ')'
    dimensions := name [ '=' expr ] { ',' name [ '=' expr ] }      an expr is part of the inverse
    level    := [ name '=' ] expr ':' type [ '[' sizes ']' ] [ '(' property { ',' property } ')' ]
"""

from __future__ import annotations

from typing import Final, TypedDict

from tamale.dialects.format.expression_parser import ExpressionParser, integer_value
from tamale.dialects.format.expressions import Expr, Var, free_variables
from tamale.dialects.format.substitution import substitute
from tamale.dialects.format.tokens import Cursor, did_you_mean
from tamale.dialects.sparse_tensor.encoding import EncodedLevel, Encoding, dimension

LEVEL_TYPES: Final = (
    "dense",
    "batch",
    "compressed",
    "loose_compressed",
    "singleton",
    "structured",
)
PROPERTIES: Final = ("nonunique", "nonordered", "soa")
WIDTHS: Final = (0, 8, 16, 32, 64)


class _Widths(TypedDict, total=False):
    pos_width: int
    crd_width: int


def parse_encoding(text: str) -> Encoding:
    """
    The encoding that is written between `<` and `>`.

    Raises:
        FormatSyntaxError: pointing at what cannot be read, or is not supported.
    """
    return _EncodingParser(text).parse()


class _EncodingParser:
    """Reads one encoding."""

    def __init__(self, text: str) -> None:
        self.cursor = Cursor(text, "[]<>.")
        self.names: dict[str, Expr] = {}
        """What a dimension is called here -> what it is called in an `Encoding`."""

    def parse(self) -> Encoding:
        cursor, widths = self.cursor, _Widths()
        levels: tuple[EncodedLevel, ...] | None = None
        cursor.expect("{", "before what an encoding says")
        while not cursor.accept("}"):
            if levels is not None or widths:
                cursor.expect(",", "or '}' after an entry")
            entry = cursor.expect_word("'map', 'posWidth' or 'crdWidth'")
            cursor.expect("=", f"after '{entry.text}'")
            match entry.text:
                case "map":
                    levels = self._parse_map()
                case "posWidth":
                    widths["pos_width"] = self._parse_width()
                case "crdWidth":
                    widths["crd_width"] = self._parse_width()
                case _:
                    cursor.fail(f"'{entry.text}' of encodings is not supported", entry)
        cursor.expect_end("the encoding")
        if levels is None:
            cursor.fail("an encoding has a 'map'")
        return Encoding(len(self.names), levels, **widths)

    def _parse_width(self) -> int:
        token = self.cursor.token
        width = integer_value(token) if token.is_integer else None
        if width not in WIDTHS:
            self.cursor.fail(f"a width is one of {', '.join(map(str, WIDTHS))}")
        self.cursor.take()
        return width

    def _parse_map(self) -> tuple[EncodedLevel, ...]:
        cursor = self.cursor
        if cursor.token.text == "[":
            cursor.fail("symbols in maps are not supported")
        if cursor.accept("{"):
            while not cursor.accept("}"):  # Names of levels; where they are given says enough.
                cursor.take()
        cursor.expect("(", "before the dimensions")
        while not cursor.accept(")"):
            if self.names:
                cursor.expect(",", "or ')' after a dimension")
            self._parse_dimension()
        cursor.expect("->", "after the dimensions")
        cursor.expect("(", "before the levels")
        levels: list[EncodedLevel] = []
        while not cursor.accept(")"):
            if levels:
                cursor.expect(",", f"or ')' after level {len(levels)}")
            levels.append(self._parse_level())
        if not levels:
            cursor.fail("an encoding has levels")
        return tuple(levels)

    def _parse_dimension(self) -> None:
        name = self.cursor.expect_word("the name of a dimension")
        if name.text in self.names:
            self.cursor.fail(f"dimension '{name.text}' is named twice", name)
        self.names[name.text] = Var(dimension(len(self.names)))
        if self.cursor.accept("="):
            ExpressionParser(self.cursor).parse()
        if self.cursor.token.text == ":":
            self.cursor.fail("slices of dimensions are not supported")

    def _parse_level(self) -> EncodedLevel:
        cursor = self.cursor
        if cursor.ahead(1).text == "=":
            cursor.take()
            cursor.take()
        start = cursor.token
        expression = ExpressionParser(cursor).parse()
        cursor.expect(":", "and a level type after an expression")
        type = cursor.expect_word("a level type")
        if type.text not in LEVEL_TYPES:
            hint = did_you_mean(type.text, LEVEL_TYPES)
            cursor.fail(f"MLIR has no level type '{type.text}'{hint}", type)
        sizes = self._parse_sizes() if cursor.token.text == "[" else ()
        properties = self._parse_properties() if cursor.token.text == "(" else ()
        strangers = sorted(free_variables(expression) - self.names.keys())
        if strangers:
            cursor.fail(f"'{strangers[0]}' is no dimension", start)
        return EncodedLevel(substitute(expression, self.names), type.text, sizes, properties)

    def _parse_sizes(self) -> tuple[int, ...]:
        self.cursor.take()
        sizes: list[int] = []
        while not self.cursor.accept("]"):
            if sizes:
                self.cursor.expect(",", "or ']' after a size")
            token = self.cursor.token
            value = integer_value(token) if token.is_integer else None
            if value is None:
                self.cursor.fail("expected a size")
            self.cursor.take()
            sizes.append(value)
        return tuple(sizes)

    def _parse_properties(self) -> tuple[str, ...]:
        self.cursor.take()
        found: set[str] = set()
        while not self.cursor.accept(")"):
            if found:
                self.cursor.expect(",", "or ')' after a property")
            token = self.cursor.expect_word("a property")
            if token.text not in PROPERTIES:
                hint = did_you_mean(token.text, PROPERTIES)
                self.cursor.fail(f"MLIR's levels have no property '{token.text}'{hint}", token)
            found.add(token.text)
        return tuple(name for name in PROPERTIES if name in found)
