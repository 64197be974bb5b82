"""PyTorch tensors: strided, COO, CSR, CSC, BSR and BSC; on the CPU in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from tamale.dialects.errors import FormatError, TamaleError
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
        TamaleError: it has no values, or values of a type that tensors do not hold.
    """
    data, layout = _in_memory(data), str(data.layout)
    if layout == "torch.strided":
        found = from_numpy(_array(data.resolve_conj().resolve_neg()), format)
    elif layout == "torch.sparse_coo":
        return _from_coo(data, format)
    elif layout in (*_ROWS, *_COLUMNS):
        found = _from_compressed(data, layout)
    else:
        raise FormatError(f"tensor: PyTorch's layout {layout} is not supported")
    return found if format is None else found.to_format(format)


def _in_memory(data: Any) -> Any:
    """The tensor on the CPU, in a type that NumPy has."""
    if data.is_meta:
        raise TamaleError("tensor: a PyTorch tensor on the device 'meta' has no values")
    data = data.detach().cpu()
    return data.float() if str(data.dtype) == "torch.bfloat16" else data


def _array(values: Any) -> Any:
    """A strided PyTorch tensor as NumPy's."""
    try:
        return values.numpy()
    except (TypeError, RuntimeError) as error:
        raise TamaleError(f"tensor: PyTorch's {values.dtype} is not supported: {error}") from error


def _from_coo(data: Any, format: Format | None) -> Tensor:
    if data.dense_dim():
        raise FormatError(
            f"tensor: {data.dense_dim()} modes of the PyTorch tensor are dense inside of its "
            "entries\n  help: pass `t.to_dense().to_sparse()`"
        )
    vals = held(_array(data._values()), "tensor")
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
    vals = _array(data.values())
    name = layout.removeprefix("torch.sparse_")
    if vals.ndim == 3:
        rows, columns = vals.shape[1:]
        name = f"{name.replace('bs', 'bcs')}({rows}, {columns})"
    return compressed_tensor(name, data.shape, pos.numpy(), crd.numpy(), np.asarray(vals))
