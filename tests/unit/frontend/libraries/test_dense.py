"""Dense arrays from outside: NumPy's protocols and DLPack."""

from typing import Any

import numpy as np
import pytest

import tamale as tm

M = np.array([[0, 2.0, 0], [1, 0, 3]])


class Lender:
    """Hands out its memory by DLPack alone."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


class Elsewhere(Lender):
    """Memory of another device."""

    def __dlpack__(self, **options: Any) -> Any:
        raise BufferError("the memory is on a GPU")


class Shown:
    """Speaks `__array__`."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return M


def test_arrays_are_shared():
    assert np.shares_memory(tm.tensor(M).vals, M)
    columns = np.asfortranarray(M)
    A = tm.tensor(columns, "dense(1, 0)")
    assert np.shares_memory(A.vals, columns)
    assert np.array_equal(A.to_numpy(), M)
    assert np.shares_memory(tm.tensor(Shown()).vals, M)


def test_memory_by_dlpack_is_shared():
    A = tm.tensor(Lender(M))
    assert np.shares_memory(A.vals, M)
    assert tm.einsum("ij->i", A).tolist() == [2, 4]
    assert tm.tensor(Lender(M), "csr").nnz == 3


def test_memory_that_cannot_be_used():
    with pytest.raises(tm.FormatError, match=r"Elsewhere cannot be used: the memory is on a GPU"):
        tm.tensor(Elsewhere(M))


def test_a_format_of_another_order():
    with pytest.raises(tm.FormatError, match="order"):
        tm.tensor(M, tm.resolve_format("dense", 3))
