"""Statements that parse and have no meaning."""

import pytest

from tamale.dialects.errors import NotationError
from tamale.dialects.notation.parser import parse_notation
from tamale.frontend.notation.check import check_notation


def check(text: str) -> None:
    check_notation(parse_notation(text), text)


@pytest.mark.parametrize(
    "text",
    [
        "y(i) = A(i,j) * x(j)",
        "Z(i,j) = b(i)",  # j broadcasts
        "y(i) = A(i,i)",  # the diagonal
        "A(i,i) = b(i)",
        "P(i,j) = R(k,i) * A(k,l) * R(l,j)",  # one tensor twice
        "y(i) += y(i) * x(i)",  # the result on both sides
        "A(i,j) = A(j,i)",
        "y = sum(j, a(j)) * sum(j, b(j))",  # two sums side by side
        "y = sum(j, a(j)) + b(j)",  # an explicit and an implicit sum, in two terms
        "y(j) = b(j) + sum(k, A(j,k))",
        "double(int) = while(int, for)",  # C++ keywords are names like others
    ],
)
def test_meaningful_statements_pass(text: str):
    check(text)


CASES = [
    (
        "A(i,i) += b(i)",
        "A(i,i)",
        "the result 'A(i,i)', which repeats the index variable 'i', cannot be updated in place",
        "add that",
    ),
    ("y = A(i) * A(i,j)", "A(i,j)", "tensor 'A' is used with 2 indices and with 1", "'A(i)'"),
    ("y(i) = y(i,j)", "y(i,j)", "the result 'y' is used with 2 indices and with 1", "'y(i)'"),
    ("y(k) = a(k) * k", "k", "'k' names a tensor here and is also an index variable", "rename"),
    ("y(k) = 2 * k", "k", "'k' names a tensor here and is also an index variable", "rename"),
    ("i(i) = a(i)", "i(i)", "'i' names a tensor here and is also an index variable", "rename"),
    (
        "y = sum(j, a(j) * j)",
        "j",
        "'j' names a tensor here and is also an index variable",
        "rename",
    ),
    ("y(i) = sum(i, a(i))", "sum(i, a(i))", "over 'i', an index of the result", "take 'i'"),
    ("y(i) = a(i) * sum(i, b(i))", "sum(i, b(i))", "over 'i', an index of the result", "take"),
    ("y = sum((j,j), a(j))", "sum((j,j), a(j))", "lists the variable 'j' twice", "once"),
    ("y = sum(k, b)", "sum(k, b)", "does not use its variable 'k'", "drop it"),
    ("y = sum(j, sum(j, a(j)))", "sum(j, a(j))", "over 'j' is inside another one", "names"),
    ("y = b(j) * sum(j, a(j))", "sum(j, a(j))", "'j' is reduced here and also used", "names"),
    ("y max= b(j) + sum(j, a(j))", "sum(j, a(j))", "in the same term", "names"),
]


@pytest.mark.parametrize("text, place, message, help", CASES, ids=[case[0] for case in CASES])
def test_message_place_and_help(text: str, place: str, message: str, help: str):
    with pytest.raises(NotationError) as error:
        check(text)
    lines = str(error.value).splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("notation: ")
    assert message in lines[0]
    assert lines[1:3] == ["  " + text, "  " + " " * text.rindex(place) + "^" * len(place)]
    assert lines[3].startswith("  help: ")
    assert help in lines[3]


def test_independent_problems_are_reported_together():
    with pytest.raises(NotationError) as error:
        check("y(i) = y + A(i) * A(i,j) * i * i")
    heads = [line for line in str(error.value).splitlines() if line.startswith("notation: ")]
    assert len(heads) == 3
