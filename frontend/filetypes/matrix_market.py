"""Matrix Market, through SciPy: all fields; symmetries are expanded, duplicates summed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tamale.dialects.errors import FormatError
from tamale.dialects.lazy import load
from tamale.frontend.filetypes.streams import Progress, create_bytes, open_bytes
from tamale.frontend.libraries.scipy_arrays import to_scipy
from tamale.frontend.tensor import Tensor


def read_mtx(path: Path, progress: Progress | None = None) -> Any:
    """
    A SciPy array, or a NumPy array where the file is dense.

    Raises:
        FormatError: naming the line that cannot be read.
    """
    try:
        with open_bytes(path, progress) as stream:
            return load("scipy.io:mmread")(stream, spmatrix=False)
    except ValueError as error:
        if "Line" in str(error):
            raise FormatError(f"read: '{path}': {error}") from error
        raise FormatError(f"read: '{path}', line {_size_line(path)}: {error}") from error


def _size_line(path: Path) -> int:
    """The line with the sizes: SciPy names the lines after it, and the banner."""
    with open_bytes(path) as stream:
        for number, line in enumerate(stream, 1):
            if line.strip() and not line.startswith(b"%"):
                return number
    return 1


def write_mtx(path: Path, source: Tensor) -> None:
    """
    Writes a matrix, or a vector as one column.

    Raises:
        FormatError: the tensor has more than two modes.
    """
    if source.order > 2:
        raise FormatError(
            f"write: Matrix Market holds matrices, not tensors of order {source.order}"
        )
    dense = source.format.all_dense
    data = np.atleast_1d(source.to_numpy()) if dense else _as_matrix(source)
    if dense and data.ndim == 1:
        data = data[:, np.newaxis]
    with create_bytes(path) as stream:
        load("scipy.io:mmwrite")(stream, data, symmetry="general")


def _as_matrix(source: Tensor) -> Any:
    if source.order == 2:
        return to_scipy(source).tocoo()
    (rows,), vals = source.nonzeros()
    make = load("scipy.sparse:coo_array")
    return make((vals, (rows, np.zeros_like(rows))), shape=(*source.shape, 1))
