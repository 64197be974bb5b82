"""Operators and reductions of tensors, beside NumPy's."""

import operator
import re
import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np
import pytest

import tamale as tm
from tamale.frontend.tensor import Tensor

scipy_sparse: Any = import_module("scipy.sparse")
Binary: TypeAlias = Callable[[Any, Any], Any]

M = np.array([[0, 2.0, 0, 0], [1, 0, 0, 3], [0, 0, 0, 0], [0, 4, 5, 6]])
N = np.array([[1, 2.0, 0, 0], [0, 0, 0, 3], [0, 0, 7, 0], [0, 4, 0, 0]])
D = np.arange(1.0, 17).reshape(4, 4)
x = np.array([1.0, 2, 0, 4])
BINARY: dict[str, Binary] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "@": lambda a, b: a @ b,
}


def agree(found: Any, expected: Any, *, sparse: bool) -> None:
    assert isinstance(found, Tensor) == sparse
    dense = found.check().to_numpy() if isinstance(found, Tensor) else np.asarray(found)
    assert dense.dtype == np.asarray(expected).dtype
    assert dense.shape == np.shape(expected)
    assert np.allclose(dense, expected, equal_nan=True)


@pytest.mark.parametrize("symbol", ["+", "-", "*"])
@pytest.mark.parametrize("formats", [("csr", "csr"), ("csc", "coo"), ("dia", "csr")])
def test_two_sparse_operands(symbol: str, formats: tuple[str, str]):
    A, B = tm.tensor(M, formats[0]), tm.tensor(N, formats[1])
    Z = BINARY[symbol](A, B)
    agree(Z, BINARY[symbol](M, N), sparse=True)
    assert Z.format == tm.resolve_format(formats[0])  # that of the first one


@pytest.mark.parametrize(
    ("symbol", "sparse"), [("+", False), ("-", False), ("*", True), ("@", False)]
)
def test_a_dense_operand(symbol: str, sparse: bool):
    A = tm.tensor(M, "csr")
    agree(BINARY[symbol](A, D), BINARY[symbol](M, D), sparse=sparse)
    agree(BINARY[symbol](D, A), BINARY[symbol](D, M), sparse=sparse)
    agree(BINARY[symbol](A, tm.tensor(D)), BINARY[symbol](M, D), sparse=sparse)


def test_quotients_are_as_sparse_as_what_is_divided():
    A = tm.tensor(M, "csr")
    agree(A / D, M / D, sparse=True)
    agree(A / 2, M / 2, sparse=True)
    agree(D / tm.tensor(D, "csr"), D / D, sparse=False)
    with np.errstate(divide="ignore"):
        agree(1 / A, 1 / M, sparse=False)


@pytest.mark.parametrize("other", [3, 2.5, 1j, np.float32(2), True])
def test_numbers(other: Any):
    A = tm.tensor(M, "csr")
    agree(A * other, M * other, sparse=True)
    agree(other * A, other * M, sparse=True)
    agree(A + other, M + other, sparse=False)
    agree(other - A, other - M, sparse=False)


@pytest.mark.parametrize("dtype", ["float32", "int32", "complex64", "int8"])
def test_numbers_are_weak(dtype: str):
    A = M.astype(dtype)
    agree(tm.tensor(A, "csr") * 2, A * 2, sparse=True)
    agree(tm.tensor(A, "csr") * 0.5, A * 0.5, sparse=True)
    agree(tm.tensor(A, "csr") + tm.tensor(N, "csr"), A + N, sparse=True)


SHAPES = [((4, 4), (4,)), ((4, 4), (1, 4)), ((4, 4), (4, 1)), ((4, 1), (1, 4)), ((4,), (4, 4))]


@pytest.mark.parametrize("symbol", ["+", "*"])
@pytest.mark.parametrize("shapes", SHAPES)
def test_broadcasting(shapes: tuple[tuple[int, ...], tuple[int, ...]], symbol: str):
    a, b = (
        (full if len(shape) > 1 else x)[tuple(map(slice, shape))]
        for full, shape in zip((M, N), shapes, strict=True)
    )
    expected: Any = BINARY[symbol](a, b)
    A, B = (tm.tensor(v, "csr" if v.ndim > 1 else "csf") for v in (a, b))
    agree(BINARY[symbol](A, B), expected, sparse=True)
    agree(BINARY[symbol](A, b), expected, sparse=symbol == "*")


