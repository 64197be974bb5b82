"""A cursor over the tokens of a statement, with the errors that any grammar rule may meet."""

from typing import NoReturn

from tamale.dialects.notation.ast import Span
from tamale.dialects.notation.diagnostics import error_at
from tamale.dialects.notation.lexer import Token, tokenize
from tamale.dialects.token_walk import TokenWalk

CLOSING = {"(": ")", "[": "]"}


class TokenCursor(TokenWalk[Token]):
    """Reads a statement."""

    def __init__(self, text: str):
        super().__init__(tokenize(text))
        self.text = text

    def close(self, opening: Token, *, separator: str) -> Token:
        """Reads the bracket that closes `opening`; a `separator` could have stood there too."""
        closing = CLOSING[opening.text]
        token = self.token
        if token.text == closing:
            return self.take()
        if token.kind == "end":
            self.fail(opening.span, f"{opening} is never closed")
        if token.text in CLOSING.values():
            self.fail(token.span, f"{opening} is closed by {token}", f"write '{closing}'")
        message = f"expected {separator} or '{closing}', got {token}"
        if separator == "','":
            self.fail(token.span, message)
        self.fail_before_operator(message)

    def finish(self) -> None:
        """Expects the end of the statement."""
        token = self.token
        if token.kind == "end":
            return
        if token.text in CLOSING.values():
            self.fail(token.span, f"{token} closes nothing")
        self.fail_before_operator(f"expected an operator or the end of the statement, got {token}")

    def fail_before_operator(self, message: str) -> NoReturn:
        """The next token cannot follow an operand: says why for the usual slips, else `message`."""
        token = self.token
        if token.kind == "assign":
            self.fail_second_assignment()
        help = ""
        if token.kind in ("name", "number") or token.text in CLOSING:
            help = "a product is written with *"
        self.fail(token.span, message, help)

    def fail_second_assignment(self) -> NoReturn:
        """A second `=`, which chained assignments and comparisons would have."""
        help = "a statement has one '='; write two statements, or an operator for a comparison"
        self.fail(self.token.span, f"unexpected {self.token}: the left side has ended", help)

    def fail(self, where: Span, message: str, help: str = "") -> NoReturn:
        raise error_at(self.text, where, message, help)
