"""The paper's derivations step by step, and what keeps each rewrite from being applied."""

from __future__ import annotations

import pytest

from tamale.dialects.format.named import resolve_format
from tamale.dialects.notation.ast import Access
from tamale.dialects.query.parser import parse_select
from tamale.dialects.query.remapping import parse_remapping
from tamale.passes.algebra.queries import Chain, without_unused_lets
from tamale.passes.algebra.queries_canonical import canonical
from tamale.passes.algebra.queries_rewriting import (
    counter_to_histogram,
    inline_temporary,
    map_fold,
    reduction_to_assign,
    simplify_width_count,
)
from tamale.passes.levels.counting import countable_levels, query_operand


def chains(format: str, query: str, remapping: str = "(i, j) -> (i, j)") -> tuple[Chain, ...]:
    """The canonical form of a query's first aggregation."""
    named = parse_remapping(remapping)
    access = Access("A", named.modes)
    operand = query_operand(access, resolve_format(format, len(named.modes)))
    select = parse_select(query)
    return canonical(select.group, select.aggregates[0], operand, named)


def applied(chain: Chain | None, text: str) -> Chain:
    """The chain, which reads `text`."""
    assert chain is not None
    assert str(chain) == text
    return chain


def test_rows_of_csr():
    """`select [i] -> count(j)`, sec. 5: no nonzero is visited in the end."""
    mark, count = chains("csr", "select [i] -> count(j) as Q")
    applied(mark, "forall i in A.i, forall j in A.j: W(i,j) |= map(A(i,j), 1)")
    applied(count, "forall i in W.i, forall j in W.j: Q(i) += map(W(i,j), 1)")
    assert inline_temporary(count, mark) is None
    mark = applied(
        reduction_to_assign(mark), "forall i in A.i, forall j in A.j: W(i,j) = map(A(i,j), 1)"
    )
    count = applied(
        inline_temporary(count, mark),
        "forall i in A.i, forall j in A.j: Q(i) += map(map(A(i,j), 1), 1)",
    )
    count = applied(map_fold(count), "forall i in A.i, forall j in A.j: Q(i) += map(A(i,j), 1)")
    count = applied(simplify_width_count(count), "forall i in A.i: Q(i) += width(A(i,j))")
    applied(reduction_to_assign(count), "forall i in A.i: Q(i) = width(A(i,j))")


def test_longest_row_of_csr():
    """`select [] -> max(#i)`: the K of ELL."""
    remapping = "(i, j) -> (k = #i, i, j)"
    (largest,) = chains("csr", "select [] -> max(k) as Q", remapping)
    applied(largest, "forall i in A.i, forall j in A.j, let k = #i: Q max= map(A(i,j), k + 1)")
    histogram = counter_to_histogram(largest, "W")
    assert histogram is not None
    rows = applied(histogram[0], "forall i in A.i, forall j in A.j: W(i) += map(A(i,j), 1)")
    largest = applied(histogram[1], "forall i in W.i: Q max= W(i)")
    rows = applied(simplify_width_count(rows), "forall i in A.i: W(i) += width(A(i,j))")
    rows = applied(reduction_to_assign(rows), "forall i in A.i: W(i) = width(A(i,j))")
    applied(inline_temporary(largest, rows), "forall i in A.i: Q max= width(A(i,j))")


@pytest.mark.parametrize(
    ("format", "group", "reason"),
    [
        ("dense", "i", "padding is no entry"),
        ("(i, j) -> (i : compressed, j : dense)", "", "padding is no entry"),
        ("(i, j) -> (i : compressed(nonunique), j : compressed)", "i", "a row has many positions"),
        ("coo", "i", "there is one entry below a position"),
        ("(i, j) -> (i : dense, j : hashed)", "i", "free places lie between entries"),
        ("bcsr(2, 2)", "i", "rows are not stored one after the other"),
    ],
)
def test_no_width(format: str, group: str, reason: str):
    (chain,) = chains(format, f"select [{group}] -> count(*) as Q")
    assert simplify_width_count(chain) is None, reason


def test_unused_lets():
    """Padding has coordinates outside; a let that keeps them out has to stay."""
    (chain,) = chains("bcsr(2, 2)", "select [] -> count(*) as Q")
    assert without_unused_lets(chain).steps == chain.steps
    line = "(i, j) -> (i / 2 : compressed, i % 2 : compressed, j : compressed)"
    (chain,) = chains(line, "select [] -> count(*) as Q")
    assert [step.name for step in without_unused_lets(chain).steps] == ["i_div_2", "i_mod_2", "j"]


@pytest.mark.parametrize(
    ("format", "query", "text"),
    [
        ("coo", "select [] -> count(*) as Q", "Q += width(A(i,j))"),
        ("dcsr", "select [] -> count(*) as Q", "Q += width(A(i,j))"),
        ("dcsr", "select [i] -> id() as Q", "forall i in A.i: Q(i) |= map(width(A(i,j)), 1)"),
        ("csc", "select [j] -> count(*) as Q", "forall j in A.j: Q(j) += width(A(i,j))"),
        (
            "(i, j) -> (j - i : compressed, i : compressed)",
            "select [] -> count(*) as Q",
            "Q += width(A(i,j))",
        ),
    ],
)
def test_width(format: str, query: str, text: str):
    (chain,) = chains(format, query)
    applied(simplify_width_count(chain), text)


