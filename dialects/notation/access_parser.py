"""The part of the grammar that reads names: accesses, index variables, operator names."""

import difflib
from collections.abc import Mapping
from typing import NoReturn

from tamale.dialects.notation.ast import INFIX, Access
from tamale.dialects.notation.keywords import KEYWORDS, can_reduce
from tamale.dialects.notation.lexer import Token
from tamale.dialects.notation.tokens import CLOSING, TokenCursor


class AccessParser(TokenCursor):
    """Reads `A(i,j)`, `A[i,j]` and `alpha`; knows which names are taken by operators."""

    def __init__(self, text: str, operators: Mapping[str, int]):
        super().__init__(text)
        self.operators = operators

    def access(self, name: Token) -> Access:
        """The rest of an access whose name has been read."""
        self.check_name(name, "a tensor")
        opening = self.token
        if opening.text not in CLOSING:
            return Access(name.text, span=name.span)
        self.take()
        is_empty = self.token.text == CLOSING[opening.text]
        indices = () if is_empty else self.index_variables(name)
        closing = self.close(opening, separator="','")
        return Access(name.text, indices, span=(name.span[0], closing.span[1]))

    def index_variables(self, owner: Token) -> tuple[str, ...]:
        """One or more index variables with commas between, in the brackets of `owner`."""
        names = [self.index_variable(owner)]
        while self.accept(","):
            names.append(self.index_variable(owner))
        return tuple(names)

    def index_variable(self, owner: Token) -> str:
        """One index variable in the brackets of `owner`, which is a tensor or a keyword."""
        token = self.token
        help = f"{owner} is no declared operator, so its brackets hold single index variables"
        if owner.text in KEYWORDS:
            help = f"{owner} starts with its index variables: one, or several in parentheses"
        if token.kind != "name":
            message = f"expected an index variable after {self.previous}"
            brackets_or_end = token.kind == "end" or token.text in (",", *CLOSING.values())
            detail = "" if brackets_or_end else f", got {token}"
            self.fail(token.span, message + detail, "" if brackets_or_end else help)
        if self.ahead(1).text in CLOSING and owner.text not in KEYWORDS:
            self.fail_unknown_operator(owner)
        self.check_name(token, "an index variable")
        self.take()
        if self.token.text in INFIX.values() or self.token.text in CLOSING:
            self.fail(self.token.span, f"unexpected {self.token} after an index variable", help)
        return token.text

    def reduction_operator(self, name: Token) -> str:
        """The operator that `name` says, if it can reduce."""
        if name.text not in self.operators:
            self.fail_unknown_operator(name)
        if not can_reduce(name.text, self.operators[name.text]):
            help = "a reduction needs an associative and commutative operator, such as max"
            self.fail(name.span, f"operator {name} cannot reduce", help)
        return name.text

    def check_name(self, name: Token, role: str) -> None:
        """Refuses a keyword or operator where `name` should be `role`."""
        kind = "a keyword" if name.text in KEYWORDS else "an operator"
        if name.text in KEYWORDS or name.text in self.operators:
            message = f"{name} is {kind} and cannot name {role}"
            self.fail(name.span, message, "choose another name")

    def fail_unknown_operator(self, name: Token) -> NoReturn:
        """Refuses `name` as an operator; suggests the one that was meant."""
        close = difflib.get_close_matches(name.text, self.operators, n=1)
        declared = "declared operators: " + ", ".join(sorted(self.operators))
        help = f"did you mean '{close[0]}'?" if close else declared
        self.fail(name.span, f"unknown operator {name}", help)
