"""Bounds are sound for all expressions and exact for those of known formats."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamale.dialects.errors import FormatError
from tamale.dialects.format.bounds import EMPTY, Interval, bounds
from tamale.dialects.format.expression_parser import parse_expression
from tamale.dialects.format.expressions import (
    PRECEDENCE,
    Binary,
    Const,
    Expr,
    Let,
    Var,
    evaluate,
)

exprs: st.SearchStrategy[Expr] = st.recursive(
    st.sampled_from(["i", "j"]).map(Var) | st.integers(-3, 9).map(Const),
    lambda inner: (
        st.builds(Binary, st.sampled_from(sorted(PRECEDENCE)), inner, inner)
        | st.builds(Let, st.just("r"), inner, inner)
    ),
    max_leaves=6,
)
intervals = st.tuples(st.integers(-4, 6), st.integers(0, 5)).map(lambda x: (x[0], sum(x)))


def values(expr: Expr, modes: dict[str, Interval]) -> list[int]:
    """All values of `expr`, without those that an operator does not have."""
    found: list[int] = []
    for point in product(*(range(lo, hi + 1) for lo, hi in modes.values())):
        try:
            found.append(evaluate(expr, dict(zip(modes, point, strict=True))))
        except FormatError:
            pass
    return found


@settings(deadline=None)
@given(exprs, intervals, intervals)
def test_no_value_lies_outside(expr: Expr, i: Interval, j: Interval):
    modes = {"i": i, "j": j}
    try:
        lo, hi = bounds(expr, modes)
    except FormatError:
        return
    assert all(lo <= value <= hi for value in values(expr, modes))


@pytest.mark.parametrize("op", sorted(PRECEDENCE))
@settings(deadline=None)
@given(data=st.data())
def test_one_operator_is_sound(op: str, data: st.DataObject):
    modes = {"i": data.draw(intervals), "j": data.draw(intervals)}
    expr = Binary(op, Var("i"), Var("j"))  # pyright: ignore[reportArgumentType]
    found = values(expr, modes)
    if not found:
        return
    try:
        lo, hi = bounds(expr, modes)
    except FormatError:
        assert op in ("<<", ">>", "/", "%")
        return
    assert lo <= min(found)
    assert max(found) <= hi
    if op in ("+", "-", "*", "/", "<<", ">>"):
        assert (lo, hi) == (min(found), max(found))


@pytest.mark.parametrize(
    "text",
    [
        "i",
        "j - i",
        "i / 4",
        "i % 4",
        "i % 16 / 4",
        "i mod 3",
        "i & 3",
        "i >> 2",
        "i << 2",
        "i * 6 + j",
        "r = i / 2 in r & 1",
        "(i & 1) | ((j & 1) << 1) | ((i & 2) << 1) | ((j & 2) << 2)",
        "r = i / 2 in s = j / 2 in (r & 1) | ((s & 1) << 1) | ((r & 2) << 1)",
        "(i & 1) + ((j & 1) << 1)",
        "i | j",
        "i ^ j",
        "0 - i",
        "7 - i",
    ],
)
@pytest.mark.parametrize("sizes", [(8, 16), (9, 16), (1, 1), (4, 1)])
def test_exact_for_known_remappings(text: str, sizes: tuple[int, int]):
    expr = parse_expression(text)
    modes: dict[str, Interval] = {"i": (0, sizes[0] - 1), "j": (0, sizes[1] - 1)}
    found = values(expr, modes)
    assert bounds(expr, modes) == (min(found), max(found))


def test_counters_count_what_shares_their_modes():
    modes = {"i": (0, 3), "j": (0, 5), "k": (2, 3)}
    assert bounds(parse_expression("#i"), modes) == (0, 6 * 2 - 1)
    assert bounds(parse_expression("#i j k"), modes) == (0, 0)
    assert bounds(parse_expression("#"), modes) == (0, 4 * 6 * 2 - 1)
    assert bounds(parse_expression("r = i in #i + r"), modes) == (0, 6 * 2 - 1 + 3)


def test_an_empty_mode_leaves_no_coordinates():
    modes = {"i": (0, -1), "j": (0, 5)}
    for text in ("i", "i / 4", "j - i", "i % 4", "# + 2", "#j"):
        assert bounds(parse_expression(text), modes) == EMPTY, text
    assert bounds(parse_expression("j"), modes) == (0, 5)
    assert bounds(parse_expression("j - i"), {"i": (3, 2), "j": (0, 5)}) == EMPTY


def test_shifts_without_value_do_not_count():
    assert bounds(parse_expression("1 << i"), {"i": (-2, 3)}) == (1, 8)


@pytest.mark.parametrize(
    "text, message",
    [
        ("i / (i - i % 9)", None),
        ("i / (i * 0)", "divides by zero"),
        ("i % (i * 0)", "divides by zero"),
        ("1 << i * 64", "'1 << 192' shifts by 192 bits; 0 to 63 are possible. (in '1 << i * 64')"),
        ("1 >> 0 - i - 1", "shifts by -1 bits"),
    ],
)
def test_operators_without_value(text: str, message: str | None):
    expr, modes = parse_expression(text), {"i": (0, 3)}
    if message is None:
        bounds(expr, modes)
        return
    with pytest.raises(FormatError) as error:
        bounds(expr, modes)
    assert message in str(error.value)
