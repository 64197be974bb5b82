"""
Binsparse in files: the descriptor is JSON, beside the arrays, in an `.npz` archive or in HDF5.

HDF5 needs the package `h5py`. Types in JSON are kept by name, so that any reader of Binsparse finds
what it expects.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np

from tamale.dialects.errors import FormatError
from tamale.dialects.lazy import load
from tamale.frontend.filetypes.streams import Progress
from tamale.frontend.libraries.binsparse import read_binsparse, write_binsparse
from tamale.frontend.tensor import Tensor

LEAST_SECONDS = 30
"""How long reading the smallest HDF5 file may take, on a busy machine."""

BYTES_PER_SECOND = 10 << 20
"""How fast larger ones are read at least."""

HEADER = "binsparse"
"""The member or attribute with the descriptor."""


def tensor_of(text: object, arrays: Mapping[str, Any]) -> Tensor:
    """
    The tensor of a descriptor as JSON text and arrays.

    Raises:
        FormatError: the text is no descriptor, or the arrays are not what it says.
    """
    try:
        outer = json.loads(str(text))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"binsparse: the descriptor is no JSON: {error}") from error
    header = cast("dict[str, Any]", outer).get(HEADER) if isinstance(outer, dict) else None
    return read_binsparse(header, arrays)


def text_of(header: Mapping[str, Any]) -> str:
    """The descriptor as JSON."""
    return json.dumps({HEADER: dict(header)}, indent=2)


def write_bsp_npz(path: Path, source: Tensor) -> None:
    """An archive of the arrays and the descriptor."""
    header, arrays = write_binsparse(source)
    with path.open("wb") as stream:
        np.savez(stream, allow_pickle=False, **{HEADER: np.array(text_of(header)), **arrays})


def read_bsp_h5(path: Path, progress: Progress | None = None) -> Tensor:
    """
    The tensor of an HDF5 file.

    Raises:
        FormatError: `h5py` is missing, or the file holds no tensor.
    """
    _h5py()
    with tempfile.TemporaryDirectory(prefix="tamale-") as folder:
        copied = Path(folder) / "copied.npz"
        _copy_arrays(path, copied)
        with np.load(copied, allow_pickle=False) as archive:
            members = dict(archive)
    return tensor_of(members.pop(HEADER), members)


def _copy_arrays(path: Path, target: Path) -> None:
    """Has another process read the file: the HDF5 library hangs or crashes on some damaged ones."""
    seconds = LEAST_SECONDS + path.stat().st_size // BYTES_PER_SECOND
    child = str(Path(__file__).with_name("hdf5_child.py"))
    command = [sys.executable, "-P", child, path, target, str(seconds)]
    try:
        finished = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=seconds
        )
    except subprocess.TimeoutExpired as error:
        raise FormatError(f"read: '{path}' is damaged: HDF5 does not get through it") from error
    if finished.returncode < 0:
        raise FormatError(f"read: '{path}' is damaged: HDF5 crashes on it")
    if finished.returncode:
        reason = finished.stderr.strip().rpartition("\n")[2]
        raise FormatError(f"read: '{path}' cannot be read: {reason}")


def write_bsp_h5(path: Path, source: Tensor) -> None:
    """
    An HDF5 file.

    Raises:
        FormatError: `h5py` is missing.
    """
    header, arrays = write_binsparse(source)
    with _h5py()(path, "w") as file:
        file.attrs[HEADER] = text_of(header)
        for name, array in arrays.items():
            file.create_dataset(name, data=array)


def _h5py() -> Any:
    try:
        return load("h5py:File")
    except ImportError as error:
        raise FormatError(
            "files: HDF5 needs the package h5py\n  help: pip install h5py, or use .npz"
        ) from error
