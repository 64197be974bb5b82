"""
Files in and out, by extension: Matrix Market, FROSTT .tns, NumPy .npy, .npz of SciPy and of our
own; .gz where text.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any, overload

import numpy as np

from tamale.dialects.errors import FormatError, TamaleError
from tamale.dialects.format.hybrid import HybridFormat
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.spec import Format
from tamale.dialects.lazy import load
from tamale.frontend.archives import read_npz, write_npz
from tamale.frontend.entries import from_entries
from tamale.frontend.hybrid import HybridTensor
from tamale.frontend.interop import stored, tensor
from tamale.frontend.libraries.dense import from_numpy
from tamale.frontend.libraries.scipy_arrays import to_scipy
from tamale.frontend.tensor import Tensor


@overload
def read(path: str | Path, format: Format) -> Tensor: ...
@overload
def read(path: str | Path, format: str | HybridFormat | None = None) -> Any: ...
def read(
    path: str | Path, format: str | Format | HybridFormat | None = None
) -> Tensor | HybridTensor:
    """
    A tensor from a file.

    Matrix Market symmetries are expanded and duplicate entries summed. Sparse files come as coo,
    .npy as dense, .npz as what was saved, unless `format` says otherwise.

    Raises:
        FormatError: the file cannot be read as what its extension says; the message has the line
        if known.
    """
    source = Path(path)
    if not source.is_file():
        raise FormatError(f"read: there is no file '{source}'")
    reader = _pick(_READERS, source, "read")
    try:
        found = reader(source)
    except TamaleError:
        raise
    except (ValueError, OSError, EOFError, OverflowError, KeyError) as error:
        raise FormatError(f"read: '{source}' cannot be read: {error}") from error
    return stored(found, format)


def write(path: str | Path, source: Any) -> None:
    """
    Writes a tensor, or an array, to a file.

    Raises:
        FormatError: the extension is unknown or cannot hold the tensor.
    """
    target = Path(path)
    writer = writer_for(target)
    try:
        writer(target, stored(source) if writer is write_npz else tensor(source))
    except OSError as error:
        raise FormatError(f"write: '{target}' cannot be written: {error}") from error


def writer_for(path: Path) -> Callable[[Path, Any], None]:
    """
    What writes files of this extension.

    Raises:
        FormatError: the extension is unknown.
    """
    return _pick(_WRITERS, path, "write")


def _pick(table: dict[str, Any], path: Path, who: str) -> Callable[..., Any]:
    for extension, action in table.items():
        if path.name.endswith(extension):
            return action
    raise FormatError(
        f"{who}: '{path.name}' has an unknown extension; known are {', '.join(table)}"
    )


def _read_mtx(path: Path) -> Any:
    return load("scipy.io:mmread")(path, spmatrix=False)


def _write_mtx(path: Path, source: Tensor) -> None:
    mmwrite = load("scipy.io:mmwrite")
    if source.order > 2:
        raise FormatError(
            f"write: Matrix Market holds matrices, not tensors of order {source.order}"
        )
    dense = source.format.all_dense
    data = np.atleast_1d(source.to_numpy()) if dense else _as_matrix(source)
    if dense and data.ndim == 1:
        data = data[:, np.newaxis]
    if path.name.endswith(".gz"):
        with gzip.open(path, "wb") as stream:
            mmwrite(stream, data, symmetry="general")
    else:
        mmwrite(path, data, symmetry="general")


def _as_matrix(source: Tensor) -> Any:
    if source.order == 2:
        return to_scipy(source).tocoo()
    (rows,), vals = source.nonzeros()
    make = load("scipy.sparse:coo_array")
    return make((vals, (rows, np.zeros_like(rows))), shape=(*source.shape, 1))


def _read_npy(path: Path) -> Tensor:
    return from_numpy(np.load(path, allow_pickle=False))


def _write_npy(path: Path, source: Tensor) -> None:
    np.save(path, source.to_numpy(), allow_pickle=False)


def _read_tns(path: Path) -> Tensor:
    """`i j k value` per line, counted from 1; lines that begin with # are comments."""
    opener = gzip.open if path.name.endswith(".gz") else open
    with opener(path, "rt", encoding="ascii") as stream:
        rows = [line.split() for line in stream if line.strip() and not line.startswith("#")]
    widths = {len(row) for row in rows}
    if len(widths) != 1 or min(widths) < 2:
        raise FormatError(
            f"read: the lines of '{path}' have {sorted(widths)} columns, not one number of them"
        )
    table = np.array(rows, dtype=np.float64)
    coordinates = [column.astype(np.int64) - 1 for column in table[:, :-1].T]
    shape = [int(column.max()) + 1 for column in coordinates]
    return from_entries(coordinates, table[:, -1], shape, resolve_format("coo", len(shape)))


def _write_tns(path: Path, source: Tensor) -> None:
    coordinates, vals = source.nonzeros()
    columns = [column + 1 for column in coordinates]
    opener = gzip.open if path.name.endswith(".gz") else open
    with opener(path, "wt", encoding="ascii") as stream:
        for *coordinates, value in zip(*columns, vals, strict=True):
            stream.write(
                " ".join(map(str, coordinates)) + f" {value!r}\n".replace("np.float64", "")
            )


_READERS = {
    ".mtx": _read_mtx,
    ".mtx.gz": _read_mtx,
    ".tns": _read_tns,
    ".tns.gz": _read_tns,
    ".npy": _read_npy,
    ".npz": read_npz,
}
_WRITERS = {
    ".mtx": _write_mtx,
    ".mtx.gz": _write_mtx,
    ".tns": _write_tns,
    ".tns.gz": _write_tns,
    ".npy": _write_npy,
    ".npz": write_npz,
}
