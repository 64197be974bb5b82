"""Results that kernels allocate, from the call to the arrays."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import tamale as tm

DENSE = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]])
TWICE = "Z(i,j) = A(i,j) + A(i,j)"


def doubled(dense: np.ndarray[tuple[int, int], np.dtype[np.float64]], format: str) -> tm.Tensor:
    kernel = tm.compile(TWICE, A=format, Z=format)
    return kernel(A=tm.tensor(dense, format))


@pytest.mark.parametrize("format", ["csr", "dcsr", "coo"])
def test_a_result_is_an_operand_before_anybody_looks_at_it(format: str):
    found = doubled(DENSE, format)
    again = tm.compile(TWICE, A=format, Z=format)(A=found)
    assert "_arrays" not in vars(found)
    assert np.array_equal(again.check().to_numpy(), 4 * DENSE)
    assert np.array_equal(found.check().to_numpy(), 2 * DENSE)


def test_a_result_outlives_later_calls_of_its_kernel():
    first = doubled(DENSE, "csr")
    second = doubled(-DENSE, "csr")
    third = doubled(np.zeros((2, 3)), "csr")
    assert np.array_equal(first.to_numpy(), 2 * DENSE)
    assert np.array_equal(second.to_numpy(), -2 * DENSE)
    assert third.nnz == 0


def test_arrays_outlive_their_tensor():
    found = doubled(DENSE, "csr")
    crd, vals = found.levels[1]["crd"], found.vals
    del found
    doubled(-DENSE, "csr")
    assert (crd.tolist(), vals.tolist()) == ([1, 0, 2], [4.0, 2.0, 6.0])


def test_a_result_is_pickled_before_anybody_looks_at_it():
    found = doubled(DENSE, "csr")
    assert pickle.loads(pickle.dumps(found)) == found


def test_what_is_known_of_a_result_needs_no_arrays():
    found = doubled(DENSE, "dcsr")
    assert (found.shape, found.dtype, found.order) == ((2, 3), np.float64, 2)
    assert found.type is tm.tensor(DENSE, "dcsr").type
    assert "_arrays" not in vars(found)


def test_a_conversion_gives_a_result_as_well():
    found = tm.tensor(DENSE, "csr").to_format("csc")
    assert "_arrays" not in vars(found)
    assert np.array_equal(tm.evaluate("y(i) = A(i,j) * x(j)", A=found, x=np.ones(3)), [2.0, 4.0])
    assert found.check().vals.tolist() == [1.0, 2.0, 3.0]
