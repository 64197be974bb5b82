"""PyTorch tensors, where PyTorch is installed: it is too large to be asked for."""

from typing import Any

import numpy as np
import pytest

import tamale as tm

torch: Any = pytest.importorskip("torch")

M = np.array([[0, 2.0, 0, 0], [1, 0, 0, 3], [0, 0, 0, 0], [0, 4, 5, 6]])
LAYOUTS = {"coo": "coo", "csr": "csr", "csc": "csc", "bsr": "bcsr(2, 2)", "bsc": "bcsc(2, 2)"}

pytestmark = pytest.mark.filterwarnings("ignore:Sparse:UserWarning")


def given(layout: str) -> Any:
    block = {"blocksize": (2, 2)} if layout.startswith("bs") else {}
    chosen = getattr(torch, f"sparse_{layout}")
    return torch.from_numpy(M.copy()).to_sparse(layout=chosen, **block)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_shared(layout: str):
    t = given(layout)
    A = tm.tensor(t).check()
    assert A.format.with_widths(pos="i32", crd="i32") == tm.resolve_format(LAYOUTS[layout], 2)
    assert np.array_equal(A.to_numpy(), M)
    assert np.shares_memory(A.vals, t.values().numpy())
    assert np.array_equal(tm.tensor(t, "dcsr").check().to_numpy(), M)


def test_dense_tensors_are_shared():
    t = torch.from_numpy(M.copy()).requires_grad_()
    A = tm.tensor(t)
    assert np.array_equal(A.to_numpy(), M)
    assert np.shares_memory(A.vals, t.detach().numpy())
    assert tm.tensor(t, "csr").nnz == 6


def test_coordinates_that_are_not_coalesced():
    t = torch.sparse_coo_tensor([[1, 0, 1], [2, 0, 2]], [1.0, 2.0, 4.0], (2, 3))
    assert tm.tensor(t).check().to_numpy().tolist() == [[2, 0, 0], [0, 0, 5]]


def test_what_is_no_single_sparse_tensor():
    with pytest.raises(tm.FormatError, match="1 modes of the PyTorch tensor are dense"):
        tm.tensor(torch.sparse_coo_tensor([[0, 1]], [[1.0, 2.0], [3.0, 4.0]], (2, 2)))
    with pytest.raises(tm.FormatError, match=r"a batch of PyTorch matrices of shape \(2, 4, 4\)"):
        tm.tensor(torch.from_numpy(np.stack([M, M])).to_sparse_csr())


@pytest.mark.parametrize("layout", ["strided", *LAYOUTS])
def test_brain_floats_are_held_as_single_precision(layout: str):
    t = torch.from_numpy(M.copy()) if layout == "strided" else given(layout)
    A = tm.tensor(t.to(torch.bfloat16)).check()
    assert A.dtype == np.float32
    assert np.array_equal(A.to_numpy(), M)


def test_values_that_numpy_has_no_type_for():
    with pytest.raises(tm.TamaleError, match=r"PyTorch's torch.float8_e4m3fn is not supported"):
        tm.tensor(torch.ones(3).to(torch.float8_e4m3fn))


def test_a_tensor_without_values():
    with pytest.raises(tm.TamaleError, match="on the device 'meta' has no values"):
        tm.tensor(torch.ones(3, device="meta"))
