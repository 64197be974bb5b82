"""
Files in and out, by extension: Matrix Market, FROSTT .tns, Harwell-Boeing, NumPy .npy, .npz of
SciPy, of Binsparse and of our own, Binsparse in HDF5; .gz where text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, overload

import numpy as np

from tamale.dialects.errors import FormatError, TamaleError
from tamale.dialects.format.hybrid import HybridFormat
from tamale.dialects.format.spec import Format
from tamale.frontend.filetypes.archives import read_npz, write_npz
from tamale.frontend.filetypes.binsparse_files import read_bsp_h5, write_bsp_h5, write_bsp_npz
from tamale.frontend.filetypes.frostt import read_tns, write_tns
from tamale.frontend.filetypes.harwell_boeing import read_hb, write_hb
from tamale.frontend.filetypes.matrix_market import read_mtx, write_mtx
from tamale.frontend.filetypes.streams import Progress
from tamale.frontend.hybrid import HybridTensor
from tamale.frontend.interop import stored, tensor
from tamale.frontend.libraries.dense import from_numpy
from tamale.frontend.tensor import Tensor

Reader: TypeAlias = Callable[[Path, Progress | None], Any]
Writer: TypeAlias = Callable[[Path, Any], None]
ActionT = TypeVar("ActionT")


@overload
def read(path: str | Path, format: Format, *, progress: Progress | None = None) -> Tensor: ...
@overload
def read(
    path: str | Path, format: str | HybridFormat | None = None, *, progress: Progress | None = None
) -> Any: ...
def read(
    path: str | Path,
    format: str | Format | HybridFormat | None = None,
    *,
    progress: Progress | None = None,
) -> Tensor | HybridTensor:
    """
    A tensor from a file.

    Symmetries are expanded and duplicate entries summed. Sparse files come as coo or csc, .npy as
    dense, .npz as what was saved, unless `format` says otherwise. Nothing in a file is executed.

    Args:
        path: the file; its extension says what it is.
        format: how to store the tensor.
        progress: is called with the part of a text file that has been read, from 0 to 1.

    Raises:
        FormatError: the file cannot be read as what its extension says; the message has the line
            if known.
    """
    source = Path(path)
    if not source.is_file():
        raise FormatError(f"read: there is no file '{source}'")
    reader = _pick(_READERS, source, "read")
    try:
        found = reader(source, progress)
    except TamaleError:
        raise
    except MemoryError as error:
        raise FormatError(f"read: '{source}' says it holds more than fits into memory") from error
    except Exception as error:  # Libraries raise anything on damaged files.
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
        reason = error.strerror or error
        raise FormatError(f"write: '{target}' cannot be written: {reason}") from error


def writer_for(path: Path) -> Writer:
    """
    What writes files of this extension.

    Raises:
        FormatError: the extension is unknown.
    """
    return _pick(_WRITERS, path, "write")


def _pick(table: Mapping[str, ActionT], path: Path, who: str) -> ActionT:
    name = path.name.lower()
    for extension, action in table.items():
        if name.endswith(extension):
            return action
    raise FormatError(
        f"{who}: '{path.name}' has an unknown extension; known are {', '.join(table)}"
    )


def _read_npy(path: Path, progress: Progress | None = None) -> Tensor:
    return from_numpy(np.load(path, allow_pickle=False))


def _write_npy(path: Path, source: Tensor) -> None:
    with path.open("wb") as stream:
        np.save(stream, source.to_numpy(), allow_pickle=False)


_READERS: Mapping[str, Reader] = {
    ".mtx": read_mtx,
    ".mtx.gz": read_mtx,
    ".tns": read_tns,
    ".tns.gz": read_tns,
    ".rb": read_hb,
    ".rb.gz": read_hb,
    ".hb": read_hb,
    ".hb.gz": read_hb,
    ".npy": _read_npy,
    ".npz": read_npz,
    ".bsp.h5": read_bsp_h5,
}
_WRITERS: Mapping[str, Writer] = {
    ".mtx": write_mtx,
    ".mtx.gz": write_mtx,
    ".tns": write_tns,
    ".tns.gz": write_tns,
    ".rb": write_hb,
    ".hb": write_hb,
    ".npy": _write_npy,
    ".bsp.npz": write_bsp_npz,
    ".npz": write_npz,
    ".bsp.h5": write_bsp_h5,
}
