"""Arrays of pydata/sparse: COO, matrices in GCXS, and what converts itself to COO."""

from __future__ import annotations

from typing import Any

from tamale.dialects.errors import FormatError
from tamale.dialects.format.spec import Format
from tamale.frontend.dtypes import held
from tamale.frontend.entries import from_entries
from tamale.frontend.libraries.compressed import compressed_tensor
from tamale.frontend.tensor import Tensor


def from_pydata(data: Any, format: Format | None) -> Tensor:
    """
    A tensor from a COO, GCXS or DOK array, in a format of ours or as it comes.

    Raises:
        FormatError: the array's fill value is not 0.
    """
    if data.ndim == 0:
        raise FormatError("tensor: a sparse array of order 0 has no entries; pass the number")
    if data.fill_value != 0:
        raise FormatError(
            f"tensor: the array's fill value is {data.fill_value}, but implicit entries are 0 here"
            "\n  help: pass `array - array.fill_value`, and add it to the result"
        )
    if type(data).__name__ == "GCXS" and data.ndim == 2:
        name = "csr" if tuple(data.compressed_axes) == (0,) else "csc"
        found = compressed_tensor(name, data.shape, data.indptr, data.indices, data.data)
        return found if format is None else found.to_format(format)
    coo = data if type(data).__name__ == "COO" else data.asformat("coo")
    vals = held(coo.data, "tensor")
    return from_entries(coo.coords, vals, coo.shape, format)
