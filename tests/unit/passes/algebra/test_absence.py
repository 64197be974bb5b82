"""What is left of an expression: compared with its value where absent operands are 0."""

import math
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamale.dialects.errors import TamaleError
from tamale.dialects.notation.ast import Access, Call, Expr, Literal, Reduce, to_text, walk
from tamale.dialects.notation.parser import parse_notation
from tamale.dialects.operators import Number, declared_operators, operator_named
from tamale.passes.algebra.absence import fold, replace_access, settle, without

NAMES = ("a", "b", "c", "d")

accesses = st.sampled_from(NAMES).map(lambda name: Access(name, ("i",)))
numbers = st.integers(-3, 3).map(Literal)


def binary(name: str, a: Expr, b: Expr) -> Call:
    return Call(name, (a, b))


expressions = st.recursive(
    accesses | numbers,
    lambda inner: (
        st.builds(
            binary,
            st.sampled_from(["add", "sub", "mul", "max", "min"]),
            inner,
            inner,
        )
        | inner.map(lambda a: Call("neg", (a,)))
    ),
    max_leaves=12,
)
values = st.fixed_dictionaries({name: st.integers(-5, 5) for name in NAMES})
absences = st.frozensets(st.sampled_from(NAMES))


def read(text: str) -> Expr:
    return parse_notation(f"z = {text}", declared_operators()).expression


def evaluate(expression: Expr, values: Mapping[str, Number]) -> Number:
    match expression:
        case Access(tensor=name):
            return values[name]
        case Literal(value=value):
            return value
        case Call(operator=name, arguments=arguments):
            return operator_named(name).apply(*(evaluate(a, values) for a in arguments))
        case Reduce():
            raise AssertionError


@given(expressions, absences, values)
def test_value(expression: Expr, absent: frozenset[str], values: dict[str, int]):
    zeroed = values | dict.fromkeys(absent, 0)
    assert evaluate(without(expression, absent), values) == evaluate(expression, zeroed)


@given(expressions, absences)
def test_absent_operands_are_gone(expression: Expr, absent: frozenset[str]):
    left = without(expression, absent)
    assert not any(isinstance(node, Access) and node.tensor in absent for node in walk(left))


@given(expressions)
def test_what_the_user_wrote_stays(expression: Expr):
    assert without(expression, frozenset()) is expression


@given(expressions, values, st.integers(-3, 3))
def test_replacement(expression: Expr, values: dict[str, int], by: int):
    replaced = replace_access(expression, "a", Literal(by))
    assert evaluate(replaced, values) == evaluate(expression, values | {"a": by})


@pytest.mark.parametrize(
    ("text", "absent", "expected"),
    [
        ("a(i) + b(i)", "a", "b(i)"),
        ("a(i) + b(i)", "b", "a(i)"),
        ("a(i) + b(i)", "ab", "absent(0)"),
        ("a(i) - b(i)", "a", "-b(i)"),
        ("a(i) - b(i)", "b", "a(i)"),
        ("a(i) * b(i)", "a", "absent(0)"),
        ("a(i) / b(i)", "a", "absent(0)"),
        ("a(i) + b(i) * c(i)", "c", "a(i)"),
        ("exp(a(i)) * b(i)", "a", "b(i)"),
        ("max(a(i), b(i))", "a", "max(absent(0), b(i))"),
        ("unless(a(i), b(i))", "b", "a(i)"),
        ("a(i) + 0 + b(i)", "b", "a(i) + 0"),
        ("exp(a(i))", "a", "absent(1.0)"),
        ("a(i) + 2", "a", "2"),
        ("a(i) * 2", "a", "absent(0)"),
        ("0 * c(i) + b(i)", "b", "0 * c(i)"),
        ("sum(j, A(i,j) + B(i,j))", "A", "sum(j, B(i,j))"),
    ],
)
def test_folding(text: str, absent: str, expected: str):
    assert to_text(without(read(text), set(absent))) == expected


def test_a_value_that_is_none_folds_to_not_a_number():
    folded = fold("sqrt", (Literal(-1.0),))
    assert isinstance(folded, Literal)
    assert math.isnan(folded.value.real)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("unless(a(i), b(i))", "absent(0)"),
        ("unless(a(i), b(i)) + c(i)", "c(i)"),
        ("unless(a(i), b(i)) * c(i)", "absent(0)"),
        ("unless(a(i), unless(b(i), c(i)))", "a(i)"),
        ("a(i) + b(i)", "a(i) + b(i)"),
        ("sum(j, unless(A(i,j), b(i)) + c(j))", "sum(j, c(j))"),
    ],
)
def test_operators_with_their_own_domain_where_all_is_present(text: str, expected: str):
    assert to_text(settle(read(text), frozenset())) == expected


def test_the_presence_of_a_reduction_is_not_known():
    with pytest.raises(
        TamaleError, match=r"unless\(a\(i\), t\) depends on whether a reduction has"
    ):
        settle(read("unless(a(i), t)"), {"t"})
