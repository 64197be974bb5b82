"""What is computed first, and that all plans compute what the statement says."""

from collections.abc import Mapping
from random import Random

import numpy as np
import pytest
from packing import store
from scheduled import formats_of, read
from storage import random_entries, random_sizes

from tamale.dialects.format.named import name_of, resolve_format
from tamale.dialects.format.spec import Format
from tamale.dialects.notation.ast import Assignment, to_text
from tamale.frontend.reference import Reference, evaluate_reference
from tamale.frontend.tensor import Tensor
from tamale.passes.algebra.schedules import Scheduler
from tamale.passes.algebra.temporaries import BETTER, Plan, Splitter
from tamale.passes.algebra.terms import accesses_in

CHAIN = "Z(i,j) = A(i,k) * B(k,l) * C(l,j)"
SIX = "a:csf b:csf c:csf d:csf e:csf f:csf z:csf"
SUMS, OF_ROW = "A:csr a:csf b:csf c:csf d:csf Z:csr", "sum(k, (a(k) + X(i,k)) * (b(k) + 1))"
SPARSE = "A:csr B:csr C:csr D:csr Z:csr"


def plan(text: str, words: str) -> Plan | None:
    statement = read(text)
    return Splitter(formats_of(statement, words), {}).plan(statement)


def shown(found: Plan | None) -> list[str]:
    """The statements, each with the format of its result."""
    statements = () if found is None else found.statements
    return [
        f"{to_text(s)} : {name_of(found.formats[s.result.tensor])}" for s in statements if found
    ]


@pytest.mark.parametrize(
    ("text", "formats", "expected"),
    [
        (CHAIN, SPARSE, [
            "T(i,l) = sum(k, A(i,k) * B(k,l)) : csr",
            "Z(i,j) = sum(l, T(i,l) * C(l,j)) : csr",
        ]),
        ("Z(k,l) = P(i,k) * A(i,j) * Q(j,l)", "P:csr A:csr Q:csr Z:csr", [
            "T(k,j) = sum(i, P(i,k) * A(i,j)) : csr",
            "Z(k,l) = sum(j, T(k,j) * Q(j,l)) : csr",
        ]),
        ("Z(i,j) = A(i,k) * B(k,l) * C(l,m) * D(m,j)", SPARSE, [
            "T(i,l) = sum(k, A(i,k) * B(k,l)) : csr",
            "T2(l,j) = sum(m, C(l,m) * D(m,j)) : csr",
            "Z(i,j) = sum(l, T2(l,j) * T(i,l)) : csr",
        ]),
        ("Z(i,j) = D(i,j) + A(i,k) * B(k,j)", SPARSE, [
            "T(i,j) = sum(k, A(i,k) * B(k,j)) : csr",
            "Z(i,j) = D(i,j) + T(i,j) : csr",
        ]),
        # Sums that would be merged again for each entry of the other.
        ("Z(i,j) = (A(i,k) + B(i,k)) * (C(k,j) - D(k,j))", SPARSE, [
            "T(i,k) = A(i,k) + B(i,k) : csr",
            "T2(k,j) = C(k,j) - D(k,j) : csr",
            "Z(i,j) = sum(k, T(i,k) * T2(k,j)) : csr",
        ]),
        # Near misses: each entry of the sum is met once, or for all of a dense operand.
        ("z(i) = (A(i,j) + B(i,j)) * C(i,j)", f"{SPARSE} z:csf", []),
        ("z(i) = (A(i,j) + B(i,j)) * x(j)", "A:csr B:csr z:csf", []),
        # Four terms are two and two; three are merged at once.
        ("Z(i,j) = A(i,j) + B(i,j) + C(i,j) + D(i,j)", SPARSE, [
            "T(i,j) = A(i,j) + B(i,j) : csr",
            "T2(i,j) = C(i,j) + D(i,j) : csr",
            "Z(i,j) = T(i,j) + T2(i,j) : csr",
        ]),
        ("Z(i,j) = A(i,j) + B(i,j) + C(i,j)", SPARSE, []),
        # A name that is taken.
        ("Z(i,j) = T(i,j) + A(i,k) * B(k,j)", f"{SPARSE} T:csr", [
            "T2(i,j) = sum(k, A(i,k) * B(k,j)) : csr",
            "Z(i,j) = T(i,j) + T2(i,j) : csr",
        ]),
        # Nowhere, if k has size 0; or, in the next, where a and b share nothing.
        (f"Z(i,j) = A(i,j) * {OF_ROW} * sum(l, (c(l) + Y(j,l)) * (d(l) + 1))", SUMS, [
            f"T(i) = {OF_ROW} : csf",
            "Z(i,j) = A(i,j) * T(i) * sum(l, (c(l) + Y(j,l)) * (d(l) + 1)) : csr",
        ]),
        # Near miss: once for each row, outside of the loop of j.
        (f"Z(i,j) = A(i,j) * {OF_ROW}", SUMS, [f"Z(i,j) = A(i,j) * {OF_ROW} : csr"]),
        ("Z(i,j) = A(i,j) * sum(k, a(k) * X(i,k) * b(k))", "A:csr a:csf b:csf Z:csr", [
            "T(i) = sum(k, a(k) * X(i,k) * b(k)) : csf",
            "Z(i,j) = A(i,j) * T(i) : csr",
        ]),
        ("z(i) = a(i) + b(i) + c(i) + d(i) + e(i) + f(i)", SIX, [
            "T(i) = a(i) + b(i) + c(i) : csf",
            "T2(i) = d(i) + e(i) + f(i) : csf",
            "z(i) = T(i) + T2(i) : csf",
        ]),
        # Everywhere, as x is.
        ("z(i) = x(i) + b(i) + c(i) + d(i) + e(i) + f(i)", SIX, [
            "T(i) = x(i) + b(i) + c(i) : dense",
            "T2(i) = d(i) + e(i) + f(i) : csf",
            "z(i) = T(i) + T2(i) : csf",
        ]),
    ],
)  # fmt: skip
def test_what_is_computed_first(text: str, formats: str, expected: list[str]):
    assert shown(plan(text, formats)) == expected


