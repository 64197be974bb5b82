"""Which loops levels can serve that are out of order or repeat coordinates."""

import pytest

from tamale.dialects.errors import ScheduleError
from tamale.dialects.format.notation import parse_format
from tamale.dialects.notation.parser import parse_notation
from tamale.dialects.operators import declared_operators
from tamale.passes.algebra.nests import Planner

FORMATS = {
    "vec": "(i) -> (i : dense)",
    "sv": "(i) -> (i : compressed)",
    "repeated": "(i) -> (i : compressed(nonunique))",
    "csr": "(i, j) -> (i : dense, j : compressed)",
    "dense": "(i, j) -> (i : dense, j : dense)",
    "coo": "(i, j) -> (i : compressed(nonunique), j : singleton)",
    "ucoo": "(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonordered))",
    "rows": "(i, j) -> (i : dense, j : compressed(nonunique))",
}


def plan(text: str, words: str) -> None:
    formats = dict(word.split(":") for word in words.split())
    parsed = {name: parse_format(FORMATS[kind]) for name, kind in formats.items()}
    Planner(parse_notation(text, declared_operators()), parsed).plan()


@pytest.mark.parametrize(
    ("text", "formats"),
    [
        ("y(i) = sum(j, A(i,j) * x(j))", "y:vec A:ucoo x:vec"),
        ("y(i) = sum(j, A(i,j) * x(j))", "y:vec A:rows x:vec"),
        ("y(i) = sum(j, A(i,j)) * b(i)", "y:vec A:coo b:vec"),
        ("Z(i,j) = A(i,j)", "Z:dense A:ucoo"),
        ("Z(i,j) = A(i,j)", "Z:csr A:coo"),
        ("y(i) = b(i) + sum(j, A(i,j))", "y:vec A:ucoo b:vec"),
    ],
)
def test_visited_as_stored(text: str, formats: str):
    plan(text, formats)


@pytest.mark.parametrize(
    ("text", "formats", "message"),
    [
        ("y(i) = sum(j, A(i,j)) * b(i)", "y:vec A:ucoo b:vec", "A may come to a coordinate again"),
        ("y(i) = reduce(max, j, A(i,j))", "y:vec A:ucoo", "A .* is not ordered at level 2"),
        ("y(i) = a(i) * b(i)", "y:vec a:repeated b:sv", "a may hold several entries at one"),
        ("y(i) = sqrt(a(i))", "y:vec a:repeated", "a may hold several entries"),
        ("z(i) = a(i)", "z:sv a:repeated", "a may hold several entries"),
        ("Z(i,j) = A(i,j)", "Z:csr A:ucoo", "A is not ordered, but Z is appended to in ascending"),
    ],
)
def test_refused(text: str, formats: str, message: str):
    with pytest.raises(ScheduleError, match=message):
        plan(text, formats)
