"""Whether tensors are stored alike or mean the same, and tensors without zeros."""

from __future__ import annotations

from typing import Any

import numpy as np

from tamale.frontend.entries import entry_list, from_entries
from tamale.frontend.hybrid import HybridTensor
from tamale.frontend.interop import tensor
from tamale.frontend.tensor import Tensor


def alike(a: Tensor, b: Tensor) -> bool:
    """Same format, sizes, types, arrays and values; a NaN is like another NaN."""
    if a.shape != b.shape or a.dtype != b.dtype or a.format.canonical() != b.format.canonical():
        return False
    for ours, theirs in zip(a.levels, b.levels, strict=True):
        if not all(np.array_equal(ours[name], theirs[name]) for name in ours):
            return False
    return np.array_equal(a.vals, b.vals, equal_nan=True)


def equal_values(a: Tensor | HybridTensor, other: Any) -> bool:
    """Same sizes, and the same value everywhere; a NaN is like another NaN."""
    b = other if isinstance(other, HybridTensor) else tensor(other)
    if a.shape != b.shape:
        return False
    if not a.shape:
        return np.array_equal(a.to_numpy(), b.to_numpy(), equal_nan=True)
    (crds_a, vals_a), (crds_b, vals_b) = _sorted_nonzeros(a), _sorted_nonzeros(b)
    same = len(vals_a) == len(vals_b) and np.array_equal(vals_a, vals_b, equal_nan=True)
    return same and all(map(np.array_equal, crds_a, crds_b))


def _sorted_nonzeros(source: Tensor | HybridTensor) -> tuple[tuple[Any, ...], Any]:
    """Coordinates and values of what is not 0, in the order of the modes, duplicates added up."""
    listed = tensor(entry_list(*source.nonzeros(), source.shape), "coo")
    crds, vals = listed.entries()
    stored = vals != 0
    return tuple(crd[stored] for crd in crds), vals[stored]


def pruned(source: Tensor) -> Tensor:
    """A tensor of the same format without entries that are 0; itself if there are none."""
    if source.format.all_dense or source.vals.all():
        return source
    crds, vals = source.entries()
    stored = vals != 0
    return from_entries([crd[stored] for crd in crds], vals[stored], source.shape, source.format)
