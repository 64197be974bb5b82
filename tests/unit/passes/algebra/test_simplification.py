"""Canonical set expressions: they denote the same coordinates, and their form is stable."""

from hypothesis import given
from hypothesis import strategies as st

from tamale.dialects.cin.sets import (
    EMPTY,
    Complement,
    Intersection,
    SetExpr,
    Stored,
    Union,
    Universe,
    children,
    leaves,
    parse_set,
    set_text,
    walk,
)
from tamale.passes.algebra.simplification import covers_universe, simplify, substitute

U = Universe("i")
LEAVES = tuple(Stored(name, "i") for name in "abc")
SIZE = 4
PRESENT = tuple(frozenset(LEAVES[k] for k in range(3) if bits >> k & 1) for bits in range(8))
"""Every way in which the operands can have an entry at a coordinate."""


def several(inner: st.SearchStrategy[SetExpr]) -> st.SearchStrategy[tuple[SetExpr, ...]]:
    return st.lists(inner, min_size=2, max_size=3).map(tuple)


set_expressions = st.recursive(
    st.sampled_from([*LEAVES, U, EMPTY]),
    lambda inner: (
        several(inner).map(Union) | several(inner).map(Intersection) | inner.map(Complement)
    ),
    max_leaves=10,
)


def is_member(expression: SetExpr, present: frozenset[Stored]) -> bool:
    """By the definition of each node."""
    match expression:
        case Union(sets):
            return any(is_member(s, present) for s in sets)
        case Intersection(sets):
            return all(is_member(s, present) for s in sets)
        case Complement(inner):
            return not is_member(inner, present)
        case _:
            return expression in present or expression == U


def denoted(expression: SetExpr) -> list[bool]:
    return [is_member(expression, present) for present in PRESENT]


@given(set_expressions)
def test_same_coordinates(expression: SetExpr):
    assert denoted(simplify(expression, "i")) == denoted(expression)


@given(set_expressions)
def test_idempotent(expression: SetExpr):
    once = simplify(expression, "i")
    assert simplify(once, "i") == once


@given(set_expressions)
def test_canonical_form(expression: SetExpr):
    simple = simplify(expression, "i")
    for node in walk(simple):
        inside = children(node)
        assert len(set(inside)) == len(inside)
        assert EMPTY not in inside
        match node:
            case Union():
                assert U not in inside[:-1]
                assert not any(isinstance(s, Union) for s in inside)
            case Intersection():
                assert U not in inside
                assert not any(isinstance(s, Intersection) for s in inside)
            case Complement(inner):
                assert not isinstance(inner, Complement | Universe)
            case _:
                pass


@given(set_expressions)
def test_no_new_leaves_and_the_same_text_again(expression: SetExpr):
    simple = simplify(expression, "i")
    assert set(leaves(simple)) <= set(leaves(expression))
    assert parse_set(set_text(simple)) == simple


@given(set_expressions)
def test_covering_the_universe(expression: SetExpr):
    simple = simplify(expression, "i")
    if covers_universe(simple):
        assert all(denoted(simple))


@given(set_expressions, st.sampled_from(LEAVES), st.sampled_from([*LEAVES, U, EMPTY]))
def test_substitution(expression: SetExpr, leaf: Stored, by: SetExpr):
    replaced = substitute(simplify(expression, "i"), leaf, by, "i")
    for present in PRESENT:
        there = present | {leaf} if is_member(by, present) else present - {leaf}
        assert is_member(replaced, present) == is_member(expression, there)


def test_selectors_are_kept():
    for text in ("a.i | U.i", "a.i & (b.i | U.i)", "a.i | a.i & b.i", "a.i & (a.i | b.i)"):
        assert set_text(simplify(parse_set(text), "i")) == text


def test_absorption_that_loses_no_leaf():
    assert set_text(simplify(parse_set("~(a.i & b.i) | ~(a.i & b.i) & a.i"), "i")) == "~(a.i & b.i)"
    assert set_text(simplify(parse_set("~a.i & (~a.i | a.i)"), "i")) == "~a.i"


def test_complement_of_a_covered_universe_is_empty():
    assert simplify(parse_set("~(a.i | U.i)"), "i") == EMPTY
