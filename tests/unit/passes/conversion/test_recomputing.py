"""Level coordinates are computed in every pass, unless that takes longer than to keep them."""

import numpy as np
import pytest

import tamale as tm
from tamale.dialects.format.expression_parser import parse_expression
from tamale.dialects.format.named import resolve_format
from tamale.passes.conversion.plan import passes_over_levels, plan_conversion
from tamale.passes.conversion.recomputing import (
    OPERATIONS_PER_WORD,
    operations,
    repeated_operations,
)

LOOSE = "(nonunique, nonordered)"


def bits(terms: int) -> str:
    """An expression of this many times three operators, and one more."""
    return "j & 1" + "".join(f" ^ (i >> {n} & 7)" for n in range(terms))


def target(code: str) -> str:
    """Two levels with edges: a code is needed to count entries, and in a pass for each level."""
    return f"(i, j) -> ({code} : dense, i : compressed{LOOSE}, j : compressed{LOOSE})"


@pytest.mark.parametrize(
    ("text", "count"),
    [("i", 0), ("#i", 0), ("i / 4", 1), ("x = i / 4 in x * x", 2), (bits(3), 10)],
)
def test_operations(text: str, count: int):
    assert operations(parse_expression(text)) == count


def test_what_the_source_stores_is_not_computed():
    code = bits(3)
    stored = resolve_format(f"(i, j) -> ({code} : compressed{LOOSE}, i : singleton, j : singleton)")
    wanted = resolve_format(target(code))
    assert repeated_operations(resolve_format("csr", 2), wanted, [3, 2, 1]) == 20
    assert repeated_operations(stored, wanted, [3, 2, 1]) == 0
    assert repeated_operations(resolve_format("csr", 2), wanted, [1, 2, 3]) == 0


def test_the_rule():
    """Three passes, so two repetitions, against a list of four words an entry."""
    source = resolve_format("csr", 2)
    direct = plan_conversion(source, resolve_format(target(bits(1))))
    assert passes_over_levels(direct)[0] == 3
    largest = (OPERATIONS_PER_WORD * 4 // 2 - 1) // 3
    assert plan_conversion(source, resolve_format(target(bits(largest)))).route == "direct"
    plan = plan_conversion(source, resolve_format(target(bits(largest + 1))))
    assert plan.route == "listed"
    assert plan_conversion(plan.list_format, plan.target).route == "direct"


def test_an_order_of_the_source_is_not_given_up():
    """From the list, which has none, rows would have to be sorted."""
    line = f"(i, j) -> ({bits(30)} : dense, i : dense, j : compressed)"
    plan = plan_conversion(resolve_format("csr", 2), resolve_format(line))
    assert repeated_operations(plan.source, plan.target, passes_over_levels(plan)) == 91
    assert plan.route == "direct"


def test_the_result_is_the_same():
    A = np.where(np.random.default_rng(4).random((13, 9)) < 0.4, 1.5, 0.0)
    conversion = tm.conversion("csr", target(bits(12)))
    first = conversion.explain().splitlines()[0]
    why = "level coordinates take longer to compute in each pass than to keep"
    assert first.endswith(f": through a list of coordinates, {why}")
    assert np.array_equal(conversion(tm.convert(A, "csr")).check().to_numpy(), A)
