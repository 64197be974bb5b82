"""Matrices of which one triangle is stored: symmetric, hermitian, skew-symmetric."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tamale.dialects.errors import FormatError
from tamale.frontend.entries import from_entries
from tamale.frontend.tensor import Tensor

_MIRRORS: Mapping[str, Callable[[Any], Any]] = {
    "symmetric": np.positive,
    "hermitian": np.conj,
    "skew_symmetric": np.negative,
}


def expanded(tensor: Tensor, structure: object, who: str = "binsparse") -> Tensor:
    """
    The whole matrix, in the format of its stored triangle.

    Args:
        tensor: the triangle.
        structure: `symmetric_lower`, `hermitian_upper` and so on; None: everything is stored.
        who: begins messages.

    Raises:
        FormatError: the structure is not known, the matrix is not square, or it has entries in
            the other triangle.
    """
    if structure is None:
        return tensor
    name, _, side = str(structure).rpartition("_")
    if name not in _MIRRORS or side not in ("lower", "upper"):
        raise FormatError(f"{who}: structure {structure!r} is not known")
    if tensor.order != 2 or tensor.shape[0] != tensor.shape[1]:
        raise FormatError(f"{who}: a tensor of shape {tensor.shape} cannot be {name}")
    (rows, columns), vals = tensor.nonzeros()
    wrong = (rows < columns if side == "lower" else rows > columns).nonzero()[0]
    if len(wrong):
        k = int(wrong[0])
        raise FormatError(
            f"{who}: the matrix is {structure}, but has an entry at "
            f"({rows[k]}, {columns[k]})"
        )
    off = rows != columns
    mirrored = _MIRRORS[name](vals[off])
    whole = (np.concatenate([rows, columns[off]]), np.concatenate([columns, rows[off]]))
    return from_entries(whole, np.concatenate([vals, mirrored]), tensor.shape, tensor.format)
