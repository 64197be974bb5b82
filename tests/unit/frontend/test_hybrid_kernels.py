"""Statements over hybrid tensors, part by part and converted, against NumPy."""

from typing import Any

import numpy as np
import pytest

import tamale as tm

RNG = np.random.default_rng(3)
M = (RNG.random((6, 8)) < 0.4) * RNG.integers(1, 9, (6, 8)).astype(float)
M[2] = 0
B, X, x, y = RNG.random((6, 8)), RNG.random((8, 3)), RNG.random(8), RNG.random(6)
HYBRIDS = ("hyb(2)", "hyb(9)", "j < 3 ? csc : #i < 2 ? ell : ucoo")


@pytest.fixture(params=HYBRIDS)
def A(request: pytest.FixtureRequest) -> tm.HybridTensor:
    return tm.convert(M, tm.Hybrid(request.param, 2))


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("y(i) = A(i,j) * x(j)", M @ x),
        ("y(i) = 2 * y(i) - A(i,j) * x(j) / 4", 2 * y - M @ x / 4),
        ("y(i) += x(j) * A(i,j)", y + M @ x),
        ("Z(i,k) = A(i,j) * X(j,k)", M @ X),
        ("Z(i,j) = A(i,j) + B(i,j)", M + B),
        ("Z(i,j) = B(i,j) - A(i,j)", B - M),
        ("Z(i,j) = -(B(i,j) + A(i,j))", -(B + M)),
        ("Z(i,j) = (A(i,j) + B(i,j)) * B(i,j)", (M + B) * B),
        ("s = A(i,j)", M.sum()),
        ("s = A(i,j) * A(i,j)", (M * M).sum()),
        ("y(i) = max(A(i,j) * x(j), y(i))", None),
        ("y(i) max= A(i,j)", np.maximum(y, M.max(axis=1))),
    ],
)
def test_against_numpy(A: tm.HybridTensor, statement: str, expected: Any):
    if expected is None:
        expected = np.maximum(M * x, y[:, None]).sum(axis=1)
    dense = {"B": B, "X": X, "x": x, "y": y}
    right = statement.split("=", 1)[1]
    operands: dict[str, Any] = {name: value for name, value in dense.items() if f"{name}(" in right}
    if "+=" in statement or "max=" in statement:
        operands["y"] = y
    assert np.allclose(tm.evaluate(statement, A=A, **operands), expected)


def test_two_hybrids(A: tm.HybridTensor):
    C = tm.convert(B, tm.Hybrid("j < 4 ? csr : coo"))
    assert np.allclose(tm.evaluate("Z(i,j) = A(i,j) + C(i,j)", A=A, C=C), M + B)
    assert np.allclose(tm.evaluate("s = A(i,j) * C(i,j)", A=A, C=C), (M * B).sum())
    assert np.allclose(tm.einsum("ij,j->i", A, x), M @ x)


def test_sparse_results_and_compiled_kernels(A: tm.HybridTensor):
    Z = tm.evaluate("Z(i,j) = 2 * A(i,j)", A=A, out="csr").check()
    assert np.array_equal(Z.to_numpy(), 2 * M)
    kernel = tm.compile("y(i) = A(i,j) * x(j)", A="csr")
    assert np.allclose(kernel(A=A, x=x), M @ x)


def test_into_an_array(A: tm.HybridTensor):
    out = np.empty(6)
    assert tm.evaluate("y(i) = A(i,j) * x(j)", A=A, x=x, out=out) is out
    assert np.allclose(out, M @ x)
    column_major = tm.evaluate("Z(i,j) = A(i,j) + B(i,j)", A=A, B=B, out="dense(1,0)")
    assert np.allclose(column_major, M + B)


def test_element_types():
    A = tm.convert(M.astype("float32"), tm.Hybrid("hyb(2)"))
    found = tm.evaluate("y(i) = A(i,j) * x(j)", A=A, x=x.astype("float32"))
    assert found.dtype == np.float32
    z = x + 1j
    assert np.allclose(tm.evaluate("y(i) = A(i,j) * z(j)", A=A, z=z), M @ z)
    assert tm.evaluate("s = A(i,j)", A=A, dtype="float64").dtype == np.float64


@pytest.mark.parametrize(
    ("statement", "out", "lines"),
    [
        (
            "y(i) = b(i) - A(i,j) * x(j)",
            "dense",
            [
                "a kernel for each part of A:",
                "  y(i) = b(i) - A(i,j) * x(j)   with A in ell",
                "  y(i) += -sum(j, A(i,j) * x(j))   with A in coo",
            ],
        ),
        (
            "Z(i,j) = A(i,j)",
            "csr",
            ["A is converted to csr first: a result in csr is not added to part by part"],
        ),
        (
            "Z(i,j) = A(i,j) * A(i,j)",
            "dense",
            ["A is converted to csr first: 'A(i,j) * A(i,j)' is not linear in A"],
        ),
        (
            "Z(i,j) = A(i,j) * Z(i,j)",
            "dense",
            ["A is converted to csr first: 'A(i,j) * Z(i,j)' reads the result"],
        ),
        (
            "Z(i,j) = B(i,j) / A(i,j)",
            "dense",
            ["A is converted to csr first: 'B(i,j) / A(i,j)' is not linear in A"],
        ),
    ],
)
def test_explaining(statement: str, out: str, lines: list[str]):
    A = tm.convert(M, tm.Hybrid("hyb(2)"))
    assert A.explain(statement, "A", out) == "\n".join(lines)


def test_threads_are_given_on():
    A = tm.convert(M, tm.Hybrid("hyb(2)"))
    shared = tm.evaluate("y(i) = A(i,j) * x(j)", A=A, x=x, threads=2)
    np.testing.assert_allclose(shared, tm.evaluate("y(i) = A(i,j) * x(j)", A=A, x=x))
    with pytest.raises(tm.TamaleError, match="threads: expected a whole number"):
        tm.evaluate("y(i) = A(i,j) * x(j)", A=A, x=x, threads=0)


def test_a_name_that_is_no_operand():
    A = tm.convert(M, tm.Hybrid("hyb(2)"))
    with pytest.raises(tm.NotationError, match=r"'A' names no operand of  y\(i\) = x\(i\)"):
        tm.evaluate("y(i) = x(i)", A=A, x=y)
