"""Parts of statements that are computed first: what is left, and what forbids it."""

import pytest

from tamale.dialects.errors import ScheduleError
from tamale.dialects.notation.ast import Assignment, to_text
from tamale.dialects.notation.parser import parse_notation
from tamale.frontend.notation.reductions import explicit_reductions
from tamale.passes.algebra.precomputing import without_part

CHAIN = "Z(i,j) = A(i,k) * B(k,l) * C(l,j)"
LARGEST = "y(i) = reduce(max, j, A(i,j) * B(i,j))"


def statement(text: str) -> Assignment:
    return explicit_reductions(parse_notation(text))


def left(whole: str, part: str) -> str:
    return to_text(without_part(statement(whole), statement(part)))


@pytest.mark.parametrize(
    ("whole", "part", "expected"),
    [
        (CHAIN, "T(i,l) = A(i,k) * B(k,l)", "Z(i,j) = sum(l, T(i,l) * C(l,j))"),
        (CHAIN, "T(k,j) = C(l,j) * B(k,l)", "Z(i,j) = sum(k, A(i,k) * T(k,j))"),
        (CHAIN, "T(i,k,l) = A(i,k) * B(k,l)", "Z(i,j) = sum((k,l), T(i,k,l) * C(l,j))"),
        (CHAIN, "T(j,i) = A(i,k) * B(k,l) * C(l,j)", "Z(i,j) = T(j,i)"),
        ("y(i) = A(i,k) * B(k,l)", "T(k) = B(k,l)", "y(i) = sum(k, A(i,k) * T(k))"),
        ("s = A(i,j) * x(j)", "T(i) = A(i,j) * x(j)", "s = sum(i, T(i))"),
        ("y(i) = a(i) + b(i) - c(i)", "T(i) = a(i) - c(i)", "y(i) = T(i) + b(i)"),
        ("y(i) = d(i) - (a(i) + b(i))", "T(i) = a(i) + b(i)", "y(i) = d(i) - T(i)"),
        ("y(i) = sqrt(a(i) * b(i))", "T(i) = a(i) * b(i)", "y(i) = sqrt(T(i))"),
        ("y = max(a, max(b, c))", "T = max(c, a)", "y = max(T, b)"),
        (LARGEST, "T(i,j) = A(i,j) * B(i,j)", "y(i) = reduce(max, j, T(i,j))"),
        (LARGEST, "T(i) = reduce(max, j, A(i,j) * B(i,j))", "y(i) = T(i)"),
        # Every place that has the part reads it.
        ("y = a * b * c + a * b", "T = b * a", "y = T * c + T"),
        # Inside of an expression, with its own reduction.
        ("y(i) = d(i) + A(i,k) * b(k)", "T(i) = A(i,k) * b(k)", "y(i) = d(i) + T(i)"),
    ],
)
def test_what_is_left(whole: str, part: str, expected: str):
    assert left(whole, part) == expected


@pytest.mark.parametrize(
    ("whole", "part", "fact", "help"),
    [
        (CHAIN, "T(i) = A(i,k) * B(k,l)", "depends on l as well", "keep l: T(i,l) = A(i,k)"),
        (CHAIN, "T(l) = A(i,k) * B(k,l)", "does not reduce over i there", "keep i: T(l,i)"),
        ("y(i) = a(i)", "T = a(i)", "does not reduce over i there", "keep i: T(i) = a(i)"),
        (CHAIN, "T(i,l) = A(i,k) * D(k,l)", "has no such part", "terms or factors that one"),
        (CHAIN, "T(i,k,j) = A(i,k)", "does not depend on j", "leave out j"),
        (CHAIN, "B(i,k) = A(i,k)", "has a 'B' already", "another name"),
        (CHAIN, "l(i,k) = A(i,k)", "has a 'l' already", "another name"),
        (CHAIN, "Z(i,k) = A(i,k)", "has a 'Z' already", "another name"),
        (CHAIN, "T(i,i) = A(i,k)", "repeats a variable", "each variable once"),
    ],
)
def test_what_forbids_it(whole: str, part: str, fact: str, help: str):
    with pytest.raises(ScheduleError) as refusal:
        left(whole, part)
    first, second, third = str(refusal.value).split("\n")
    texts = [to_text(statement(text)) for text in (part, whole)]
    assert first == f"precompute: {texts[0]}  cannot be computed before  {texts[1]}"
    assert fact in second
    assert third.startswith("  help: ")
    assert help in third


def test_reductions_that_do_not_distribute():
    """The largest product is not the product of the largest."""
    whole = parse_notation("y = reduce(max, (i,j), a(i) * b(j))")
    part = parse_notation("T = reduce(max, i, a(i))")
    with pytest.raises(ScheduleError, match="by 'max' does not distribute over 'mul'"):
        without_part(whole, part)


def test_a_part_reduced_by_another_operator():
    part = parse_notation("T(i,l) = reduce(max, k, A(i,k) * B(k,l))")
    with pytest.raises(ScheduleError, match="reduces by 'add', the part by 'max'"):
        without_part(statement(CHAIN), part)
