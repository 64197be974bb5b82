"""Folding keeps values, and what is said about signs and zeros holds: on random expressions."""

from __future__ import annotations

import random

import pytest

from tamale.dialects.cin.attributes import parse_statement
from tamale.dialects.notation.ast import Access, Call, Expr, Literal, to_text
from tamale.passes.algebra.queries_folding import folded, is_natural, vanishes


def expression(text: str) -> Expr:
    return parse_statement(f"Q = {text}").expression


def value(expr: Expr, w: int, k: int) -> int:
    """The value where the array W has the element `w`, and the coordinate k is `k`."""
    match expr:
        case Literal(value=int(number)):
            return number
        case Access(indices=indices):
            return w if indices else k
        case Call(operator="map", arguments=(x, v)):
            return value(v, w, k) if value(x, w, k) else 0
        case Call(operator="mul", arguments=(a, b)):
            return value(a, w, k) * value(b, w, k)
        case Call(operator="add", arguments=(a, b)):
            return value(a, w, k) + value(b, w, k)
        case Call(operator="max", arguments=(a, b)):
            return max(value(a, w, k), value(b, w, k))
        case _:
            raise AssertionError(to_text(expr))


def random_expression(chance: random.Random, depth: int) -> Expr:
    if depth == 0 or chance.random() < 0.2:
        leaves = Access("W", ("i",)), Access("k"), Literal(chance.randint(-1, 2))
        return chance.choice(leaves)
    operator = chance.choice(("map", "map", "mul", "add", "max"))
    arguments = [random_expression(chance, depth - 1) for _ in range(2)]
    return Call(operator, tuple(arguments))


def test_random_expressions():
    chance = random.Random(7)
    for _ in range(3000):
        expr = random_expression(chance, 4)
        simple = folded(expr)
        assert folded(simple) == simple
        for w, k in ((0, 0), (0, 3), (2, 0), (5, 4)):
            assert value(simple, w, k) == value(expr, w, k), to_text(expr)
            if vanishes(expr, "W") and w == 0:
                assert value(expr, w, k) == 0, to_text(expr)
            if is_natural(expr, {"k"}):
                assert value(expr, w, k) >= 0, to_text(expr)


@pytest.mark.parametrize(
    ("text", "simple"),
    [
        ("map(map(W(i), 1), 1)", "map(W(i), 1)"),
        ("map(map(W(i), 1), k + 1)", "map(W(i), k + 1)"),
        ("map(3, k)", "k"),
        ("map(0, k)", "0"),
        ("width(A(i,j)) * 1", "width(A(i,j))"),
        ("2 * 3 * width(A(i,j))", "6 * width(A(i,j))"),
        ("0 * width(A(i,j))", "0"),
    ],
)
def test_folded(text: str, simple: str):
    assert to_text(folded(expression(text))) == simple


@pytest.mark.parametrize("text", ["map(map(W(i), 0), 1)", "map(map(W(i), k), 1)", "map(k, 1)"])
def test_not_folded(text: str):
    assert folded(expression(text)) == expression(text)


@pytest.mark.parametrize("text", ["W(i)", "map(W(i), 1)", "map(k, W(i))", "2 * W(i)", "0"])
def test_vanishes(text: str):
    assert vanishes(expression(text), "W")


@pytest.mark.parametrize("text", ["V(i)", "map(k, 1)", "W(i) + 1", "k", "max(W(i), 1)"])
def test_does_not_vanish(text: str):
    assert not vanishes(expression(text), "W")


@pytest.mark.parametrize("text", ["k + 1", "map(W(i), k)", "width(A(i,j)) * 2", "max(k, 0)"])
def test_natural(text: str):
    assert is_natural(expression(text), {"k"})


@pytest.mark.parametrize("text", ["W(i)", "j", "-1", "map(W(i), -1)", "k - 1", "1.5"])
def test_not_natural(text: str):
    assert not is_natural(expression(text), {"k"})
