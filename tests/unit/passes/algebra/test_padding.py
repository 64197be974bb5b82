"""Which arguments of which operators ask for entries, and which accesses are in them."""

from collections.abc import Iterator

import pytest

from tamale.dialects.notation.parser import parse_notation
from tamale.dialects.operators import (
    Number,
    Operator,
    declare_operator,
    declared_operators,
    operator_named,
    withdraw_operator,
)
from tamale.passes.algebra.padding import asked_accesses, asked_arguments


@pytest.fixture(autouse=True)
def masks() -> Iterator[None]:
    """`within(a, b)`: a where b has an entry. `either(a, b)`: what one of them alone has."""
    domains = {"within": ("a & b", (0, None)), "either": ("a & ~b | b & ~a", ())}
    for name, (domain, annihilators) in domains.items():
        declare_operator(
            Operator(name, 2, first, first, annihilators=annihilators, domain=domain)
        )
    yield
    for name in domains:
        withdraw_operator(name)


def first(a: Number, b: Number) -> Number:
    return a


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("add", []),
        ("mul", []),
        ("max", []),
        ("unless", [1]),
        ("within", [1]),
        ("either", [0, 1]),
    ],
)
def test_arguments(name: str, asked: list[int]):
    assert sorted(asked_arguments(operator_named(name))) == asked


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("z(i) = unless(a(i), b(i))", "b"),
        ("z(i) = unless(a(i), b(i) * c(i)) + d(i)", "b c"),
        ("z(i) = 2 * sum(j, unless(A(i,j), b(j)))", "b"),
        ("z(i) = unless(unless(a(i), b(i)), c(i))", "c b"),
        ("z(i) = unless(a(i), unless(b(i), c(i)))", "b c"),
        ("z(i) = either(a(i) + b(i), 1)", "a b"),
        ("z(i) = a(i) * b(i)", ""),
    ],
)
def test_accesses(text: str, asked: str):
    expression = parse_notation(text, declared_operators()).expression
    found = [access.tensor for access, _ in asked_accesses(expression)]
    assert sorted(found) == sorted(asked.split())
