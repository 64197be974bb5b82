"""
`.npz` files: SciPy's layout where SciPy has the format, elsewhere our own, which holds any tensor;
Binsparse's is read.

Our layout is an archive of NumPy arrays: `tamale_format` is the format line, `shape` the dimension
sizes, `level1_pos`, `level1_crd`, ... the arrays of the levels, counted from 1, and `vals` the
values. Of a hybrid, each part has its own: `part1_level1_pos`, ..., `part1_vals`. What comes from
a file is checked like any arrays from outside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from tamale.dialects.errors import FormatError
from tamale.dialects.format.hybrid import HybridFormat, resolve_any
from tamale.dialects.format.named import name_of
from tamale.dialects.format.spec import Format
from tamale.dialects.lazy import load
from tamale.frontend.filetypes.binsparse_files import HEADER, tensor_of
from tamale.frontend.filetypes.streams import Progress
from tamale.frontend.hybrid import HybridTensor
from tamale.frontend.libraries.scipy_arrays import to_scipy
from tamale.frontend.tensor import Tensor
from tamale.passes.levels import storage_kind

FORMAT = "tamale_format"
"""The member that tells our archives from SciPy's."""

SCIPY_FORMATS = ("csr", "csc", "coo")


def write_npz(path: Path, source: Tensor | HybridTensor) -> None:
    """Writes any tensor, hybrid or not."""
    if not isinstance(source, HybridTensor):
        if source.order == 2 and name_of(source.format) in SCIPY_FORMATS:
            with path.open("wb") as stream:
                load("scipy.sparse:save_npz")(stream, to_scipy(source))
            return
        parts = {"": source}
    else:
        parts = {_prefix(number): part for number, part in enumerate(source.parts)}
    members = {FORMAT: np.array(str(source.format)), "shape": np.array(source.shape, np.int64)}
    for prefix, part in parts.items():
        for k, name in _array_names(part.format):
            members[_member(prefix, k, name)] = part.levels[k][name]
        members[f"{prefix}vals"] = part.vals
    with path.open("wb") as stream:
        np.savez_compressed(stream, allow_pickle=False, **members)


def read_npz(path: Path, progress: Progress | None = None) -> Any:
    """
    A tensor from our archive or one of Binsparse, or a SciPy array from SciPy's.

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
            if HEADER in archive.files:
                members = dict(archive)
                return tensor_of(members.pop(HEADER), members)
    return load("scipy.sparse:load_npz")(path)


def _tensor_of(members: Mapping[str, Any], path: Path) -> Tensor | HybridTensor:
    """The tensor in an archive of ours."""
    format = resolve_any(str(members[FORMAT]))
    split = isinstance(format, HybridFormat)
    formats = format.formats if split else (format,)
    prefixed = {_prefix(number) if split else "": each for number, each in enumerate(formats)}
    _check_members(members, prefixed, format, path)
    shape = members["shape"]
    if shape.ndim != 1 or shape.dtype.kind not in "iu" or (len(shape) and shape.min() < 0):
        raise FormatError(f"read: the shape in '{path}' is {shape}, expected sizes")
    parts = [
        Tensor(each, shape.tolist(), _levels_of(members, prefix, each), members[f"{prefix}vals"])
        for prefix, each in prefixed.items()
    ]
    found = HybridTensor(format, shape.tolist(), parts) if split else parts[0]
    return found.check()


def _check_members(
    members: Mapping[str, Any],
    prefixed: Mapping[str, Format],
    format: Format | HybridFormat,
    path: Path,
) -> None:
    """An archive holds exactly the arrays that its format asks for."""
    wanted = [FORMAT, "shape"]
    for prefix, each in prefixed.items():
        wanted += [f"{prefix}vals", *(_member(prefix, k, name) for k, name in _array_names(each))]
    if sorted(members) != sorted(wanted):
        raise FormatError(
            f"read: '{path}' holds {sorted(members)}, but a tensor in '{format}' consists of "
            f"{sorted(wanted)}"
        )


def _levels_of(members: Mapping[str, Any], prefix: str, format: Format) -> list[dict[str, Any]]:
    levels: list[dict[str, Any]] = [{} for _ in format.levels]
    for k, name in _array_names(format):
        levels[k][name] = members[_member(prefix, k, name)]
    return levels


def _array_names(format: Format) -> Iterator[tuple[int, str]]:
    """Every array of a format, as the number of its level and its name."""
    for k, level in enumerate(format.levels):
        for name in storage_kind(level.kind).arrays:
            yield k, name


def _member(prefix: str, k: int, name: str) -> str:
    return f"{prefix}level{k + 1}_{name}"


def _prefix(number: int) -> str:
    """What the members of a part of a hybrid begin with."""
    return f"part{number + 1}_"
