"""Property: parsing the canonical text of a tree gives an equal tree."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tamale.dialects.notation.ast import (
    Access,
    Assignment,
    Call,
    Expr,
    Literal,
    Reduce,
    free_variables,
    to_text,
)
from tamale.dialects.notation.parser import parse_notation
from tamale.dialects.operators import declared_operators
from tamale.frontend.notation.reductions import explicit_reductions

index_variables = st.sampled_from("ijkl")
variable_lists = st.lists(index_variables, min_size=1, max_size=3).map(tuple)
tensors = st.sampled_from(["A", "B", "x", "alpha", "sum_", "_t", "e1"])
accesses = st.builds(Access, tensors, st.lists(index_variables, max_size=3).map(tuple))
literals = st.builds(
    Literal,
    st.one_of(
        st.booleans(),
        st.integers(-(2**63), 2**64 - 1),
        st.floats(),
        st.floats(allow_nan=False, allow_infinity=False).map(lambda x: complex(0.0, x)),
    ),
)
reducers = st.sampled_from(["add", "mul", "max", "min", "and", "or", "xor"])


def grow(expr: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    """A level more of calls, of every operator with its arity, and of reductions."""
    calls = [
        st.builds(Call, st.just(operator), st.tuples(*[expr] * arity))
        for operator, arity in declared_operators().items()
    ]
    infix = [st.builds(Call, st.sampled_from(["add", "sub", "mul", "div"]), st.tuples(expr, expr))]
    return st.one_of(*calls, *infix * 6, st.builds(Reduce, reducers, variable_lists, expr))


expressions = st.recursive(st.one_of(accesses, literals), grow, max_leaves=25)
assignments = st.builds(
    Assignment, accesses, st.sampled_from([None, "add", "mul", "max", "or"]), expressions
)


@settings(max_examples=400, deadline=None)
@given(assignments)
def test_parsing_canonical_text_gives_the_tree_back(assignment: Assignment):
    assert parse_notation(to_text(assignment)) == assignment


@settings(max_examples=200, deadline=None)
@given(assignments)
def test_white_space_carries_no_meaning(assignment: Assignment):
    text = to_text(assignment)
    spread = text.replace("(", " ( ").replace(",", "\t,\n").replace(")", " ) ")
    assert parse_notation(spread) == assignment


@settings(max_examples=200, deadline=None)
@given(assignments)
def test_explicit_reductions_leave_no_variable_unbound(assignment: Assignment):
    explicit = explicit_reductions(assignment)
    assert explicit.operator is None
    assert set(free_variables(explicit.expression)) <= set(assignment.result.indices)
    assert explicit_reductions(explicit) == explicit
