"""Selections: reading, negating, renaming, and what is refused."""

from operator import eq, ge, gt, le, lt, ne

import pytest

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expressions import Const, Counter, evaluate
from tamale.dialects.format.selection import NEGATIONS, parse_comparison, parse_selection

MODES = ("i", "j")
TRUTH = {"<": lt, "<=": le, ">": gt, ">=": ge, "==": eq, "!=": ne}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("#i<3", "#i < 3"),
        ("j-i>>1>=i<<2", "j - i >> 1 >= i << 2"),
        (" # i j == 0 && i!=j ", "#i j == 0 && i != j"),
        ("x = i / 2 in x * x <= 8", "x = i / 2 in x * x <= 8"),
    ],
)
def test_reads_and_prints(text: str, shown: str):
    selection = parse_selection(text)
    assert str(selection) == shown
    assert parse_selection(shown) == selection
    selection.verify(MODES)


@pytest.mark.parametrize("symbol", NEGATIONS)
def test_a_negation_holds_where_the_comparison_does_not(symbol: str):
    comparison = parse_comparison(f"i {symbol} 2")
    sides = comparison.lhs, comparison.rhs
    for i in range(5):
        lhs, rhs = (evaluate(side, {"i": i}) for side in sides)
        holds, fails = (TRUTH[c.symbol](lhs, rhs) for c in (comparison, comparison.negated()))
        assert holds is not fails


def test_counters_and_renaming():
    selection = parse_selection("#i < 3 && j > 1").renamed(MODES, ("r", "c"))
    assert str(selection) == "#r < 3 && c > 1"
    assert selection.counts
    assert selection.comparisons[0].counters == {Counter(("r",))}
    assert selection.expressions[1] == Const(3)
    assert not parse_selection("j > 1").counts


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#i", "expected one comparison, such as '#i < 3', got 0 in '#i'"),
        ("1 < i < 3", "expected one comparison, such as '#i < 3', got 2 in '1 < i < 3'"),
        ("i <", "expected an expression, got the end"),
        ("i < 3 &&", "expected one comparison"),
        ("i < ?", "'?' has no meaning"),
    ],
)
def test_what_cannot_be_read(text: str, message: str):
    with pytest.raises(FormatError) as caught:
        parse_selection(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("jj < 3", "'jj' in 'jj < 3' is no mode (did you mean 'j'?); modes: i, j"),
        ("#k < 3", "'k' in '#k < 3' is no mode; modes: i, j"),
        ("i / j < 3", "'i / j' in 'i / j < 3' needs a constant on the right"),
        ("i % 0 < 3", "'i % 0' in 'i % 0 < 3' needs a constant on the right"),
        ("i < j << 64", "'j << 64' in 'i < j << 64' needs a constant on the right"),
    ],
)
def test_what_makes_no_sense(text: str, message: str):
    with pytest.raises(FormatError) as caught:
        parse_selection(text).verify(MODES)
    assert message in str(caught.value)
