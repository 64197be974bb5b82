"""Sources that may hold duplicates: who may, where their values add up, what lists say of them."""

import numpy as np
import pytest

import tamale as tm
from tamale.dialects.format.named import resolve_format
from tamale.passes.conversion.plan import plan_conversion

LIST = "(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonunique, nonordered))"


@pytest.mark.parametrize(
    ("line", "repeats"),
    [
        ("coo", False),
        ("csr", False),
        (LIST, True),
        ("(i, j) -> (i : compressed(nonunique), j : compressed)", True),
        ("(i, j) -> (i : compressed(nonunique), j : dense)", True),
        ("(i, j) -> (i : dense, j : compressed(nonunique))", True),
    ],
)
def test_who_may_repeat_entries(line: str, repeats: bool):
    assert resolve_format(line, 2).may_repeat == repeats


@pytest.mark.parametrize(
    "target",
    [
        "(i, j) -> (i : bitmap, j : dense)",
        "(i, j) -> (i + j : compressed(nonunique), j : compressed(nonordered), i : singleton)",
        "(i, j) -> (i + j : compressed, j : sliced, i : singleton(nonunique, nonordered))",
        "(i, j) -> (i : compressed(nonunique), j : compressed)",
    ],
)  # fmt: skip
def test_values_that_share_a_place_add_up(target: str):
    rows, columns = np.array([0, 0, 1, 1, 0]), np.array([1, 1, 0, 2, 1])
    A = tm.convert((np.array([1.0, 2, 3, 4, 5]), (rows, columns)), LIST, shape=(3, 3))
    expected = np.zeros((3, 3))
    np.add.at(expected, (rows, columns), A.vals)
    assert np.array_equal(tm.convert(A, target).check().to_numpy(), expected)


def test_a_list_of_a_source_without_duplicates_has_none():
    source = "(i, j) -> (j - i : compressed, i : range, j : compressed)"
    target = "(i, j) -> (i + j : compressed, j : hashed, i : bitmap)"
    plan = plan_conversion(resolve_format(source), resolve_format(target))
    assert plan.route == "sorted"
    assert not plan.list_format.may_repeat
    A = np.arange(12.0).reshape(3, 4)
    assert np.array_equal(tm.convert(tm.convert(A, source), target).to_numpy(), A)


def test_entries_are_counted_across_a_dense_level():
    """csf(1, 0, 2) counts what the dense level in the middle of the source spreads out."""
    A = np.zeros((3, 5, 4))
    A[1, 2, 3], A[0, 2, 0], A[2, 4, 1] = 1.0, 2.0, 3.0
    middle = tm.convert(A, "(i, j, k) -> (j : compressed, k : dense, i : compressed)")
    assert np.array_equal(tm.convert(middle, "csf(1, 0, 2)").check().to_numpy(), A)
