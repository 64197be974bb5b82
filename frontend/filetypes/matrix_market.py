"""Matrix Market, through SciPy: all fields; symmetries are expanded, duplicates summed."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from tamale.dialects.errors import FormatError
from tamale.dialects.lazy import load
from tamale.frontend.filetypes.streams import Progress, create_bytes, open_bytes
from tamale.frontend.libraries.scipy_arrays import to_scipy
from tamale.frontend.tensor import Tensor

EXPONENTS = bytes.maketrans(b"Dd", b"Ee")


class FortranNumbers(io.RawIOBase):
    """A Matrix Market file in which `1.5D+01` reads `1.5E+01`: SciPy would take it for 1.5."""

    def __init__(self, stream: io.BufferedIOBase) -> None:
        self._stream = stream
        self._line: bytes | None = b""
        """What there is of the line that has been begun; None after the line with the sizes."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        portion = self._stream.read(len(buffer))
        begin = 0
        while self._line is not None and (end := portion.find(b"\n", begin)) >= 0:
            line = (self._line + portion[begin:end]).strip()
            self._line, begin = (None if line and not line.startswith(b"%") else b""), end + 1
        if self._line is None:
            portion = portion[:begin] + portion[begin:].translate(EXPONENTS)
        else:
            self._line += portion[begin:]
        buffer[: len(portion)] = portion
        return len(portion)


def read_mtx(path: Path, progress: Progress | None = None) -> Any:
    """
    A SciPy array, or a NumPy array where the file is dense.

    Raises:
        FormatError: naming the line that cannot be read.
    """
    try:
        with open_bytes(path, progress) as stream:
            numbers = io.BufferedReader(FortranNumbers(stream), 1 << 20)
            return load("scipy.io:mmread")(numbers, spmatrix=False)
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
