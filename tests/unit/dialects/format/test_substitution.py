"""Substitution agrees with evaluation, whatever names lets bind."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expression_parser import parse_expression
from tamale.dialects.format.expressions import (
    Binary,
    Const,
    Expr,
    Let,
    Var,
    depth,
    evaluate,
    free_variables,
    subexpressions,
    to_text,
)
from tamale.dialects.format.substitution import (
    inline_lets,
    inlined_extent,
    number_lets,
    substitute,
)

names = st.sampled_from(["a", "b", "c"])
exprs: st.SearchStrategy[Expr] = st.recursive(
    names.map(Var) | st.integers(0, 5).map(Const),
    lambda inner: (
        st.builds(Binary, st.sampled_from(["+", "*", "-"]), inner, inner)
        | st.builds(Let, names, inner, inner)
    ),
    max_leaves=8,
)
VALUES = {"a": 3, "b": 5, "c": -7}


@settings(deadline=None)
@given(exprs, st.dictionaries(names, exprs))
def test_substitute_then_evaluate(expr: Expr, replacements: dict[str, Expr]):
    replaced = {name: evaluate(value, VALUES) for name, value in replacements.items()}
    assert evaluate(substitute(expr, replacements), VALUES) == evaluate(expr, VALUES | replaced)


def test_a_let_does_not_capture():
    expr = substitute(parse_expression("r = i in r + j"), {"j": Var("r")})
    assert to_text(expr) == "r_ = i in r_ + r"


@settings(deadline=None)
@given(exprs)
def test_inlining(expr: Expr):
    inlined = inline_lets(expr)
    assert evaluate(inlined, VALUES) == evaluate(expr, VALUES)
    assert not _has_let(inlined)
    assert inlined_extent(expr) == (_size(inlined), depth(inlined))


def _has_let(expr: Expr) -> bool:
    return isinstance(expr, Let) or any(map(_has_let, subexpressions(expr)))


def _size(expr: Expr) -> int:
    return 1 + sum(map(_size, subexpressions(expr)))


@settings(deadline=None)
@given(exprs)
def test_numbering_lets_changes_names_only(expr: Expr):
    numbered = number_lets(expr)
    assert evaluate(numbered, VALUES) == evaluate(expr, VALUES)
    assert free_variables(numbered) == free_variables(expr)
    assert number_lets(numbered) == numbered


def test_let_names_do_not_matter_once_numbered():
    one = parse_expression("r = i / 4 in s = r & 1 in r + s")
    two = parse_expression("s = i / 4 in r = s & 1 in s + r")
    assert one != two
    assert number_lets(one) == number_lets(two)


def test_counters():
    counter = parse_expression("#i j")
    assert substitute(counter, {"i": Var("k")}) == parse_expression("#k j")
    with pytest.raises(FormatError, match="'i' cannot become 'k / 2' in it"):
        substitute(counter, {"i": parse_expression("k / 2")})
