"""Domains of expressions, from the declared properties of their operators."""

# Operators are declared with lambdas, whose arguments have no types to write.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false

from collections.abc import Iterator

import pytest

from tamale.dialects.cin.sets import set_text
from tamale.dialects.notation.ast import Expr
from tamale.dialects.notation.parser import parse_notation
from tamale.dialects.operators import (
    HIGHEST,
    LOWEST,
    Operator,
    declare_operator,
    declared_operators,
    operator_named,
    withdraw_operator,
)
from tamale.passes.algebra.derivation import derive_domain, fill_value

OWN = (
    Operator("first", 2, lambda a, b: a, lambda build, a, b: a, domain="a"),
    Operator("either", 2, lambda a, b: a or b, lambda build, a, b: a, domain="a & ~b | b & ~a"),
    Operator("third", 3, lambda a, b, c: a, lambda build, a, b, c: a, domain="c & (a | b)"),
    Operator("guarded", 2, lambda a, b: a * b, lambda build, a, b: a, (), (0, None)),
    Operator("rest", 2, lambda a, b: a * b, lambda build, a, b: a, (), (None, 0)),
    Operator("next", 1, lambda a: a + 1, lambda build, a: a),
)


@pytest.fixture(autouse=True)
def operators() -> Iterator[None]:
    for operator in OWN:
        declare_operator(operator)
    yield
    for operator in OWN:
        withdraw_operator(operator.name)


def read(text: str) -> Expr:
    return parse_notation(f"z = {text}", declared_operators()).expression


def domain(text: str, variable: str, *bound: str) -> str:
    return set_text(derive_domain(read(text), variable, dict.fromkeys(bound).keys()))


@pytest.mark.parametrize(
    ("text", "variable", "expected"),
    [
        # The guide's table.
        ("A(i,j)", "j", "A.j"),
        ("A(i,j) + B(i,j)", "i", "A.i | B.i"),
        ("A(i,j) * B(i,j)", "i", "A.i & B.i"),
        ("sum(j, A(i,j))", "i", "A.i"),
        ("sum(j, A(i,j))", "j", "A.j"),
        ("A(i,j) * b(i)", "j", "A.j & U.j"),
        ("A(i,j) + b(i)", "j", "A.j | U.j"),
        ("a(i) + b(i) * c(i)", "i", "a.i | b.i & c.i"),
        ("P(i,k) * A(i,j) * Q(j,l)", "i", "P.i & A.i & U.i"),
        ("P(i,k) * A(i,j) * Q(j,l)", "k", "P.k & U.k"),
        # Other operators, by their properties.
        ("a(i) - b(i)", "i", "a.i | b.i"),
        ("-a(i)", "i", "a.i"),
        ("a(i) / b(i)", "i", "a.i & (b.i | U.i)"),
        ("max(a(i), b(i))", "i", "a.i | b.i"),
        ("min(a(i), b(i))", "i", "a.i | b.i"),
        ("sqrt(a(i))", "i", "a.i"),
        ("exp(a(i))", "i", "a.i | U.i"),
        ("exp(a(i)) * b(i)", "i", "(a.i | U.i) & b.i"),
        ("exp(a(i)) * exp(b(i))", "i", "a.i | b.i | U.i"),
        ("guarded(a(i), b(i))", "i", "a.i & (b.i | U.i)"),
        ("rest(a(i), b(i))", "i", "(a.i | U.i) & b.i"),
        ("next(a(i)) * next(b(i))", "i", "a.i | b.i | U.i"),
        # Numbers, and tensors without modes, are there at every coordinate.
        ("2 * a(i)", "i", "U.i & a.i"),
        ("2 + a(i)", "i", "U.i | a.i"),
        ("s * a(i)", "i", "U.i & a.i"),
        ("0 * a(i)", "i", "U.i & a.i"),
        # Operators with a domain of their own.
        ("unless(a(i), b(i))", "i", "a.i & ~b.i"),
        ("first(a(i), b(i))", "i", "a.i & (b.i | U.i)"),
        ("first(a(i), 2)", "i", "a.i"),
        ("either(a(i), b(i) + c(i))", "i", "a.i & ~(b.i | c.i) | (b.i | c.i) & ~a.i"),
        ("third(a(i), b(i), c(i))", "i", "c.i & (a.i | b.i)"),
        # Reductions other than sums.
        ("reduce(max, j, A(i,j))", "j", "A.j | U.j"),
        ("reduce(max, j, A(i,j))", "i", "A.i"),
        ("reduce(mul, j, A(i,j))", "j", "A.j | U.j"),
        ("sum(j, exp(A(i,j)))", "i", "A.i | U.i"),
        ("sum(j, exp(A(i,j)))", "j", "A.j | U.j"),
    ],
)
def test_domain(text: str, variable: str, expected: str):
    assert domain(text, variable) == expected


def test_a_resolved_operand_below_a_complement():
    """All or nothing where its last variable is bound, unknown before that: nothing is excluded."""
    assert domain("unless(A(i,j), m(i))", "j", "i") == "A.j & ~m.i"
    assert domain("unless(A(i,j), M(i,k))", "j", "i", "k") == "A.j & ~M.k"
    assert domain("unless(A(i,j), M(k,i))", "j", "i", "k") == "A.j & ~M.k"
    assert domain("unless(A(i,j), M(i,k))", "j", "i") == "A.j & U.j"
    assert domain("unless(A(i,j), unless(B(i,j), m(j)))", "i") == "A.i & (B.i & U.i | U.i)"
    assert domain("unless(A(i,j), unless(B(i,j), m(j)))", "j", "i") == "A.j & ~(B.j & ~m.j)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a(i)", 0),
        ("s", None),
        ("3", 3),
        ("a(i) + 2", 2),
        ("a(i) * 2", 0),
        ("a(i) * s", 0),
        ("a(i) + s", None),
        ("exp(a(i))", 1.0),
        ("next(next(a(i)))", 2),
        ("sum(j, A(i,j))", 0),
        ("sum(j, exp(A(i,j)))", None),
        ("reduce(max, j, exp(A(i,j)))", 1.0),
        ("reduce(mul, j, next(A(i,j)))", 1),
        ("unless(a(i), b(i))", 0),
    ],
)
def test_fill_value(text: str, expected: float | None):
    assert fill_value(read(text)) == expected


def test_bounds_of_a_type_are_properties_like_any_other():
    """max has the highest value as annihilator: there an absent operand is needed no more."""
    highest = Operator(
        "cap", 2, min, lambda build, a, b: a, (HIGHEST, HIGHEST), (LOWEST, LOWEST), True, True
    )
    assert highest.reduction_identity == HIGHEST
    assert operator_named("max").reduction_identity == LOWEST
    assert operator_named("sub").reduction_identity is None
