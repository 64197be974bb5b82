"""SciPy's formats: all of them come in, shared where the layout agrees, corrected where not."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest

import tamale as tm

sparse: Any = import_module("scipy.sparse")

M = np.array([[0, 2.0, 0, 0], [1, 0, 0, 3], [0, 0, 0, 0], [0, 4, 5, 6]])
FORMATS = ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")


@pytest.mark.parametrize("kind", ["array", "matrix"])
@pytest.mark.parametrize("format", FORMATS)
def test_every_format(format: str, kind: str):
    A = getattr(sparse, f"{format}_{kind}")(M)
    assert np.array_equal(tm.tensor(A).check().to_numpy(), M)
    assert np.array_equal(tm.tensor(A, "dcsc").check().to_numpy(), M)


def test_subclasses_from_elsewhere():
    class Mine(sparse.csr_array):
        pass

    assert tm.tensor(Mine(M)).format == tm.formats.csr


@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("format", ["csr", "csc", "bsr"])
def test_compressed_arrays_are_shared(format: str, index: str):
    given: Any = sparse.csr_array(M).asformat(format)
    given.indices, given.indptr = given.indices.astype(index), given.indptr.astype(index)
    A = tm.tensor(given)
    assert np.shares_memory(A.vals, given.data)
    assert np.shares_memory(A.levels[1]["crd"], given.indices)
    assert np.shares_memory(A.levels[1]["pos"], given.indptr)
    if format != "bsr":
        assert np.shares_memory(A.to_scipy().data, given.data)


def test_sorted_coordinates_are_shared():
    given = sparse.coo_array(M)
    A = tm.tensor(given)
    assert A.format == tm.formats.coo
    assert np.shares_memory(A.vals, given.data)
    assert all(map(np.shares_memory, (level["crd"] for level in A.levels), given.coords))


def test_coordinates_of_higher_order():
    T = np.zeros((2, 3, 4))
    T[1, 2, 3], T[0, 1, 2] = 5, 6
    A = tm.tensor(sparse.coo_array(T)).check()
    assert np.array_equal(A.to_numpy(), T)


def test_unsorted_indices_and_duplicates_are_corrected_in_new_arrays():
    given = sparse.csr_array(
        (np.array([1.0, 2.0, 4.0]), np.array([2, 0, 2], "i4"), np.array([0, 3, 3], "i4")),
        shape=(2, 3),
    )
    A = tm.tensor(given).check()
    assert A.to_numpy().tolist() == [[2, 0, 5], [0, 0, 0]]
    assert given.indices.tolist() == [2, 0, 2]


def test_duplicates_in_single_precision_are_summed_in_double():
    crd = np.zeros(9, "i4")
    vals = np.array([2.0**24, *[1.0] * 8], "f4")
    A = tm.tensor(sparse.csr_array((vals, crd, np.array([0, 9], "i4")), shape=(1, 1)))
    assert A.vals.tolist() == [2**24 + 8]


@pytest.mark.parametrize(
    ("pos", "crd", "message"),
    [
        ([0, 2, 1, 2], [0, 1], "pos falls from 2 to 1"),
        ([0, 1, 2, 2], [0, 9], "is 9, outside of the dimension size 3"),
        ([0, 1, 2, 2], [-1, 1], "is -1, outside of"),
        ([1, 1, 2, 2], [0, 1], r"pos\[0\] is 1, expected 0"),
        ([0, 1, 2, 9], [0, 1], "crd has 2 elements, expected 9"),
    ],
)
def test_broken_arrays_are_refused(pos: list[int], crd: list[int], message: str):
    given = sparse.csr_array((3, 3))
    given.indptr, given.indices = np.array(pos, "i4"), np.array(crd, "i4")
    given.data = np.ones(len(crd))
    with pytest.raises(tm.FormatError, match=message):
        tm.tensor(given)
