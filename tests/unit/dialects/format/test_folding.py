"""Folding of sums and of minima and maxima."""

from itertools import product

import pytest

from tamale.dialects.format.expression_parser import parse_expression
from tamale.dialects.format.expressions import Const, Var, evaluate, to_text
from tamale.dialects.format.folding import (
    add,
    dimension,
    folded,
    known,
    maximum,
    minimum,
    multiply,
    subtract,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dim_i - 1 - (1 - dim_j) + 1", "dim_i + dim_j - 1"),
        ("i - i", "0"),
        ("(i + 2) * 3 - 6", "i * 3"),
        ("1 - i", "1 - i"),
        ("i / 2 + i / 2", "i / 2 * 2"),
        ("0 - i - j", "0 - i - j"),
    ],
)
def test_sums_are_collected(text: str, expected: str):
    assert to_text(add(parse_expression(text), Const(0))) == expected


def test_folded_drops_what_does_nothing():
    i = Var("i")
    assert folded("/", i, Const(1)) == i
    assert folded("<<", i, Const(0)) == i
    assert folded("-", i, i) == Const(0)
    assert folded("/", Const(-1), Const(2)) == Const(-1)
    assert multiply(Const(0), i) == Const(0)


def test_extremes_that_are_known_are_plain():
    size = dimension("i")
    assert minimum(Const(0), subtract(size, Const(1))) == Const(0)
    assert maximum(Const(0), subtract(size, Const(1))) == subtract(size, Const(1))
    assert minimum(Const(3), Const(-2)) == Const(-2)


def test_extremes_that_are_not_known_are_computed():
    least, largest = minimum(Var("a"), Var("b")), maximum(Var("a"), Var("b"))
    for a, b in product((-5, -1, 0, 1, 7, 1 << 40), repeat=2):
        values = {"a": a, "b": b}
        assert (evaluate(least, values), evaluate(largest, values)) == (min(a, b), max(a, b))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dim_i", (1, None)),
        ("i", (None, None)),
        ("dim_i - 1", (0, None)),
        ("3 - dim_i * 2", (None, 1)),
        ("(dim_i - 1) / 2", (0, None)),
        ("(0 - dim_i) / 2", (None, -1)),
        ("i % 4", (0, 3)),
        ("dim_i * dim_j", (1, None)),
        ("dim_i * i", (None, None)),
        ("dim_i & dim_j", (0, None)),
    ],
)
def test_known_ends(text: str, expected: tuple[int | None, int | None]):
    assert known(parse_expression(text)) == expected
