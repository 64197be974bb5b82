"""
`.npz` files: SciPy's layout where SciPy has the format, elsewhere our own, which holds any tensor.

Our layout is an archive of NumPy arrays: `tamale_format` is the format line, `shape` the dimension
sizes, `level1_pos`, `level1_crd`, ... the arrays of the levels, counted from 1, and `vals` the
values. What comes from a file is checked like any arrays from outside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from tamale.dialects.errors import FormatError
from tamale.dialects.format.named import name_of
from tamale.dialects.format.notation import parse_format
from tamale.dialects.format.spec import Format
from tamale.dialects.lazy import load
from tamale.frontend.interop import to_scipy
from tamale.frontend.tensor import Tensor
from tamale.passes.levels import storage_kind

FORMAT = "tamale_format"
"""The member that tells our archives from SciPy's."""

SCIPY_FORMATS = ("csr", "csc", "coo")


def write_npz(path: Path, source: Tensor) -> None:
    """Writes any tensor."""
    if source.order == 2 and name_of(source.format) in SCIPY_FORMATS:
        load("scipy.sparse:save_npz")(path, to_scipy(source))
        return
    members = {FORMAT: np.array(str(source.format)), "shape": np.array(source.shape, np.int64)}
    for k, name in _array_names(source.format):
        members[_member(k, name)] = source.levels[k][name]
    np.savez_compressed(path, allow_pickle=False, vals=source.vals, **members)


def read_npz(path: Path) -> Any:
    """
    A tensor from our archive, or a SciPy array from SciPy's.

    Raises:
        FormatError: the archive is damaged, or its arrays break the promises of its format.
    """
    with path.open("rb") as stream:
        try:
            archive: Any = np.load(stream, allow_pickle=False)
        except BadZipFile as error:
            raise FormatError(f"read: '{path}' is damaged: {error}") from error
        if not hasattr(archive, "files"):
            raise FormatError(f"read: '{path}' holds one array; call it .npy")
        with archive:
            if FORMAT in archive.files:
                return _tensor_of(dict(archive), path)
    return load("scipy.sparse:load_npz")(path)


def _tensor_of(members: Mapping[str, Any], path: Path) -> Tensor:
    """The tensor in an archive of ours."""
    format = parse_format(str(members[FORMAT]))
    names = list(_array_names(format))
    wanted = [FORMAT, "shape", "vals", *(_member(k, name) for k, name in names)]
    if sorted(members) != sorted(wanted):
        raise FormatError(
            f"read: '{path}' holds {sorted(members)}, but a tensor in '{format}' consists of "
            f"{sorted(wanted)}"
        )
    shape = members["shape"]
    if shape.ndim != 1 or shape.dtype.kind not in "iu" or (len(shape) and shape.min() < 0):
        raise FormatError(f"read: the shape in '{path}' is {shape}, expected sizes")
    levels: list[dict[str, Any]] = [{} for _ in format.levels]
    for k, name in names:
        levels[k][name] = members[_member(k, name)]
    return Tensor(format, shape.tolist(), levels, members["vals"]).check()


def _array_names(format: Format) -> Iterator[tuple[int, str]]:
    """Every array of a format, as the number of its level and its name."""
    for k, level in enumerate(format.levels):
        for name in storage_kind(level.kind).arrays:
            yield k, name


def _member(k: int, name: str) -> str:
    return f"level{k + 1}_{name}"
