"""Level expressions: text, values, names."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expression_parser import parse_expression
from tamale.dialects.format.expressions import (
    PRECEDENCE,
    Binary,
    Const,
    Counter,
    Expr,
    Let,
    Var,
    counters,
    depth,
    evaluate,
    free_variables,
    to_text,
)
from tamale.dialects.format.tokens import FormatSyntaxError

names = st.sampled_from(["i", "j", "r", "in_", "mode"])
leaves: st.SearchStrategy[Expr] = (
    names.map(Var)
    | st.integers(-9, 9).map(Const)
    | st.lists(names, max_size=2).map(lambda xs: Counter(tuple(xs)))
)
exprs: st.SearchStrategy[Expr] = st.recursive(
    leaves,
    lambda inner: (
        st.builds(Binary, st.sampled_from(sorted(PRECEDENCE)), inner, inner)
        | st.builds(Let, names, inner, inner)
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(exprs)
def test_text_reads_back(expr: Expr):
    assert parse_expression(to_text(expr)) == expr


@settings(deadline=None)
@given(exprs)
def test_no_parenthesis_is_superfluous(expr: Expr):
    text = to_text(expr)
    for start in (n for n, c in enumerate(text) if c == "("):
        end = _closing(text, start)
        shorter = f"{text[:start]} {text[start + 1 : end]} {text[end + 1 :]}"
        try:
            assert parse_expression(shorter) != expr
        except FormatSyntaxError:
            pass


def _closing(text: str, start: int) -> int:
    depth = 0
    for position in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position
    raise AssertionError(text)


arithmetic: st.SearchStrategy[Expr] = st.recursive(
    st.sampled_from(["i", "j"]).map(Var) | st.integers(-9, 9).map(Const),
    lambda inner: st.builds(Binary, st.sampled_from(sorted(PRECEDENCE)), inner, inner),
    max_leaves=8,
)


@settings(deadline=None)
@given(arithmetic, st.integers(-20, 20), st.integers(-20, 20))
def test_values_are_those_of_python(expr: Expr, i: int, j: int):
    values = {"i": i, "j": j}
    try:
        value = evaluate(expr, values)
    except FormatError:
        return
    assert value == eval(to_text(expr).replace("/", "//"), values)


@pytest.mark.parametrize(
    "text, value",
    [
        ("(j - i) / 2", -2),
        ("(j - i) % 2", 1),
        ("j - i & 7", 5),
        ("#i * 2 + # ", 24),
        ("r = i / 2 in s = r + 1 in r * 10 + s", 12),
        ("(r = i in r = r + 1 in r) + r", 104),
    ],
)
def test_evaluate(text: str, value: int):
    values = {"i": 3, "j": 0, "r": 100}
    counts = {Counter(("i",)): 7, Counter(()): 10}
    assert evaluate(parse_expression(text), values, counts) == value


@pytest.mark.parametrize(
    "text, message",
    [
        ("1 / i", "format: '1 / 0' divides by zero."),
        ("1 % i", "format: '1 % 0' divides by zero."),
        ("1 << i - 1", "format: '1 << -1' shifts by -1 bits; 0 to 63 are possible."),
        ("1 >> i + 64", "format: '1 >> 64' shifts by 64 bits; 0 to 63 are possible."),
    ],
)
def test_operators_without_value(text: str, message: str):
    with pytest.raises(FormatError) as error:
        evaluate(parse_expression(text), {"i": 0})
    assert str(error.value) == message


def test_names():
    expr = parse_expression("r = i / 4 in (r & 1) + # j + k * (i = 2 in i)")
    assert free_variables(expr) == {"i", "j", "k"}
    assert counters(expr) == {Counter(("j",))}


@pytest.mark.parametrize(
    "text, same",
    [
        ("i floordiv 4 + j mod 2", "i / 4 + j % 2"),
        ("#{i, j} + #", "#i j + #"),
        ("0x1F & -i", "31 & 0 - i"),
        ("i | j ^ k & l << m + n * 2", "i | (j ^ (k & (l << (m + (n * 2)))))"),
        ("i - j - k", "(i - j) - k"),
    ],
)
def test_spellings(text: str, same: str):
    assert parse_expression(text) == parse_expression(same)


@pytest.mark.parametrize(
    "text, message, column",
    [
        ("i +", "expected an expression, got the end", 3),
        ("i j", "'j' after the end of the expression", 2),
        ("(i + j", "expected ')' to close the '(' at column 1, got the end", 6),
        ("i // 4", "'//' is no operator; '/' rounds down already", 2),
        ("i + mod", "expected an expression, got 'mod', a reserved word", 4),
        ("in = 2 in i", "expected a name for a let variable, got 'in', a reserved word", 0),
        ("r = i / 2, r", "expected 'in' after the value of 'r', got ','", 9),
        ("i ~ j", "'~' has no meaning in a format line", 2),
        ("4i", "expected an operator between '4' and what follows", 1),
        ("i + 9223372036854775808", "an integer that does not fit in 64 bits", 4),
        ("i + " + "9" * 5000, "an integer that does not fit in 64 bits", 4),
        ("#{i", "expected '}' after the modes of the counter, got the end", 3),
        ("#{2}", "expected a mode to count per, got '2'", 2),
        ("(" * 5000 + "i" + ")" * 5000, "an expression nested more than 60 deep", 60),
        ("-" * 5000 + "i", "an expression nested more than 60 deep", 60),
        ("i" + " + i" * 5000, "an expression with more than 400 operators", 1602),
        ("i" + " + i" * 150, "an expression with more than 150 operators inside each other", 0),
    ],
)
def test_errors_point_at_the_column(text: str, message: str, column: int):
    with pytest.raises(FormatSyntaxError) as error:
        parse_expression(text)
    assert (error.value.message, error.value.start) == (message, column)


def test_the_deepest_expression_works():
    expr = parse_expression("i" + " + i" * 149)
    assert evaluate(expr, {"i": 1}) == depth(expr) == 150
    assert parse_expression(to_text(expr)) == expr
