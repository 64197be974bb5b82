"""The reference itself: hand-made results, presence rules, implicit entries, slabs."""

import math
from typing import Any

import numpy as np
import pytest
from packing import pack

import tamale as tm
from tamale.dialects.errors import TamaleError
from tamale.dialects.operators import Number, Operator, declare_operator, withdraw_operator
from tamale.frontend import reference
from tamale.frontend.reference import Reference, evaluate_reference
from tamale.frontend.request import make_request

A = np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [3.0, 0.0, 4.0]])
B = np.array([[0.0, 5.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 6.0]])


def sparse(array: Any, format: str = "csr") -> tm.Tensor:
    return tm.tensor(array, format)


def evaluate(statement: str, sizes: dict[str, int] | None = None, **operands: Any) -> Reference:
    return evaluate_reference(make_request(statement, {}, {}).statement, operands, sizes=sizes)


def test_values_of_products_sums_and_broadcasts():
    x = np.array([1.0, 2.0, 3.0])
    assert np.array_equal(evaluate("y(i) = A(i,j) * x(j)", A=sparse(A), x=x).values, A @ x)
    assert np.array_equal(evaluate("C(i,k) = A(i,j) * B(j,k)", A=A, B=sparse(B)).values, A @ B)
    assert np.array_equal(evaluate("Z(j,i) = A(i,j) - x(j)", A=A, x=x).values, (A - x).T)
    assert evaluate("s = A(i,j)", A=sparse(A)).values == A.sum()
    assert np.array_equal(evaluate("y(i) = A(i,i)", A=sparse(A)).values, A.diagonal())


def test_a_variable_that_the_body_of_a_sum_lacks_in_part():
    x, y = np.array([1.0, 2.0]), np.array([1.0, 1.0, 1.0])
    found = evaluate("s = sum((i,j), x(i) + y(j))", x=x, y=y)
    assert found.values == np.add.outer(x, y).sum()


def test_types_are_numpys():
    whole, half = np.array([1, 2], dtype=np.int32), np.array([0.5, 1], dtype=np.float32)
    assert evaluate("y(i) = a(i) * 2", a=whole).values.dtype == np.int32
    assert evaluate("y(i) = a(i) * b(i)", a=half, b=half).values.dtype == np.float32
    found = evaluate_reference(
        make_request("y(i) = a(i)", {}, {}).statement, {"a": whole}, dtype="complex128"
    )
    assert found.values.dtype == np.complex128


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Z(i,j) = A(i,j) + B(i,j)", (A != 0) | (B != 0)),
        ("Z(i,j) = A(i,j) * B(i,j)", (A != 0) & (B != 0)),
        ("Z(i,j) = A(i,j) / B(i,j)", A != 0),
        ("Z(i,j) = max(A(i,j), B(i,j))", (A != 0) | (B != 0)),
        ("Z(i,j) = unless(B(i,j), A(i,j))", (B != 0) & (A == 0)),
        ("Z(i,j) = 2 * A(i,j)", A != 0),
        ("Z(i,j) = A(i,j) + 0", np.ones_like(A)),
        ("Z(i,j) = exp(A(i,j))", np.ones_like(A)),
        ("Z(i,j) = exp(A(i,j)) * B(i,j)", B != 0),
        ("Z(i,j) = B(i,j) * (A(i,j) + alpha)", B != 0),
    ],
)
def test_structure(statement: str, expected: Any):
    operands = {"A": sparse(A), "B": sparse(B), "alpha": np.array(1.0)}
    used = {name: value for name, value in operands.items() if name in statement}
    assert np.array_equal(evaluate(statement, None, **used).structure, expected.astype(bool))


def test_structure_of_reductions():
    assert np.array_equal(evaluate("y(i) = A(i,j)", A=sparse(A)).structure, [True, False, True])
    found = evaluate("y(i) = reduce(max, j, B(i,j) - A(i,j))", A=sparse(A), B=sparse(B))
    assert np.array_equal(found.values, (B - A).max(axis=1))
    assert np.array_equal(found.structure, [True, False, True])
    unsafe = evaluate("y(i) = sum(j, exp(A(i,j)))", A=sparse(A))
    assert unsafe.structure.all()
    assert np.allclose(unsafe.values, np.exp(A).sum(axis=1))


