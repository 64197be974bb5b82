"""How loops in an order reach the entries of a result."""

from itertools import permutations

import pytest
from scheduled import formats_of, read

from tamale.dialects.notation.ast import Access
from tamale.passes.algebra.scattering import reach

LIST = "(i,j)->(i:compressed(nonunique,nonordered),j:singleton(nonunique,nonordered))"


def reached(result: str, format: str, order: str, operator: str = "add") -> str:
    statement = read(f"Z({','.join(result)}) = A({','.join(order)})")
    formats = formats_of(statement, f"Z:{format}")
    return reach(statement.result, formats["Z"], tuple(order), operator)


@pytest.mark.parametrize(
    ("result", "format", "order", "how"),
    [
        ("ij", "csr", "ijk", "in order"),
        ("ij", "csr", "ikj", "by rows"),
        ("ij", "csr", "kij", "scattered"),
        ("ij", "csc", "jki", "by rows"),
        ("ij", "csc", "ikj", "scattered"),
        ("ij", "dense", "kij", "in order"),
        ("ij", "coo", "ikj", "by rows"),
        ("j", "csf", "ij", "by rows"),
        ("ijk", "csf", "ijlk", "by rows"),
        ("ijk", "csf", "iljk", "scattered"),
        ("ijk", "csf(2,0,1)", "kilj", "by rows"),
    ],
)
def test_matrices_and_tensors(result: str, format: str, order: str, how: str):
    assert reached(result, format, order) == how


def test_a_list_of_terms_is_reached_in_any_order():
    for order in permutations("ijk"):
        assert reached("ij", LIST, "".join(order)) == "in order"


@pytest.mark.parametrize(
    ("operator", "by_rows", "listed"),
    [
        ("add", "by rows", "in order"),
        ("or", "by rows", "by rows"),
        # An absent entry counts as 0, which is not where these start.
        ("max", "scattered", "scattered"),
        ("mul", "scattered", "scattered"),
    ],
)
def test_by_which_operators_lists_reduce(operator: str, by_rows: str, listed: str):
    assert reached("ij", "csr", "ikj", operator) == by_rows
    assert reached("ij", LIST, "ikj", operator) == listed
    assert reached("ij", "csr", "ijk", operator) == "in order"


def test_a_scalar_is_one_place():
    statement = read("z = A(i,j)")
    formats = formats_of(statement, "")
    assert reach(Access("z"), formats["z"], ("i", "j")) == "in order"
