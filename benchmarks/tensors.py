"""
Tensors of order three and more: power laws made here, and files from the data folder.

Each has its coordinates in order, without duplicates, and float64 values.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

import numpy as np
from data import data_folder
from effort import Effort

import tamale as tm
from tamale.dialects.lazy import load

RANK = 32
"""Columns of each factor."""
FEWER = (30, 50, 100, 200, 400)
"""By how much the size of each mode is below the number of entries."""


class Entries:
    """The entries of a tensor, and a dense factor for each mode."""

    def __init__(self, name: str, shape: tuple[int, ...], coordinates: Any, values: Any) -> None:
        self.name, self.shape = name, shape
        self.coordinates, self.values = coordinates, values
        generator = np.random.default_rng(0)
        self.factors = [generator.random((size, RANK)) for size in shape]

    @property
    def order(self) -> int:
        return len(self.shape)

    @cached_property
    def pydata(self) -> Any:
        """The same as pydata/sparse's."""
        return load("sparse:COO")(self.coordinates.T, self.values, shape=self.shape)

    @cached_property
    def tensor(self) -> tm.Tensor:
        """The same in CSF."""
        return tm.tensor(self.pydata, "csf")

    def pyttb(self) -> Any:
        """The same as pyttb's."""
        sptensor = load("pyttb:sptensor")
        return sptensor(self.coordinates, self.values[:, None], self.shape)

    def grouped(self, parents: Any) -> Any:
        """The third mode's entries as rows of a matrix, each below one of the sorted `parents`."""
        first = np.flatnonzero(np.diff(parents, prepend=-1))
        pos, crd = np.append(first, len(parents)), self.coordinates[:, 2]
        shape = (len(first), self.shape[2])
        return load("scipy.sparse:csr_array")((self.values, crd, pos), shape=shape)


@cache
def power_law(effort: Effort, order: int) -> Entries:
    """Few coordinates of each mode have most of the entries; the same tensor for every section."""
    most, generator = effort.power_law // 4, np.random.default_rng(0)
    shape = tuple(max(8, most // fewer) for fewer in FEWER[:order])
    draws = [(size * generator.random(most) ** 2).astype(np.int64) for size in shape]
    coordinates = np.unique(np.stack(draws, 1), axis=0)
    values = generator.random(len(coordinates))
    return Entries(f"power law, {order}-way, {len(values)} entries", shape, coordinates, values)


@cache
def tensors(effort: Effort) -> tuple[Entries, ...]:
    """Of order three, four and five, and the largest FROSTT files of the data folder."""
    folder = data_folder()
    files = [] if folder is None else [*folder.glob("*.tns"), *folder.glob("*.tns.gz")]
    files.sort(key=lambda path: (-path.stat().st_size, path.name))
    read = [tm.read(path, "coo") for path in files[: effort.tensor_files]]
    names = [path.name.partition(".tns")[0] for path in files]
    found = (listed(name, coo) for name, coo in zip(names, read, strict=False))
    return (*(power_law(effort, order) for order in (3, 4, 5)), *found)


def listed(name: str, coo: tm.Tensor) -> Entries:
    """The entries of a list of coordinates."""
    coordinates = np.stack([level["crd"] for level in coo.levels], 1).astype(np.int64)
    return Entries(name, coo.shape, coordinates, coo.vals.astype(np.float64))
