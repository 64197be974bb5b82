"""Statements that parse."""

from typing import cast

import pytest

from tamale.dialects.notation.ast import (
    Access,
    Assignment,
    Call,
    Expr,
    Literal,
    Reduce,
    to_text,
    walk,
)
from tamale.dialects.notation.parser import MAX_DEPTH, parse_notation

y, x = Access("y", ("i",)), Access("x", ("j",))
A = Access("A", ("i", "j"))


def parse_expression(text: str) -> Expr:
    return parse_notation(f"y = {text}").expression


def call(operator: str, *arguments: Expr) -> Call:
    return Call(operator, arguments)


def test_a_statement():
    expected = Assignment(y, None, call("mul", A, x))
    assert parse_notation("y(i) = A(i,j) * x(j)") == expected


@pytest.mark.parametrize(
    "text",
    [
        "y(i)=A(i,j)*x(j)",
        "y[i] = A[i,j] * x[j]",
        "y(i) = A[i, j]*x(j)",
        " y (i)\n= A(i,j) * (x(j)) ",
    ],
)
def test_brackets_and_white_space_are_free(text: str):
    assert parse_notation(text) == parse_notation("y(i) = A(i,j) * x(j)")


@pytest.mark.parametrize(
    "symbol, operator",
    [
        ("=", None),
        ("+=", "add"),
        ("*=", "mul"),
        ("|=", "or"),
        ("&=", "and"),
        ("max=", "max"),
        (" min =", "min"),
        (" xor=", "xor"),
    ],
)
def test_assignment_operators(symbol: str, operator: str | None):
    assert parse_notation(f"y(i){symbol}x(j)") == Assignment(y, operator, x)


@pytest.mark.parametrize("text", ["alpha", "alpha()", "alpha[]", "((alpha))"])
def test_scalars(text: str):
    assert parse_expression(text) == Access("alpha")


@pytest.mark.parametrize(
    "text, same",
    [
        ("a - b - c", "(a - b) - c"),
        ("a / b * c", "(a / b) * c"),
        ("a + b * c", "a + (b * c)"),
        ("a * b + c / d - e", "((a * b) + (c / d)) - e"),
        ("-a * b", "(-a) * b"),
        ("a - -b", "a - (-b)"),
        ("-a + b", "(-a) + b"),
        ("add(a, b)", "a + b"),
        ("neg(a)", "-a"),
    ],
)
def test_precedence(text: str, same: str):
    assert parse_expression(text) == parse_expression(same)


@pytest.mark.parametrize(
    "text, value",
    [
        ("3", 3),
        ("007", 7),
        ("-3", -3),
        ("- 3", -3),
        ("18446744073709551615", 2**64 - 1),
        ("-9223372036854775808", -(2**63)),
        ("3.", 3.0),
        (".5", 0.5),
        ("1e-3", 1e-3),
        ("-2.5E2", -250.0),
        ("2j", 2j),
        ("-2j", complex(0.0, -2.0)),
        ("true", True),
        ("false", False),
        ("inf", float("inf")),
        ("-inf", float("-inf")),
        ("nan", float("nan")),
    ],
)
def test_literals(text: str, value: complex):
    assert parse_expression(text) == Literal(value)


def test_a_minus_in_front_of_parentheses_or_true_is_an_operator():
    assert parse_expression("-(3)") == call("neg", Literal(3))
    assert parse_expression("-true") == call("neg", Literal(True))
    assert parse_expression("a -3") == call("sub", Access("a"), Literal(3))


def test_a_declared_operator_is_a_call_and_any_other_name_an_access():
    assert parse_expression("max(i, j)") == call("max", Access("i"), Access("j"))
    assert parse_expression("maximum(i, j)") == Access("maximum", ("i", "j"))
    nested = parse_expression("max(A(i,j), -abs(x(j)) + 1)")
    assert nested == call("max", A, call("add", call("neg", call("abs", x)), Literal(1)))


def test_the_caller_declares_the_operators():
    text = "y(i) = clamp(A(i,j), 0, max(i,j))"
    clamp = parse_notation(text, {"clamp": 3, "nothing": 0}).expression
    assert clamp == call("clamp", A, Literal(0), Access("max", ("i", "j")))
    assert parse_notation("a = nothing()", {"nothing": 0}).expression == Call("nothing", ())
    assert parse_notation("a += b", {}).operator == "add"
    assert parse_notation("a = reduce(first, i, b(i))", {"first": 2}) == Assignment(
        Access("a"), None, Reduce("first", ("i",), Access("b", ("i",)))
    )


@pytest.mark.parametrize(
    "text, expected",
    [
        ("sum(j, A(i,j) * x(j))", Reduce("add", ("j",), call("mul", A, x))),
        ("sum(i, j, A(i,j))", Reduce("add", ("i", "j"), A)),
        ("sum((i, j), A(i,j))", Reduce("add", ("i", "j"), A)),
        ("sum((j), x(j))", Reduce("add", ("j",), x)),
        ("sum(i, j)", Reduce("add", ("i",), Access("j"))),
        ("sum(j, (x(j)))", Reduce("add", ("j",), x)),
        ("reduce(max, j, x(j))", Reduce("max", ("j",), x)),
        ("reduce(add, i, j, A(i,j))", Reduce("add", ("i", "j"), A)),
        ("reduce(or, (i,j), A(i,j))", Reduce("or", ("i", "j"), A)),
        ("2 * sum(j, x(j))", call("mul", Literal(2), Reduce("add", ("j",), x))),
    ],
)
def test_reductions(text: str, expected: Expr):
    assert parse_expression(text) == expected


def test_spans_point_into_the_text():
    text = " y(i) = (b(i) - -2) * sum(j, A(i,j))"
    statement = parse_notation(text)
    product = cast(Call, statement.expression)
    group, total = cast(Call, product.arguments[0]), cast(Reduce, product.arguments[1])
    nodes = [statement, statement.result, product, group, *group.arguments, total, total.body]
    assert [text[slice(*node.span)] for node in nodes] == [
        text.strip(),
        "y(i)",
        "(b(i) - -2) * sum(j, A(i,j))",
        "(b(i) - -2)",
        "b(i)",
        "-2",
        "sum(j, A(i,j))",
        "A(i,j)",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "+".join(["a"] * MAX_DEPTH),
        "(" * (MAX_DEPTH - 1) + "a" + ")" * (MAX_DEPTH - 1),
        "-" * (MAX_DEPTH - 1) + "a",
        "abs(" * (MAX_DEPTH - 1) + "a" + ")" * (MAX_DEPTH - 1),
    ],
)
def test_the_deepest_statements_allowed_can_be_compared_and_printed(text: str):
    statement = parse_notation(f"y = {text}")
    assert parse_notation(to_text(statement)) == statement
    assert repr(statement).startswith("Assignment(")


def test_depth_is_what_is_bounded_not_size():
    product = "*".join(["a"] * (MAX_DEPTH // 2))
    statement = parse_notation("y = " + "+".join([product] * (MAX_DEPTH // 2)))
    assert sum(isinstance(node, Access) for node in walk(statement.expression)) == 2500
