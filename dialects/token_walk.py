"""A place in the tokens of a text, which recursive-descent parsers move; errors are their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar


class HasText(Protocol):
    """A token; the last one of a text has the text ''."""

    @property
    def text(self) -> str: ...


TokenT = TypeVar("TokenT", bound=HasText)


class TokenWalk(Generic[TokenT]):
    """Reads tokens from left to right; never moves past the end."""

    def __init__(self, tokens: Sequence[TokenT]) -> None:
        self.tokens = tokens
        self.index = 0

    @property
    def token(self) -> TokenT:
        """The next token, not yet taken."""
        return self.tokens[self.index]

    @property
    def previous(self) -> TokenT:
        """The token that was taken last."""
        return self.tokens[self.index - 1]

    def ahead(self, distance: int) -> TokenT:
        """The token `distance` after the next."""
        return self.tokens[min(self.index + distance, len(self.tokens) - 1)]

    def take(self) -> TokenT:
        """Takes the next token."""
        token = self.token
        self.index = min(self.index + 1, len(self.tokens) - 1)
        return token

    def accept(self, text: str) -> bool:
        """Takes the next token if it reads `text`, and says whether it did."""
        if self.token.text != text:
            return False
        self.take()
        return True
