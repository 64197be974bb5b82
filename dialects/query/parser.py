"""
Reads queries.

    query     := 'select' '[' [ name { ',' name } ] ']' '->' aggregate { ',' aggregate }
    aggregate := function '(' [ '*' | name { ',' name } ] ')' 'as' name
    function  := 'count' | 'max' | 'min' | 'id'

`str` of a query is its text.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple, NoReturn

from tamale.dialects.format.tokens import did_you_mean
from tamale.dialects.notation.ast import Span
from tamale.dialects.notation.diagnostics import error_at
from tamale.dialects.query.select import FUNCTIONS, Aggregate, Function, Place, Select, problems
from tamale.dialects.token_walk import TokenWalk

SPEAKER: Final = "query"

_TOKEN: Final = re.compile(r"\s*(?P<token>[A-Za-z_]\w*|->|$|.)", re.ASCII | re.DOTALL)


class Token(NamedTuple):
    """A word or a punctuation mark; the last one has the text ''."""

    text: str
    span: Span

    @property
    def is_word(self) -> bool:
        return self.text.isidentifier()

    def __str__(self) -> str:
        return f"'{self.text}'" if self.text else "the end"


def parse_select(text: str) -> Select:
    """
    The query that `text` denotes.

    Raises:
        NotationError: pointing at what cannot be read or makes no sense.

    >>> parse_select("select [i] -> count(j) as nir").aggregates
    (Aggregate(function='count', coordinates=('j',), label='nir'),)
    """
    return SelectParser(text).parse()


class SelectParser(TokenWalk[Token]):
    """Reads one query, remembering where its parts are for messages."""

    def __init__(self, text: str) -> None:
        super().__init__([Token(m["token"], m.span("token")) for m in _TOKEN.finditer(text)])
        self.text = text
        self.spans: dict[Place, Span] = {}

    def parse(self) -> Select:
        """The query of the whole text, checked."""
        self.expect("select", "a query starts with")
        self.expect("[", "the coordinates to group by follow in")
        group = self.names("group", "]")
        self.expect("->", "the aggregations follow behind")
        aggregates = [self.aggregate(0)]
        while self.accept(","):
            aggregates.append(self.aggregate(len(aggregates)))
        if self.token.text:
            self.fail(self.token.span, f"expected ',' or the end, got {self.token}")
        select = Select(group, tuple(aggregates))
        for place, message in problems(select):
            self.fail(self.spans[place], message)
        return select

    def expect(self, text: str, why: str) -> None:
        """Takes the next token, which must read `text`; `why` starts the message if not."""
        if not self.accept(text):
            self.fail(self.token.span, f"{why} '{text}', got {self.token}")

    def name(self, what: str) -> Token:
        if not self.token.is_word:
            self.fail(self.token.span, f"expected {what}, got {self.token}")
        return self.take()

    def names(self, part: str, closing: str) -> tuple[str, ...]:
        """Names with commas between them up to `closing`, which is taken; there may be none."""
        found: list[str] = []
        while not self.accept(closing):
            if found and not self.accept(","):
                self.fail(self.token.span, f"expected ',' or '{closing}', got {self.token}")
            token = self.name("a coordinate")
            if part == "group":
                self.spans["group", len(found)] = token.span
            found.append(token.text)
        return tuple(found)

    def aggregate(self, number: int) -> Aggregate:
        function = self.function()
        start = self.token.span[0]
        self.expect("(", f"'{function}' is followed by")
        if self.accept("*"):
            coordinates: tuple[str, ...] = ("*",)
            self.expect(")", "'*' stands by itself before")
        else:
            coordinates = self.names("coordinates", ")")
        self.spans["coordinates", number] = start, self.previous.span[1]
        self.expect("as", f"'{function}(...)' gets its label behind")
        label = self.name("a label")
        self.spans["label", number] = label.span
        return Aggregate(function, coordinates, label.text)

    def function(self) -> Function:
        token = self.name("an aggregation, such as 'count(j) as n'")
        for function in FUNCTIONS:
            if function == token.text:
                return function
        hint = did_you_mean(token.text, FUNCTIONS)
        self.fail(
            token.span,
            f"{token} is no aggregation{hint}",
            f"{', '.join(FUNCTIONS[:-1])} and {FUNCTIONS[-1]} are",
        )

    def fail(self, where: Span, message: str, help: str = "") -> NoReturn:
        raise error_at(self.text, where, message, help, speaker=SPEAKER)