@pytest.mark.parametrize(
    ("text", "formats"),
    [
        ("Z(i,j) = A(i,k) * B(k,j)", SPARSE),
        ("Z(i,j) = D(i,j) * X(i,k) * Y(k,j)", SPARSE),
        ("Z(i,j) = D(i,j) * A(i,k) * B(k,j)", SPARSE),
        ("Z(i,r) = X(i,j,k) * B(j,r) * C(k,r)", "X:csf"),
        ("y(i) = b(i) - A(i,j) * x(j)", "A:csr"),
        ("Z(i,j) = A(i,k) * d(k) * B(k,j)", SPARSE),
        (CHAIN, ""),
        ("z(i) = a(i) + b(i) + c(i)", "a:csf b:csf c:csf z:csf"),
        ("Z(i,j) = A(i,j) * B(i,j) * C(i,j) * D(i,j) * E(i,j)", f"{SPARSE} E:csr"),
        ("z = reduce(max, (i,j,k), A(i,j) * B(j,k) * C(k,i))", SPARSE),
    ],
)
def test_what_stays_whole(text: str, formats: str):
    found = plan(text, formats)
    assert found is None or found.statements == (read(text),)


def test_a_plan_costs_what_its_steps_cost():
    found, whole = plan(CHAIN, SPARSE), read(CHAIN)
    assert found is not None
    alone = Scheduler(whole, formats_of(whole, SPARSE)).best()
    assert alone is not None
    assert found.cost < alone.cost


def test_long_products_are_planned_from_their_cheapest_pair_on():
    text = "Z(i,j) = A(i,k) * B(k,l) * C(l,m) * D(m,n) * E(n,o) * F(o,j)"
    found = plan(text, f"{SPARSE} E:csr F:csr")
    assert found is not None
    assert len(found.statements) == 5
    for statement in found.statements:
        assert len(accesses_in(statement.expression)) == 2


