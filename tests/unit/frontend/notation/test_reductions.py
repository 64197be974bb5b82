"""Implicit sums made explicit."""

import pytest

from tamale.dialects.notation.ast import free_variables, to_text
from tamale.dialects.notation.parser import parse_notation
from tamale.frontend.notation.reductions import (
    accesses,
    explicit_reductions,
    reduction_terms,
    variables,
)


@pytest.mark.parametrize(
    "text, explicit",
    [
        ("y(i) = A(i,j) * x(j)", "y(i) = sum(j, A(i,j) * x(j))"),
        ("y(i) = b(i) - A(i,j) * x(j)", "y(i) = b(i) - sum(j, A(i,j) * x(j))"),
        ("y(i) = -A(i,j) + B(i,k)", "y(i) = -sum(j, A(i,j)) + sum(k, B(i,k))"),
        ("y(i) = a - (b(i) + A(i,j))", "y(i) = a - (b(i) + sum(j, A(i,j)))"),
        ("y(i) = (A(i,j) + B(i,j)) * x(j)", "y(i) = sum(j, (A(i,j) + B(i,j)) * x(j))"),
        ("y(i) = alpha * (b(i) + A(i,j))", "y(i) = sum(j, alpha * (b(i) + A(i,j)))"),
        ("y(i) = max(A(i,j), b(i))", "y(i) = sum(j, max(A(i,j), b(i)))"),
        ("y = A(k,j) * B(j,k)", "y = sum((k,j), A(k,j) * B(j,k))"),
        ("y(i) = A(j,j)", "y(i) = sum(j, A(j,j))"),
        ("Z(i,j) = b(i)", "Z(i,j) = b(i)"),
        ("y = 1", "y = 1"),
        ("y(i) = sum(j, A(i,j) * x(j))", "y(i) = sum(j, A(i,j) * x(j))"),
        ("y(i) = sum(j, A(i,j) * B(j,k))", "y(i) = sum(k, sum(j, A(i,j) * B(j,k)))"),
        ("y = sum(j, a(j)) + b(j)", "y = sum(j, a(j)) + sum(j, b(j))"),
        ("y(i) = reduce(max, j, A(i,j)) - b(j)", "y(i) = reduce(max, j, A(i,j)) - sum(j, b(j))"),
        ("y(i) += A(i,j) * x(j)", "y(i) = y(i) + sum(j, A(i,j) * x(j))"),
        ("y(i) += b(i) - A(i,j)", "y(i) = y(i) + (b(i) - sum(j, A(i,j)))"),
        ("y(i) max= A(i,j)", "y(i) = max(y(i), reduce(max, j, A(i,j)))"),
        ("y(i) max= A(i,j) + b(j)", "y(i) = max(y(i), reduce(max, j, A(i,j) + b(j)))"),
        ("y(i) *= A(i,j)", "y(i) = y(i) * reduce(mul, j, A(i,j))"),
        ("y |= A(i,j)", "y = or(y, reduce(or, (i,j), A(i,j)))"),
        ("y(i) min= b(i)", "y(i) = min(y(i), b(i))"),
    ],
)  # fmt: skip
def test_explicit_form(text: str, explicit: str):
    assert to_text(explicit_reductions(parse_notation(text))) == explicit


def test_an_implicit_sum_has_the_span_of_its_term():
    text = "y(i) = b(i) - A(i,j) * x(j)"
    total = list(reduction_terms(explicit_reductions(parse_notation(text))))[1]
    assert text[slice(*total.span)] == "A(i,j) * x(j)"


def test_terms():
    terms = reduction_terms(parse_notation("y(i) = a - (b(i) * -c + neg(d))"))
    assert [to_text(term) for term in terms] == ["a", "b(i) * -c", "d"]
    assert len(reduction_terms(parse_notation("y(i) max= a + b"))) == 1


def test_variables_and_accesses_come_in_order_of_appearance():
    expr = parse_notation("y = B(l,k) * sum(j, A(j,i) * x(k)) * x(k)").expression
    assert variables(expr) == ("l", "k", "j", "i")
    assert free_variables(expr) == ("l", "k", "i")
    assert [to_text(access) for access in accesses(expr)] == ["B(l,k)", "A(j,i)", "x(k)", "x(k)"]


def test_a_variable_bound_in_one_place_can_be_free_in_another():
    assert free_variables(parse_notation("y = sum(j, a(j)) + b(j)").expression) == ("j",)
