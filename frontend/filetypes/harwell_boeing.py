"""
Harwell-Boeing and Rutherford-Boeing, through SciPy, as far as it reads them: assembled matrices
with values. SciPy refuses symmetric ones; we have it read the triangle, and expand it.
"""

from __future__ import annotations

import io
from functools import partial
from itertools import chain
from pathlib import Path

from tamale.dialects.errors import FormatError
from tamale.dialects.lazy import load
from tamale.frontend.filetypes.streams import (
    EXPONENTS,
    PORTION,
    Progress,
    Served,
    create_bytes,
    open_bytes,
)
from tamale.frontend.libraries.scipy_arrays import from_scipy, to_scipy
from tamale.frontend.libraries.structure import expanded
from tamale.frontend.tensor import Tensor

STRUCTURES = {
    "S": "symmetric_lower",
    "H": "hermitian_lower",
    "Z": "skew_symmetric_lower",
    "U": None,
    "R": None,
}
"""The second letter of the matrix type -> what is stored."""

TYPE_LINE = 2


def read_hb(path: Path, progress: Progress | None = None) -> Tensor:
    """
    The matrix of a file, csc.

    Raises:
        FormatError: the file is not of a type that can be read.
    """
    with open_bytes(path, progress) as stream:
        header = [stream.readline() for _ in range(TYPE_LINE + 1)]
        kind = header[TYPE_LINE][:3].decode("ascii", "replace").upper()
        _check_kind(path, kind)
        header[TYPE_LINE] = f"{kind[0]}U{kind[2]}".encode() + header[TYPE_LINE][3:]
        portions = iter(partial(stream.read, PORTION), b"")
        numbers = (portion.translate(EXPONENTS) for portion in portions)
        raw = io.BufferedReader(Served(chain(header, numbers)), PORTION)
        text = io.TextIOWrapper(raw, "ascii", "replace")
        matrix = load("scipy.io:hb_read")(text, spmatrix=False)
    return expanded(from_scipy(matrix, None), STRUCTURES[kind[1]], "read")


def _check_kind(path: Path, kind: str) -> None:
    """
    Raises:
        FormatError: this is no type of a matrix, or one that SciPy does not read.
    """
    if len(kind) < 3 or kind[1] not in STRUCTURES:
        raise FormatError(f"read: '{path}', line 3: '{kind}' is no type of a matrix")
    if kind[2] != "A" or kind[0] == "P":
        raise FormatError(
            f"read: '{path}', line 3: type '{kind}' is not read\n"
            "  help: matrices that are assembled, with values, are: R?A, I?A"
        )


def write_hb(path: Path, source: Tensor) -> None:
    """
    Writes a matrix.

    Raises:
        FormatError: the tensor is no matrix, or complex.
    """
    if source.order != 2 or source.dtype.kind == "c":
        raise FormatError(
            f"write: Harwell-Boeing holds matrices of real numbers, not {source.dtype} of order "
            f"{source.order}"
        )
    text = io.StringIO()
    load("scipy.io:hb_write")(text, to_scipy(source).tocsc())
    with create_bytes(path) as stream:
        stream.write(text.getvalue().encode())
