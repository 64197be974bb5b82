"""When an expression over scalars has an entry, compared with what the interpreter finds."""

from collections.abc import Iterator
from itertools import product

import pytest

from tamale.dialects.notation.ast import Access, Call, Expr, Literal, to_text
from tamale.interpreters.expressions import Part, evaluate
from tamale.passes.algebra.fills import FILL, fill
from tamale.passes.algebra.presence import presence

SCALARS = frozenset({"t", "u"})
T, U, A = Access("t"), Access("u"), Access("A", ("i",))


@pytest.mark.parametrize(
    "expression, condition",
    [
        (T, "t"),
        (A, None),
        (Literal(0), None),
        (FILL, "0"),
        (fill(1), None),
        (Call("mul", (T, A)), "t"),
        (Call("mul", (T, U)), "and(t, u)"),
        (Call("add", (T, U)), "or(t, u)"),
        (Call("add", (T, A)), None),
        (Call("mul", (Call("add", (T, U)), A)), "or(t, u)"),
        (Call("max", (FILL, T)), "t"),
        (Call("add", (FILL, FILL)), "0"),
        (Call("mul", (Call("max", (FILL, T)), U)), "and(t, u)"),
        (Call("mul", (T, FILL)), "0"),
        (Call("exp", (T,)), None),
        (Call("width", (A,)), "map(width(A(i)), 1)"),
    ],
    ids=lambda value: to_text(value) if isinstance(value, Expr) else str(value),
)
def test_condition(expression: Expr, condition: str | None):
    found = presence(expression, SCALARS)
    assert (None if found is None else to_text(found)) == condition


def test_a_name_that_is_no_scalar_is_there():
    assert presence(T, frozenset()) is None


class Scalars:
    """A reader of scalars, some of them filled, and of one operand's entry."""

    def __init__(self, filled: frozenset[str]) -> None:
        self.filled = filled

    def read(self, access: Access) -> Part:
        there = access.tensor == "A" or access.tensor in self.filled
        return Part(3 if there else 0, present=there, fill=0)

    def has_entry(self, access: Access) -> bool:
        return self.read(access).present

    def width(self, access: Access) -> int:
        return 2


def expressions(depth: int) -> Iterator[Expr]:
    """Everything over two scalars and an operand, so many calls deep."""
    yield from (T, U, A)
    if depth:
        for name in ("add", "mul", "max"):
            for pair in product(list(expressions(depth - 1)), repeat=2):
                yield Call(name, pair)


@pytest.mark.parametrize("names", ["", "t", "u", "tu"])
def test_conditions_hold_where_the_interpreter_finds_entries(names: str):
    filled = frozenset(names)
    reader, marks = Scalars(filled), Marks(filled)
    for expression in expressions(2):
        condition = presence(expression, SCALARS)
        holds = condition is None or evaluate(condition, marks).value != 0
        assert holds == evaluate(expression, reader).stored, to_text(expression)


class Marks(Scalars):
    """The scalars as marks: 1 where they are filled."""

    def read(self, access: Access) -> Part:
        return Part(int(access.tensor in self.filled), present=True, fill=None)
