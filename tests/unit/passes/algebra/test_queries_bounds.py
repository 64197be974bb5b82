"""How large numbers of queries get; test_queries.py holds what is promised against results."""

from dataclasses import replace

import pytest

from tamale.dialects.cin.sets import Universe
from tamale.dialects.format.named import resolve_format
from tamale.dialects.notation.ast import Access, Assignment, Call, Expr, Literal
from tamale.passes.algebra.queries import Chain, Loop, over_all_of, walked
from tamale.passes.algebra.queries_bounds import Sizes, result_sizes
from tamale.passes.levels.counting import query_operand

A = Access("A", ("i", "j"))
COUNTED = Sizes(count=32)
ONE = Literal(1)


def over_entries(operator: str | None, value: Expr, loops: int = 2) -> Chain:
    """`forall i, j: Q(j) op= value` for a csr matrix, or its outer loops alone."""
    operand = query_operand(A, resolve_format("csr", 2))
    steps = tuple(walked(operand, "ij"[:loops]))
    return Chain(steps, Assignment(Access("Q", ("j",)), operator, value), {"A": operand})


def map_(value: Expr) -> Expr:
    return Call("map", (A, value))


@pytest.mark.parametrize("operator", [None, "or", "max"])
def test_marks_are_bytes(operator: str | None):
    assert result_sizes(over_entries(operator, map_(ONE)), COUNTED) == Sizes(8, 32)


def test_entries_are_counted_in_their_width():
    assert result_sizes(over_entries("add", map_(ONE)), COUNTED) == Sizes(32, 32)
    assert result_sizes(over_entries("add", map_(ONE)), Sizes()) == Sizes(64, 64)


@pytest.mark.parametrize("operator", [None, "add", "max"])
def test_widths_are_counts(operator: str | None):
    chain = over_entries(operator, Call("width", (A,)), loops=1)
    assert result_sizes(chain, COUNTED) == Sizes(32, 32)


def test_the_largest_count_is_a_count():
    counts = Access("W", ("i",))
    largest = over_all_of(counts, Assignment(Access("Q", ()), "max", counts))
    assert result_sizes(largest, Sizes(32, 32)).value == 32
    assert result_sizes(largest, Sizes(64, 32)).value == 64


def test_counts_of_marks_are_counts_of_entries():
    marks = Access("W", ("i", "j"))
    count = Assignment(Access("Q", ("i",)), "add", Call("map", (marks, ONE)))
    assert result_sizes(over_all_of(marks, count), Sizes(8, 32)) == Sizes(32, 32)


@pytest.mark.parametrize(
    ("operator", "value"),
    [
        ("max", map_(Access("j", ()))),  # a coordinate, which nothing bounds
        ("add", map_(Literal(2))),
        ("mul", map_(ONE)),
        ("add", Call("mul", (Call("width", (A,)), Literal(3)))),
    ],
)
def test_other_numbers_are_not_bounded(operator: str, value: Expr):
    assert result_sizes(over_entries(operator, value), COUNTED).value == 64


def test_sums_of_counts_are_not_bounded():
    counts = Access("W", ("i",))
    total = over_all_of(counts, Assignment(Access("Q", ()), "add", counts))
    assert result_sizes(total, Sizes(32, 32)).value == 64


def test_other_loops_than_those_over_the_operand_are_not_counted():
    chain = over_entries("add", map_(ONE))
    repeated = replace(chain, steps=(Loop("n", Universe("n")), *chain.steps))
    assert result_sizes(repeated, COUNTED) == Sizes(64, 64)
