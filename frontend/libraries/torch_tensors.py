"""PyTorch tensors: strided, COO, CSR, CSC, BSR and BSC; on the CPU in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from tamale.dialects.errors import FormatError
from tamale.dialects.format.spec import Format
from tamale.frontend.dtypes import held
from tamale.frontend.entries import from_entries
from tamale.frontend.libraries.compressed import compressed_tensor
from tamale.frontend.libraries.dense import from_numpy
from tamale.frontend.tensor import Tensor

_ROWS = ("torch.sparse_csr", "torch.sparse_bsr")
_COLUMNS = ("torch.sparse_csc", "torch.sparse_bsc")


def from_torch(data: Any, format: Format | None) -> Tensor:
    """
    A tensor from a PyTorch tensor, in a format of ours or as it comes.

    Raises:
        FormatError: the tensor has batches or dense modes, or a layout that is not known.
    """
    data, layout = data.detach().cpu(), str(data.layout)
    if layout == "torch.strided":
        found = from_numpy(data.resolve_conj().resolve_neg().numpy(), format)
    elif layout == "torch.sparse_coo":
        return _from_coo(data, format)
    elif layout in (*_ROWS, *_COLUMNS):
        found = _from_compressed(data, layout)
    else:
        raise FormatError(f"tensor: PyTorch's layout {layout} is not supported")
    return found if format is None else found.to_format(format)


def _from_coo(data: Any, format: Format | None) -> Tensor:
    if data.dense_dim():
        raise FormatError(
            f"tensor: {data.dense_dim()} modes of the PyTorch tensor are dense inside of its "
            "entries\n  help: pass `t.to_dense().to_sparse()`"
        )
    vals = held(data._values().numpy(), "tensor")
    coordinates = data._indices().numpy()
    return from_entries(coordinates, vals, data.shape, format)


def _from_compressed(data: Any, layout: str) -> Tensor:
    if data.ndim != 2:
        raise FormatError(
            f"tensor: a batch of PyTorch matrices of shape {tuple(data.shape)} is not one matrix\n"
            "  help: pass `t.to_sparse_coo()`"
        )
    if layout in _ROWS:
        pos, crd = data.crow_indices(), data.col_indices()
    else:
        pos, crd = data.ccol_indices(), data.row_indices()
    vals = data.values().numpy()
    name = layout.removeprefix("torch.sparse_")
    if vals.ndim == 3:
        rows, columns = vals.shape[1:]
        name = f"{name.replace('bs', 'bcs')}({rows}, {columns})"
    return compressed_tensor(name, data.shape, pos.numpy(), crd.numpy(), np.asarray(vals))
