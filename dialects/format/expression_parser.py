"""
Reads level expressions.

    expr    := { name '=' sum 'in' } sum
    sum     := factor { operator factor }      C precedence, left-associative
    factor  := '(' expr ')' | '-' factor | integer | name | counter
    counter := '#' { name } | '#' '{' name { ',' name } '}'

`floordiv` and `mod` are MLIR's spellings of `/` and `%`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tamale.dialects.format.expressions import (
    PRECEDENCE,
    Binary,
    Const,
    Counter,
    Expr,
    Let,
    Operator,
    Var,
    depth,
)
from tamale.dialects.format.tokens import Cursor, Token
from tamale.dialects.format.verify import DEEPEST_TREE, RESERVED_WORDS

OPERATORS: Final[Mapping[str, Operator]] = MappingProxyType(
    {**{op: op for op in PRECEDENCE}, "floordiv": "/", "mod": "%"}
)

DEEPEST_NESTING: Final = 60
"""Parentheses and lets inside each other; this parser is recursive."""

MOST_OPERATORS: Final = 400
"""Operators of one expression; a Morton code of three modes has 250."""


def parse_expression(text: str) -> Expr:
    """
    The expression that `text` denotes.

    Raises:
        FormatSyntaxError: pointing at what cannot be read.

    >>> parse_expression("j - i")
    Binary(op='-', lhs=Var(name='j'), rhs=Var(name='i'))
    """
    cursor = Cursor(text)
    expr = ExpressionParser(cursor).parse()
    cursor.expect_end("the expression")
    return expr


class ExpressionParser:
    """Reads one expression from a cursor and leaves the cursor behind it."""

    def __init__(self, cursor: Cursor):
        self.cursor = cursor
        self.nesting = 0
        self.operators = 0

    def parse(self) -> Expr:
        """`expr` of the grammar."""
        start = self.cursor.token
        self._enter()
        if self._at_let():
            name = self._take_name("a name for a let variable")
            self.cursor.take()
            value = self._parse_binary(1)
            self.cursor.expect("in", f"after the value of '{name}'")
            expr: Expr = Let(name, value, self.parse())
        else:
            expr = self._parse_binary(1)
        self.nesting -= 1
        if self.nesting == 0 and depth(expr) > DEEPEST_TREE:
            message = f"an expression with more than {DEEPEST_TREE} operators inside each other"
            self.cursor.fail(message, start)
        return expr

    def _at_let(self) -> bool:
        return self.cursor.token.is_word and self.cursor.ahead(1).text == "="

    def _enter(self) -> None:
        self.nesting += 1
        if self.nesting > DEEPEST_NESTING:
            self.cursor.fail(f"an expression nested more than {DEEPEST_NESTING} deep")

    def _parse_binary(self, precedence: int) -> Expr:
        """Precedence climbing: operators that bind at least as tightly as `precedence`."""
        lhs = self._parse_factor()
        while (op := OPERATORS.get(self.cursor.token.text)) and PRECEDENCE[op] >= precedence:
            self._count_operator()
            lhs = Binary(op, lhs, self._parse_binary(PRECEDENCE[op] + 1))
        if self.cursor.token.text == "//":
            self.cursor.fail("'//' is no operator; '/' rounds down already")
        return lhs

    def _count_operator(self) -> None:
        self.operators += 1
        if self.operators > MOST_OPERATORS:
            self.cursor.fail(f"an expression with more than {MOST_OPERATORS} operators")
        self.cursor.take()

    def _parse_factor(self) -> Expr:
        token = self.cursor.token
        if self.cursor.accept("("):
            expr = self.parse()
            self.cursor.expect(")", f"to close the '(' at column {token.start + 1}")
            return expr
        if self.cursor.accept("-"):
            return self._parse_negated()
        if self.cursor.accept("#"):
            return self._parse_counter()
        if token.is_integer:
            return self._parse_integer()
        return Var(self._take_name("an expression"))

    def _parse_negated(self) -> Expr:
        self._enter()
        operand = self._parse_factor()
        self.nesting -= 1
        if isinstance(operand, Const):
            return Const(-operand.value)
        return Binary("-", Const(0), operand)

    def _parse_integer(self) -> Const:
        token = self.cursor.take()
        value = integer_value(token)
        if value is None:
            self.cursor.fail("an integer that does not fit in 64 bits", token)
        if self.cursor.token.is_word and self.cursor.token.start == token.end:
            self.cursor.fail(f"expected an operator between {token.shown} and what follows")
        return Const(value)

    def _parse_counter(self) -> Counter:
        names: list[str] = []
        if self.cursor.accept("{"):
            while not names or self.cursor.accept(","):
                names.append(self._take_name("a mode to count per"))
            self.cursor.expect("}", "after the modes of the counter")
            return Counter(tuple(names))
        while self._at_name():
            names.append(self.cursor.take().text)
        return Counter(tuple(names))

    def _at_name(self) -> bool:
        return self.cursor.token.is_word and not is_reserved(self.cursor.token)

    def _take_name(self, what: str) -> str:
        if is_reserved(self.cursor.token):
            self.cursor.fail(f"expected {what}, got {self.cursor.token.shown}, a reserved word")
        return self.cursor.expect_word(what).text


def is_reserved(token: Token) -> bool:
    """Whether `token` is a word of the notation and so names nothing."""
    return token.text in RESERVED_WORDS


def integer_value(token: Token) -> int | None:
    """The value of an integer token, None if a signed 64-bit integer cannot hold it."""
    if len(token.text) > len("0x") + 20:
        return None
    value = int(token.text, 16 if token.text[:2] in ("0x", "0X") else 10)
    return value if value < 1 << 63 else None
