"""Arrays of pydata/sparse."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest

import tamale as tm

M = np.array([[0, 2.0, 0, 0], [1, 0, 0, 3], [0, 0, 0, 0], [0, 4, 5, 6]])
T = np.zeros((2, 3, 4))
T[1, 2, 3], T[0, 1, 2] = 5, 6


@pytest.fixture(scope="module")
def sparse() -> Any:
    return import_module("sparse")


@pytest.mark.parametrize("format", ["coo", "gcxs", "dok"])
@pytest.mark.parametrize("array", [M, T, T[1, 2]])
def test_every_format(sparse: Any, format: str, array: Any):
    A = tm.tensor(sparse.COO(array).asformat(format)).check()
    assert np.array_equal(A.to_numpy(), array)


def test_coordinates_are_shared(sparse: Any):
    given = sparse.COO(T)
    A = tm.tensor(given)
    assert A.format.canonical() == tm.resolve_format("coo, pos = i64, crd = i64", 3).canonical()
    assert np.shares_memory(A.vals, given.data)
    assert all(np.shares_memory(level["crd"], given.coords) for level in A.levels)


@pytest.mark.parametrize(("axes", "name"), [((0,), "csr"), ((1,), "csc")])
def test_compressed_matrices_are_shared(sparse: Any, axes: tuple[int], name: str):
    given = sparse.GCXS(sparse.COO(M), compressed_axes=axes)
    A = tm.tensor(given).check()
    assert A.format.with_widths(pos="i32", crd="i32") == tm.resolve_format(name)
    assert np.shares_memory(A.vals, given.data)
    assert np.array_equal(A.to_numpy(), M)
    assert tm.tensor(given, "coo").format == tm.formats.coo


def test_another_fill_value_is_refused(sparse: Any):
    with pytest.raises(tm.FormatError, match=r"fill value is 1\.0, but implicit entries are 0"):
        tm.tensor(sparse.COO(M) + 1.0)


def test_a_number_is_refused(sparse: Any):
    with pytest.raises(tm.FormatError, match="order 0 has no entries"):
        tm.tensor(sparse.COO(np.array(5.0)))