def test_broadcasting_of_three_modes():
    T = np.zeros((2, 4, 4))
    T[1, 2, 3], T[0, 1, 2] = 5, 6
    agree(tm.tensor(T, "csf") * tm.tensor(M, "csr"), T * M, sparse=True)
    agree(tm.tensor(T, "csf") @ x, T @ x, sparse=False)
    agree(tm.tensor(T, "csf") @ D, T @ D, sparse=False)


def test_the_same_tensor_twice_is_one_operand():
    A = tm.tensor(([2.0, 0.0], ([0, 1], [1, 1])), "csr", shape=(2, 2))
    Z = A + A
    assert Z.nnz == 2  # an explicit zero stays
    agree(A * A, np.array([[0, 4.0], [0, 0]]), sparse=True)


def test_products():
    A, B, v = tm.tensor(M, "csr"), tm.tensor(N, "csc"), tm.tensor(x, "csf")
    agree(A @ x, M @ x, sparse=False)
    agree(x @ A, x @ M, sparse=False)
    agree(A @ B, M @ N, sparse=True)
    agree(A @ v, M @ x, sparse=True)
    agree(v @ v, x @ x, sparse=False)
    assert (v @ v) == 21


def test_arrays_of_other_libraries():
    A, S = tm.tensor(M, "csr"), scipy_sparse.csr_array(N)
    agree(A + S, M + N, sparse=True)
    agree(S + A, M + N, sparse=True)
    agree(A * [1.0, 2.0, 3.0, 4.0], M * [1.0, 2.0, 3.0, 4.0], sparse=True)


def test_hybrid_tensors():
    A = tm.convert(M, "hyb(1)")
    agree(A @ x, M @ x, sparse=False)
    agree(A * 2, M * 2, sparse=True)
    agree(A + tm.tensor(N, "csr"), M + N, sparse=True)
    agree(A.sum(axis=1), M.sum(axis=1), sparse=True)
    agree(A.max(), M.max(), sparse=False)


def test_signs():
    A = tm.tensor(M - 2 * N, "dia")
    agree(-A, 2 * N - M, sparse=True)
    agree(abs(A), abs(M - 2 * N), sparse=True)
    assert +A is A
    agree(abs(tm.tensor(-D)), D, sparse=False)


@pytest.mark.parametrize("other", ["a", None, {}, np.array(["a"])])
@pytest.mark.parametrize("symbol", BINARY)
def test_what_is_no_operand(symbol: str, other: Any):
    with pytest.raises(TypeError, match="operand|non-int"):
        BINARY[symbol](tm.tensor(M, "csr"), other)


@pytest.mark.parametrize(
    ("symbol", "other", "message"),
    [
        ("+", np.ones(3), "+: (4, 4) and (3,) do not fit: mode 2 of the result would have size 4"),
        ("@", np.ones(3), "@: (4, 4) and (3,) do not fit: 4 columns, 3 rows"),
        ("@", 3, "@: a number is no matrix"),
    ],
)
def test_operands_that_do_not_fit(symbol: str, other: Any, message: str):
    with pytest.raises(tm.KernelError, match=re.escape(message)):
        BINARY[symbol](tm.tensor(M, "csr"), other)


def test_a_refusal_says_which_statement():
    A = tm.tensor(np.tril(M), "skyline")
    with pytest.raises(tm.TamaleError) as caught:
        _ = A + tm.tensor(N, "csr")
    assert caught.value.__notes__ == [
        "in Z(i0,i1) = A(i0,i1) + B(i0,i1), which an operator of tensors stands for"
    ]


@pytest.mark.parametrize("format", ["csr", "csc", "dia", "dok", "bcsr(2, 2)", "dense", "coo"])
def test_transposition_shares_all_arrays(format: str):
    A = tm.tensor(M, format)
    assert np.array_equal(A.T.check().to_numpy(), M.T)
    assert A.T.vals is A.vals
    assert A.T.T == A
    assert tm.tensor(M, "csr").T.format.canonical() == tm.formats.csc.canonical()


def test_transposition_of_three_modes():
    T = np.arange(24.0).reshape(2, 3, 4)
    A = tm.tensor(T, "csf")
    assert np.array_equal(A.transpose(2, 0, 1).check().to_numpy(), T.transpose(2, 0, 1))
    with pytest.raises(tm.CoordinateError, match=r"\(0, 0, 1\) is no order of 3 modes"):
        A.transpose(0, 0, 1)