STATEMENTS = (
    CHAIN,
    "Z(k,l) = A(i,k) * B(i,j) * C(j,l)",
    "z(i) = A(i,j) * B(j,k) * c(k)",
    "Z(i,j) = D(i,j) + A(i,k) * B(k,j) - C(j,i)",
    "Z(i,j) = D(i,j) * A(i,k) * B(k,l) * C(l,j)",
    "Z(i,j) = max(sum(k, A(i,k) * B(k,j)), D(i,j))",
    "Z(i,j) = D(i,j) * sum((k,l), A(k,l) * B(l,k) * x(i))",
    "Z(i,j) = (A(i,k) + B(i,k)) * C(k,l) * D(l,j)",
    "Z(i,j) = A(i,j) + B(i,j) + C(i,j) + D(i,j) + E(i,j) + F(i,j)",
    "Z(i,j) = max(max(max(A(i,j), B(i,j)), max(C(i,j), D(i,j))), max(E(i,j), F(j,i)))",
    "z = A(i,j) * B(j,k) * C(k,l) * D(l,i)",
    "Z(i,j) = sum(k, A(i,k) * sum(l, B(k,l) * C(l,j)))",
    "Z(i,j) = sum(k, X(i,k)) + A(i,j) + B(i,j) + C(i,j) + D(i,j) + E(i,j)",
)
SOME = {0: ("dense",), 1: ("csf", "dense"), 2: ("csr", "csc", "dcsr", "coo", "csr", "dense")}


@pytest.mark.parametrize("text", STATEMENTS)
@pytest.mark.parametrize("seed", range(8))
def test_plans_compute_what_the_statement_says(text: str, seed: int):
    """Values and structure, as temporaries are stored; also where sums have no terms."""
    random, statement = Random(f"{text}{seed}"), read(text)
    formats = formats_of(statement, "")
    words = " ".join(
        f"{n}:{'dense' if n == 'X' else random.choice(SOME[f.order])}" for n, f in formats.items()
    )
    formats = formats_of(statement, words)
    operands = random_operands(random, statement, formats, empty=seed >= 4)
    found = Splitter(formats, {}).plan(statement)
    steps = (statement,) if found is None else found.statements
    reference, tensors = evaluate_reference(statement, operands), dict(operands)
    result = reference
    for step in steps:
        result = evaluate_reference(step, tensors)
        name = step.result.tensor
        format = formats[name] if found is None else found.formats[name]
        tensors[name] = as_tensor(result, dense=format.all_dense)
        assert Scheduler(step, {**formats, **(found.formats if found else {})}).best() is not None
    np.testing.assert_array_equal(np.asarray(tensors[statement.result.tensor]), reference.values)
    np.testing.assert_array_equal(result.structure, reference.structure)


def random_operands(
    random: Random, statement: Assignment, formats: Mapping[str, Format], *, empty: bool
) -> dict[str, Tensor]:
    """Operands of random sizes; modes that are summed have size 0 if `empty`."""
    uses = {access.tensor: access for access in accesses_in(statement.expression)}
    variables = dict.fromkeys(v for access in uses.values() for v in access.indices)
    squared = "D(l,i)" in to_text(statement) or "F(j,i)" in to_text(statement)
    sizes = random_sizes(random, tuple(variables), empty=True)
    sizes = dict.fromkeys(sizes, 4) if squared or "C(j,i)" in to_text(statement) else sizes
    tensors: dict[str, Tensor] = {}
    for name, access in uses.items():
        shape = tuple(sizes[v] for v in access.indices)
        full = formats[name].all_dense
        entries = random_entries(random, shape, "int64", full=full, duplicates=False)
        tensors[name] = store(*entries, shape, formats[name])
    return tensors


def as_tensor(result: Reference, *, dense: bool) -> Tensor:
    """A result with entries where it has them, or everywhere."""
    order = result.values.ndim
    kept = np.ones_like(result.structure) if dense else result.structure
    format = resolve_format("dense" if dense or not order else "coo", order)
    places = np.nonzero(kept) if order else ()
    return store(places, result.values[kept].reshape(-1), result.values.shape, format)


def test_a_sum_that_would_be_repeated_for_every_entry_is_computed_first():
    text, words = "Z(i,j) = D(i,j) + A(i,k) * B(k,j)", "A:csc B:csc D:csr Z:csr"
    statement = read(text)
    whole, found = Scheduler(statement, formats_of(statement, words)).best(), plan(text, words)
    assert whole is not None
    assert found is not None
    assert len(found.statements) == 2
    assert found.cost * BETTER < whole.cost
