"""The tree: equality, walking, canonical text."""

import pytest

from tamale.dialects.notation.ast import (
    Access,
    Assignment,
    Call,
    Expr,
    Literal,
    Node,
    Reduce,
    to_text,
    walk,
)

a, b, c = Access("a"), Access("b"), Access("c")


def test_equality_ignores_spans():
    assert Access("A", ("i",), span=(3, 7)) == Access("A", ("i",))
    assert hash(Call("add", (a, b), span=(0, 5))) == hash(Call("add", (a, b)))


def test_literals_of_different_types_differ():
    values = [1, 1.0, True, 1j, -0.0, 0.0, 0, False]
    assert len({Literal(value) for value in values}) == len(values)
    assert Literal(float("nan")) == Literal(float("nan"))


def test_walk_goes_parents_first_and_left_to_right():
    product, total = Call("mul", (a, b)), Reduce("add", ("j",), c)
    root = Call("sub", (product, total))
    assert list(walk(root)) == [root, product, a, b, total, c]


def call(operator: str, *arguments: Expr) -> Call:
    return Call(operator, arguments)


@pytest.mark.parametrize(
    "node, text",
    [
        (a, "a"),
        (Access("A", ("i", "j")), "A(i,j)"),
        (call("sub", call("sub", a, b), c), "a - b - c"),
        (call("sub", a, call("sub", b, c)), "a - (b - c)"),
        (call("add", a, call("add", b, c)), "a + (b + c)"),
        (call("mul", call("add", a, b), c), "(a + b) * c"),
        (call("add", call("mul", a, b), c), "a * b + c"),
        (call("div", a, call("mul", b, c)), "a / (b * c)"),
        (call("mul", call("neg", a), call("neg", b)), "-a * -b"),
        (call("neg", call("mul", a, b)), "-(a * b)"),
        (call("neg", call("neg", a)), "--a"),
        (call("neg", Literal(2)), "-(2)"),
        (call("neg", Literal(-2)), "--2"),
        (call("neg", Literal(True)), "-true"),
        (call("sub", a, Literal(-2)), "a - -2"),
        (call("max", call("add", a, b), call("neg", c)), "max(a + b, -c)"),
        (Reduce("add", ("j",), call("add", a, b)), "sum(j, a + b)"),
        (Reduce("add", ("j", "k"), a), "sum((j,k), a)"),
        (Reduce("max", ("j",), a), "reduce(max, j, a)"),
        (Reduce("max", ("j", "k"), a), "reduce(max, (j,k), a)"),
        (call("mul", Reduce("add", ("j",), a), b), "sum(j, a) * b"),
        (Literal(False), "false"),
        (Literal(1e16), "1e+16"),
        (Literal(2.0), "2.0"),
        (Literal(float("-inf")), "-inf"),
        (Literal(2j), "2.0j"),
        (call("mul", Literal(1 + 2j), a), "(1.0 + 2.0j) * a"),
        (Assignment(a, None, b), "a = b"),
        (Assignment(a, "add", b), "a += b"),
        (Assignment(a, "mul", b), "a *= b"),
        (Assignment(a, "or", b), "a |= b"),
        (Assignment(a, "and", b), "a &= b"),
        (Assignment(a, "max", b), "a max= b"),
    ],
)
def test_canonical_text_has_only_the_parentheses_it_needs(node: Node, text: str):
    assert to_text(node) == text