def test_width_of_several_levels():
    remapping = "(i, j, k) -> (i, j, k)"
    (chain,) = chains("csf", "select [i] -> count(*) as Q", remapping)
    applied(simplify_width_count(chain), "forall i in A.i: Q(i) += width(A(i,j,k))")
    (chain,) = chains("csf", "select [j] -> count(*) as Q", remapping)
    text = "forall i in A.i, forall j in A.j: Q(j) += width(A(i,j,k))"
    applied(simplify_width_count(chain), text)


def test_width_where_there_may_be_no_entry():
    """The last rows of blocks may lie outside, where no entry is."""
    (chain,) = chains(
        "(i, j) -> (i / 4 : dense, i % 4 : dense, j : compressed)",
        "select [b] -> count(*) as Q",
        "(i, j) -> (b = i / 2, i, j)",
    )
    loops = "forall i_div_4 in A.i_div_4, forall i_mod_4 in A.i_mod_4"
    value, b = "let i = i_div_4 * 4 + i_mod_4", "let b = i / 2 below (dim_i - 1) / 2 + 1"
    entries = "forall j in A.j: Q(b) += map(A(i,j), 1)"
    applied(chain, f"{loops}, {value} within dim_i, {b}, {entries}")
    counted = simplify_width_count(chain)
    applied(counted, f"{loops}, {value} within dim_i, {b}: Q(b) += width(A(i,j))")


def test_no_width_past_a_counter():
    """A let that counts has to be reached once per entry."""
    remapping = "(i, j) -> (k = #i, i, j)"
    mark, _ = chains("csr", "select [k] -> count(i) as Q", remapping)
    assert simplify_width_count(mark) is None


@pytest.mark.parametrize(
    ("format", "query", "remapping"),
    [
        ("csr", "select [j] -> id() as Q", "(i, j) -> (i, j)"),
        ("csr", "select [d] -> id() as Q", "(i, j) -> (d = j - i)"),
        ("(i, j) -> (i : dense, j : compressed(nonunique))", "select [i, j] -> id() as Q", ""),
        ("ell", "select [i, j] -> id() as Q", ""),
    ],
)
def test_no_assignment(format: str, query: str, remapping: str):
    """Two entries share an element, are duplicates, or padding lies on top of an entry."""
    (chain,) = chains(format, query, remapping or "(i, j) -> (i, j)")
    assert reduction_to_assign(chain) is None


@pytest.mark.parametrize(
    ("format", "query", "remapping"),
    [
        ("dia", "select [i, j] -> id() as Q", "(i, j) -> (i, j)"),
        ("bcsr(2, 2)", "select [i, j] -> id() as Q", "(i, j) -> (i, j)"),
        ("csr", "select [i, d] -> id() as Q", "(i, j) -> (i, d = j - i)"),
        ("coo", "select [r, q, j] -> id() as Q", "(i, j) -> (r = i / 4, q = i % 4, j)"),
    ],
)
def test_assignment(format: str, query: str, remapping: str):
    """The result's coordinates tell those of all loops."""
    (chain,) = chains(format, query, remapping)
    after = reduction_to_assign(chain)
    assert after is not None
    assert after.statement.operator is None


def test_histogram_needs_a_group_of_what_is_counted():
    """Entry (1, 3) may be the fifth of row 1 and the first of column 3."""
    remapping = "(i, j) -> (k = #i, i, j, r = i / 4)"
    (by_column,) = chains("csr", "select [j] -> max(k) as Q", remapping)
    assert counter_to_histogram(by_column, "W") is None
    (by_slice,) = chains("csr", "select [r] -> max(k) as Q", remapping)
    histogram = counter_to_histogram(by_slice, "W")
    assert histogram is not None
    applied(histogram[0], "forall i in A.i, forall j in A.j: W(i) += map(A(i,j), 1)")
    applied(
        histogram[1], "forall i in W.i, let r = i / 4 below (dim_i - 1) / 4 + 1: Q(r) max= W(i)"
    )


def test_histogram_avoids_names():
    remapping = "(W, j) -> (k = #W, W, j)"
    (chain,) = chains("csr", "select [] -> max(k) as Q", remapping)
    histogram = counter_to_histogram(chain, "W")
    assert histogram is not None
    applied(histogram[1], "forall W in W_.W: Q max= W_(W)")


def test_countable_levels():
    assert countable_levels(resolve_format("csf", 3)) == {0, 1, 2}
    assert countable_levels(resolve_format("(i, j) -> (i : hashed, j : compressed)")) == {1}
    assert countable_levels(resolve_format("(i, j) -> (i : dense, j : hashed)")) == set()
    squeezed = resolve_format("(i, j) -> (i : dense, j / 2 : squeezed, j % 2 : compressed)")
    assert countable_levels(squeezed) == {1, 2}  # Squeezed looks at rows, which have a loop.
    twice = resolve_format("(i, j) -> (i : squeezed, j / 2 : squeezed, j % 2 : compressed)")
    assert countable_levels(twice) == {1, 2}
