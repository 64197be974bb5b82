"""One attack: damaged input is read, and either refused with an error of ours or a sound tensor."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

import numpy as np
from mutations import BYTES, damaged_array, damaged_shape

import tamale as tm
from tamale.dialects.format.named import NAMED_FORMATS
from tamale.frontend.levels import level_range
from tamale.frontend.tensor import Tensor

M = np.array([[4.0, 0, 2, 0], [1, 3, 0, 0], [0, 0, 0, 0], [0, 7, 5, 6]])
ENDINGS = ("mtx", "mtx.gz", "tns", "tns.gz", "rb", "npy", "npz", "bsp.npz", "bsp.h5")
ARGUMENTS = {"bcsr": "(2, 2)", "bcsc": "(2, 2)", "sell": "(2)", "hicoo": "(2)"}
FORMATS = [name + ARGUMENTS.get(name, "") for name in NAMED_FORMATS]

MOST_VALUES = 1 << 16
"""Larger tensors are checked, but not computed with."""

REFUSED, SOUND = "refused", "sound"


def attack_file(seed: int, folder: Path) -> str:
    """A damaged file is read."""
    random = Random(seed)
    name = f"a.{random.choice(ENDINGS)}"
    whole, damaged = folder / name, folder / f"damaged-{name}"
    if not whole.exists():
        tm.tensor(M, "csr").save(str(whole))
    data = whole.read_bytes()
    for _ in range(random.randint(1, 3)):
        data = random.choice(BYTES)(data, random)
    damaged.write_bytes(data)
    return outcome(lambda: tm.read(damaged))


def attack_arrays(seed: int, tensors: Mapping[str, Tensor]) -> str:
    """Damaged arrays are checked."""
    random = Random(seed)
    whole = tensors[random.choice(list(tensors))]
    levels, vals, shape = [dict(level) for level in whole.levels], whole.vals, whole.shape
    for _ in range(random.randint(1, 2)):
        places = [(k, name) for k, level in enumerate(levels) for name in level]
        choice = random.randrange(len(places) + 2)
        if choice < len(places):
            k, name = places[choice]
            levels[k][name] = damaged_array(levels[k][name], random)
        elif choice == len(places):
            vals = damaged_array(vals, random)
        else:
            shape = damaged_shape(shape, random)
    return outcome(lambda: Tensor(whole.format, shape, levels, vals).check())


def tensors() -> dict[str, Tensor]:
    """A small tensor in every named format."""
    lower = np.tril(M)
    return {name: tm.tensor(lower if name == "skyline" else M, name) for name in FORMATS}


def outcome(make: Callable[[], Tensor]) -> str:
    """
    What became of it. Anything but an error of ours, or a tensor that can be computed with, is
    raised.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = make()
        except tm.TamaleError:
            return REFUSED
        _use(found)
    return SOUND


def _use(tensor: Tensor) -> None:
    """Sums a tensor up by a kernel, and by NumPy."""
    positions = max([1, *(level_range(tensor.format, tensor.shape, k)[1] for k in _levels(tensor))])
    if not tensor.order or max(tensor.nnz, positions, *tensor.shape) > MOST_VALUES:
        return
    variables = ",".join(f"i{k}" for k in range(tensor.order))
    with np.errstate(all="ignore"):
        found = tm.evaluate(f"s = A({variables})", A=tensor)
        expected = tensor.entries()[1].sum(dtype=tensor.dtype)  # small integers wrap around
    if not np.isclose(found, expected, equal_nan=True):
        raise AssertionError(f"{tensor!r}: sum {found}, but its entries add up to {expected}")


def _levels(tensor: Tensor) -> Sequence[int]:
    return range(len(tensor.format.levels))