REDUCTIONS = ("sum", "max", "min", "mean")


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dia", "dok"])
@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 1)])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name: str, axis: Any, format: str):
    found = getattr(tm.tensor(M, format), name)(axis)
    agree(found, getattr(M, name)(axis), sparse=axis in (0, 1, -1))


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_of_other_tensors(name: str):
    T = np.random.default_rng(3).integers(-3, 2, (3, 4, 2)) * 1.0
    agree(getattr(tm.tensor(T, "csf"), name)((0, 2)), getattr(T, name)((0, 2)), sparse=True)
    agree(getattr(tm.tensor(T, "coo"), name)(1), getattr(T, name)(1), sparse=True)
    agree(getattr(tm.tensor(T), name)(1), getattr(T, name)(1), sparse=False)
    full = tm.tensor(np.full((2, 2), -1.0), "csr")
    assert getattr(full, name)() == getattr(np.full((2, 2), -1.0), name)()


def test_extremes_of_negative_values_and_nan():
    A = tm.tensor(np.array([[-1.0, -2], [-3, 0], [np.nan, 1]]), "csr")
    assert np.array_equal(A.max(1).to_numpy(), [-1, 0, np.nan], equal_nan=True)
    assert np.array_equal(A.min(1).to_numpy(), [-2, -3, np.nan], equal_nan=True)
    assert np.isnan(A.max())


def test_extremes_of_duplicates_are_of_sums():
    line = "(i) -> (i : compressed(nonunique, nonordered))"
    levels = [{"pos": np.array([0, 3], "i4"), "crd": np.array([0, 1, 0], "i4")}]
    A = Tensor(tm.resolve_format(line), (2,), levels, np.array([2.0, 3.0, 2.0]))
    assert A.max() == 4
    assert A.sum() == 7


def test_sums_in_a_wider_type():
    ones = np.ones(1 << 25, "float32")
    A = Tensor(tm.resolve_format("dense", 1), ones.shape, [{}], ones)
    assert A.sum() == 1 << 25
    assert A.sum().dtype == np.float32
    assert tm.tensor(np.full(400, 1, "int8"), "csf").sum() == 400


def test_sums_into_a_format_or_an_array():
    A = tm.tensor(M, "csr")
    assert isinstance(A.sum(1, out="dense"), np.ndarray)
    y = np.empty(4)
    assert A.sum(0, out=y) is y
    assert y.tolist() == M.sum(0).tolist()


@pytest.mark.parametrize("name", ["max", "min", "mean"])
def test_nothing_to_reduce(name: str):
    with pytest.raises(tm.TamaleError, match=f"{name}: no coordinates"):
        getattr(tm.tensor(np.zeros((0, 3)), "csr"), name)()


def test_reductions_that_are_refused():
    with pytest.raises(tm.CoordinateError, match="axis 2 names no modes of a tensor of order 2"):
        tm.tensor(M, "csr").sum(2)
    with pytest.raises(tm.CoordinateError, match=r"axis \(0, -2\) names no modes"):
        tm.tensor(M, "csr").sum((0, -2))
    with pytest.raises(tm.TamaleError, match="max: complex numbers have no order"):
        tm.tensor(M * 1j, "csr").max()


def test_conversions_can_be_refused():
    A, B = tm.tensor(M, "csr"), tm.tensor(N, "csc")
    statement = "Z(i,j) = A(i,j) + B(i,j)"
    assert tm.evaluate(statement, A=A, B=B, out="csr").equals(M + N)
    with pytest.raises(tm.ScheduleError):
        tm.evaluate(statement, A=A, B=B, out="csr", conversions=False)
    with pytest.raises(tm.ScheduleError):
        tm.einsum("ij,ij->ij", A, B, out="csr", conversions=False)


def test_threads_share_one_kernel():
    A, found, start = tm.tensor(M, "csr"), list[Any](), threading.Barrier(8)

    def work() -> None:
        start.wait()
        for _ in range(50):
            found.append(tm.evaluate("y(i) = 3 * A(i,j) * x(j)", A=A, x=x))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 400
    assert all(np.array_equal(y, 3 * M @ x) for y in found)
