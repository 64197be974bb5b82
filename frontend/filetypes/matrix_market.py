"""Matrix Market, through SciPy: all fields; symmetries are expanded, duplicates summed."""

from __future__ import annotations

import io
import re
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from tamale.dialects.errors import FormatError, TamaleError
from tamale.dialects.lazy import load
from tamale.frontend.filetypes.matrix_market_text import MARK, plain_text
from tamale.frontend.filetypes.streams import (
    PORTION,
    Progress,
    Served,
    create_bytes,
    open_bytes,
    whole_lines,
)
from tamale.frontend.libraries.scipy_arrays import to_scipy
from tamale.frontend.tensor import Tensor

LINE = re.compile(r"Line ([0-9]+): (.*)", re.DOTALL)
"""How SciPy begins errors."""

SHOWN = 40
"""How much of a line an error shows."""


def read_mtx(path: Path, progress: Progress | None = None) -> Any:
    """
    A SciPy array, or a NumPy array where the file is dense.

    Raises:
        FormatError: naming the line that cannot be read.
    """
    try:
        with open_bytes(path, progress) as stream:
            text = io.BufferedReader(Served(plain_text(whole_lines(stream), path)), PORTION)
            return load("scipy.io:mmread")(text, spmatrix=False)
    except TamaleError:
        raise
    except (ValueError, OverflowError) as error:
        raise FormatError(f"read: '{path}', line {_located(path, str(error))}") from error


def _located(path: Path, message: str) -> str:
    """The number of a line, what SciPy says about it, and how it begins."""
    found = LINE.match(message)
    if found is None:
        return f"{_size_line(path)}: {message}"
    with open_bytes(path) as stream:
        line = next(islice(stream, int(found[1]) - 1, None), b"").strip()
    text = line[:SHOWN].decode("ascii", "backslashreplace")
    return f"{found[1]}: {found[2].rstrip('.')}" + (f", in '{text}'" if line else "")


def _size_line(path: Path) -> int:
    """The line with the sizes, the last one that SciPy does not name."""
    with open_bytes(path) as stream:
        for number, line in enumerate(stream, 1):
            if line.strip() and not line.removeprefix(MARK).startswith(b"%"):
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
