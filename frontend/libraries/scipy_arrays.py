"""SciPy's sparse arrays and matrices; csr, csc, bsr and sorted coo are used in place."""

from __future__ import annotations

from typing import Any

from tamale.dialects.errors import TamaleError
from tamale.dialects.format.named import name_of
from tamale.dialects.format.spec import Format
from tamale.dialects.lazy import load
from tamale.frontend.dtypes import held
from tamale.frontend.entries import from_entries, list_width, sorted_format
from tamale.frontend.libraries.compressed import compressed_tensor
from tamale.frontend.tensor import Tensor


def from_scipy(data: Any, format: Format | None) -> Tensor:
    """A tensor from any SciPy format, in a format of ours or as it comes."""
    if data.format in ("csr", "csc", "bsr") and data.ndim == 2:
        found = _from_compressed(data)
        return found if format is None else found.to_format(format)
    coo = data.tocoo()
    coordinates = coo.coords if hasattr(coo, "coords") else (coo.row, coo.col)
    vals = held(coo.data, "tensor")
    width = list_width(len(vals), coo.shape)
    return from_entries(coordinates, vals, coo.shape, format or sorted_format(data.ndim, width))


def _from_compressed(data: Any) -> Tensor:
    name = data.format
    if name == "bsr":
        rows, columns = data.blocksize
        name = "csr" if rows == columns == 1 else f"bcsr({rows}, {columns})"
    return compressed_tensor(name, data.shape, data.indptr, data.indices, data.data)


def to_scipy(source: Tensor) -> Any:
    """The tensor as a SciPy array; csr and csc in place, other formats as coo."""
    if source.order > 2 or source.order == 0:
        raise TamaleError(f"to_scipy: SciPy has no sparse arrays of order {source.order}")
    name = name_of(source.format) or ""
    if name in ("csr", "csc"):
        level = source.levels[1]
        make = load(f"scipy.sparse:{name}_array")
        return make((source.vals, level["crd"], level["pos"]), shape=source.shape)
    coordinates, vals = source.nonzeros()
    return load("scipy.sparse:coo_array")((vals, coordinates), shape=source.shape)
