"""Calls of kernels: sizes that have to agree, and where results may go."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest

import tamale as tm

scipy_sparse: Any = import_module("scipy.sparse")
M = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]])
SPMV = "y(i) = A(i,j) * x(j)"


def test_each_use_of_an_operand_tells_sizes():
    kernel = tm.compile("Z(i,l) = P(i,k) * A(k,j) * P(l,j)")
    with pytest.raises(tm.TamaleError, match="'k' has size 3 in P and 2 in A"):
        kernel(P=M, A=np.ones((2, 3)))
    assert np.array_equal(kernel(P=M, A=np.eye(3)), M @ M.T)


def test_a_mode_that_only_the_result_has():
    kernel = tm.compile("Z(i,j) = b(i)")
    b = np.array([1.0, 2.0])
    with pytest.raises(tm.TamaleError, match="tells the size of 'j'"):
        kernel(b=b)
    assert kernel(b=b, shape=(2, 3)).tolist() == [[1, 1, 1], [2, 2, 2]]
    assert kernel(b=b, out=np.empty((2, 1))).tolist() == [[1], [2]]
    with pytest.raises(tm.TamaleError, match="'i' has size 2 in the operands and 3 in the result"):
        kernel(b=b, shape=(3, 3))
    with pytest.raises(tm.TamaleError, match="mode 2 has the dimension size -1"):
        kernel(b=b, shape=(2, -1))


def test_a_result_that_repeats_a_variable():
    kernel = tm.compile("Z(i,i) = b(i)")
    with pytest.raises(tm.TamaleError, match="2 in mode 1 of the result and 3 in mode 2"):
        kernel(b=np.ones(2), out=np.empty((2, 3)))
    assert kernel(b=np.ones(2)).tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("stored", [tm.tensor, scipy_sparse.csr_array])
def test_results_stay_out_of_operands(stored: Any):
    A = stored(scipy_sparse.csr_array(M))
    values = A.vals if isinstance(A, tm.Tensor) else A.data
    kernel = tm.compile(SPMV, A="csr")
    with pytest.raises(tm.TamaleError, match="out shares memory with operand A"):
        kernel(A=A, x=np.ones(3), out=values[:2])
    x = np.ones(3)
    with pytest.raises(tm.TamaleError, match="out shares memory with operand x"):
        kernel(A=A, x=x, out=x[1:])


def test_a_copied_operand_may_be_overwritten():
    """x is no array of doubles in a row: the kernel reads a copy of it."""
    y = np.ones(6)
    assert tm.compile(SPMV, A="csr")(A=tm.tensor(M, "csr"), x=y[::2], out=y[:2]).tolist() == [2, 4]


def test_a_sparse_result_goes_into_no_array():
    kernel = tm.compile("Z(i,j) = 2 * A(i,j)", A="csr", Z="csr")
    with pytest.raises(tm.TamaleError, match="is sparse; out= is for dense ones"):
        kernel(A=tm.tensor(M, "csr"), out=np.empty((2, 3)))


@pytest.mark.parametrize("dtype", ["float64", "complex64", "int16"])
def test_every_way_to_call_agrees(dtype: str):
    A, x = tm.tensor(M.astype(dtype), "csr"), np.array([1, 2, 3], dtype)
    expected = M.astype(dtype) @ x
    kernel = tm.compile(SPMV, A="csr", dtype=dtype)
    for _ in range(2):  # what is kept from the first call serves the second
        found = [kernel(A=A, x=x), tm.evaluate(SPMV, A=A, x=x), tm.einsum("ij,j", A, x), A @ x]
        out = np.empty(2, dtype)
        assert tm.evaluate(SPMV, A=A, x=x, out=out) is out
        for each in [*found, out]:
            assert each.dtype == dtype
            assert np.array_equal(each, expected)


def test_kept_statements_of_operators_know_shapes_and_formats():
    """The same operator on others: a statement that is kept must not be taken for them."""
    A, row = tm.tensor(M, "csr"), np.array([[1.0, 10.0, 100.0]])
    assert isinstance(A * M, tm.Tensor)
    assert np.array_equal((A * M).to_numpy(), M * M)
    assert np.array_equal((A * row).to_numpy(), M * row)
    assert (tm.tensor(M, "csc") * M).format == tm.resolve_format("csc", 2)
    assert isinstance(tm.tensor(M) * M, np.ndarray)
    assert np.array_equal(A.sum(0).to_numpy(), M.sum(0))
    assert np.array_equal(A.sum(1, keepdims=True).to_numpy(), M.sum(1, keepdims=True))