def test_stored_zeros_and_padding_have_entries():
    stored = pack([np.array([0, 1])], np.array([0.0, 2.0]), (3,), tm.resolve_format("csf", 1))
    assert np.array_equal(evaluate("y(i) = a(i)", a=stored).structure, [True, True, False])
    rows = sparse(A, "(i, j) -> (i : compressed, j : dense)")
    expected = np.repeat((A != 0).any(axis=1)[:, None], 3, axis=1)
    assert np.array_equal(evaluate("Z(i,j) = A(i,j)", A=rows).structure, expected)


def test_an_annihilator_wins_at_implicit_entries_only():
    x = np.array([np.nan, np.inf, 1.0])
    stored = pack([np.array([1])], np.array([0.0]), (3,), tm.resolve_format("csf", 1))
    values = evaluate("y(i) = a(i) * x(i)", a=stored, x=x).values
    assert np.array_equal(values, [0.0, np.nan, 0.0], equal_nan=True)


def test_duplicates_mean_their_sum():
    format = tm.resolve_format("(i) -> (i : compressed(nonunique))", 1)
    twice = pack([np.array([1, 1])], np.array([2.0, 3.0]), (3,), format)
    assert twice.nnz == 2
    assert np.array_equal(evaluate("y(i) = a(i) * a(i)", a=twice).values, [0.0, 25.0, 0.0])


def test_reductions_of_nothing():
    empty = np.zeros((2, 0))
    assert np.array_equal(evaluate("y(i) = A(i,j)", A=empty).values, [0, 0])
    largest = evaluate("y(i) = reduce(max, j, A(i,j))", A=empty.astype(np.int32))
    assert (largest.values == np.iinfo(np.int32).min).all()


def _gcd(a: Number, b: Number) -> Number:
    return math.gcd(int(a.real), int(b.real))


def _emit_nothing(build: Any, a: Any, b: Any) -> Any:
    return a


def test_an_operator_that_numpy_does_not_have():
    declare_operator(
        Operator("gcd_", 2, _gcd, _emit_nothing, (0, 0), commutative=True, associative=True)
    )
    try:
        found = evaluate("y(i) = reduce(gcd_, j, A(i,j))", A=np.array([[4, 6], [9, 0]]))
    finally:
        withdraw_operator("gcd_")
    assert np.array_equal(found.values, [2, 9])


def test_slabs_change_nothing(monkeypatch: pytest.MonkeyPatch):
    def compute() -> Reference:
        return evaluate("Z(i,k) = A(i,j) * B(j,k) + B(k,i)", A=sparse(A), B=sparse(B, "csc"))

    whole = compute()
    monkeypatch.setattr(reference, "SLAB_POINTS", 10)
    parts = compute()
    assert np.array_equal(whole.values, A @ B + B.T)
    assert np.array_equal(whole.values, parts.values)
    assert np.array_equal(whole.structure, parts.structure)


def test_sizes_of_variables_that_no_operand_has():
    found = evaluate("Z(i,j) = x(i)", sizes={"j": 2}, x=np.array([1.0, 2.0]))
    assert np.array_equal(found.values, [[1, 1], [2, 2]])
    with pytest.raises(TamaleError, match="no operand of .* tells the size of 'j'"):
        evaluate("Z(i,j) = x(i)", x=np.array([1.0]))


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(TamaleError, match="operand x of .* is missing"):
        evaluate("y(i) = A(i,j) * x(j)", A=A)
    with pytest.raises(TamaleError, match="'j' has size 3 and, in x\\(j\\), 2"):
        evaluate("y(i) = A(i,j) * x(j)", A=A, x=np.ones(2))
    monkeypatch.setattr(reference, "MAX_POINTS", 8)
    with pytest.raises(TamaleError, match="has 9 points"):
        evaluate("Z(i,j) = A(i,j)", A=A)


def test_padding_is_no_entry_of_a_mask():
    mask = np.array([[1.0, 0, 0], [0, 0, 0], [2.0, 0, 0]])
    ones = tm.tensor(np.ones((3, 3)), "csr")
    for format in ("csr", "ell", "skyline"):
        found = evaluate("Z(i,j) = unless(A(i,j), B(i,j))", A=ones, B=tm.tensor(mask, format))
        assert np.array_equal(found.values, mask == 0), format
    assert not evaluate("Z(i,j) = unless(A(i,j), B(i,j))", A=ones, B=mask).values.any()
