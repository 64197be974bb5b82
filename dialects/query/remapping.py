"""
Remappings with a name for each coordinate: `(i, j) -> (k = #i, i, j)`.

    remapping := '(' [ mode { ',' mode } ] ')' '->' '(' [ target { ',' target } ] ')'
    target    := mode | name '=' expr

A plain mode is its own name; the grammar of `expr` is that of format lines. Nothing here imports
xDSL. Source: Chou et al., PLDI 2020, sec. 4; the names are ours.
"""

from __future__ import annotations

from dataclasses import dataclass

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expression_parser import ExpressionParser, is_reserved
from tamale.dialects.format.expressions import Expr, Var, free_variables, to_text
from tamale.dialects.format.tokens import Cursor, did_you_mean


@dataclass(frozen=True)
class Remapping:
    """Coordinates of a remapped tensor as functions of the modes of the tensor as it is."""

    modes: tuple[str, ...]
    targets: tuple[tuple[str, Expr], ...]
    """Name -> expression over `modes`, in order; a plain mode has its own name."""

    def __str__(self) -> str:
        shown = (n if e == Var(n) else f"{n} = {to_text(e)}" for n, e in self.targets)
        return f"({', '.join(self.modes)}) -> ({', '.join(shown)})"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the remapped coordinates."""
        return tuple(name for name, _ in self.targets)

    def expression(self, name: str) -> Expr:
        """What the coordinate called `name` is."""
        return dict(self.targets)[name]

    def verify(self) -> None:
        """
        Checks a remapping that was made by hand; parsed ones obey.

        Raises:
            FormatError: a name with two meanings, or a variable that is no mode.
        """
        for number, mode in enumerate(self.modes):
            if mode in self.modes[:number]:
                raise FormatError(f"query: mode '{mode}' is named twice in '{self}'")
        for number, (name, expression) in enumerate(self.targets):
            if message := self._problem(number, name, expression):
                raise FormatError(f"query: {message} in '{self}'")

    def _problem(self, number: int, name: str, expression: Expr) -> str | None:
        strangers = sorted(free_variables(expression) - set(self.modes))
        if strangers:
            hint = did_you_mean(strangers[0], self.modes)
            return f"'{strangers[0]}' is no mode{hint}"
        if name in self.modes and expression != Var(name):
            return f"'{name}' is a mode and cannot name '{to_text(expression)}'"
        if any(name == n and expression != e for n, e in self.targets[:number]):
            return f"two coordinates are called '{name}'"
        return None


def parse_remapping(text: str) -> Remapping:
    """
    The remapping that `text` denotes.

    Raises:
        FormatError: pointing at what cannot be read, or naming what makes no sense.

    >>> str(parse_remapping("(i,j)->(k = j-i, i, j)"))
    '(i, j) -> (k = j - i, i, j)'
    """
    cursor = Cursor(text)
    cursor.expect("(", "before the modes")
    modes: list[str] = []
    while not cursor.accept(")"):
        if modes:
            cursor.expect(",", "or ')' after a mode")
        modes.append(_name(cursor, "a mode"))
    cursor.expect("->", "after the modes")
    cursor.expect("(", "before the coordinates")
    targets: list[tuple[str, Expr]] = []
    while not cursor.accept(")"):
        if targets:
            cursor.expect(",", "or ')' after a coordinate")
        targets.append(_target(cursor))
    cursor.expect_end("the remapping")
    remapping = Remapping(tuple(modes), tuple(targets))
    remapping.verify()
    return remapping


def _target(cursor: Cursor) -> tuple[str, Expr]:
    if cursor.ahead(1).text not in (",", ")", "="):
        cursor.fail("a coordinate that is no plain mode needs a name, such as 'k = j - i'")
    name = _name(cursor, "a mode, or a name for a coordinate")
    return name, ExpressionParser(cursor).parse() if cursor.accept("=") else Var(name)


def _name(cursor: Cursor, what: str) -> str:
    if is_reserved(cursor.token):
        cursor.fail(f"expected {what}, got {cursor.token.shown}, a reserved word")
    return cursor.expect_word(what).text
