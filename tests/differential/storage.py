"""Random formats, sizes and entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import prod
from random import Random
from typing import Any

import numpy as np

from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.spec import mode_names
from tamale.passes.levels import is_padded

MAX_POINTS = 20_000


NAMES: Mapping[int, Sequence[str]] = {
    0: ("dense",),
    1: ("dense", "csf", "csf", "coo", "ucoo"),
    2: (
        *("csr", "csc", "dcsr", "dcsc", "coo") * 4,
        *("dense", "dense(1, 0)", "coo(1, 0)", "ucoo", "bcsr(2, 3)", "bcsc(3, 2)", "dia", "ell"),
        *("jad", "sell(2)", "dok", "bitmap", "hicoo(2)"),
    ),
    3: (
        *(f"csf{modes}" for modes in permutations(range(3))),
        *("coo", "coo(2, 0, 1)", "ucoo", "hicoo(2)", "dense", "dense(1, 2, 0)"),
    ),
    4: (
        *(f"csf{modes}" for modes in permutations(range(4)) if sum(modes[:2]) != 3),
        *("coo", "coo(3, 1, 0, 2)", "ucoo", "dense", "dense(0, 2, 1, 3)"),
    ),
    5: ("csf", "csf(4, 2, 0, 1, 3)", "coo", "ucoo", "dense"),
}
"""Order -> names of formats, more often the more often they are named."""


def random_name(rng: Random, order: int, *, result: bool = False, pads: bool = True) -> str:
    """
    The name of a format, with widths.

    Args:
        result: whether any matrix has to fit, which rules out `skyline`.
        pads: whether it may pad, and so lose the zeros that are entries.
    """
    names = (*NAMES[order], "skyline") if order == 2 and not result else NAMES[order]
    while True:
        name = rng.choice(names)
        format = resolve_format(name, order)
        if pads or format.all_dense or not is_padded(format):
            return name + (_random_widths(rng) if order else "")


def random_format(rng: Random, order: int, loops: Sequence[int], *, result: bool = False) -> str:
    """
    A format line for a tensor of some order.

    Args:
        loops: a mode order that fits the loops; mostly it is followed.
        result: whether the levels should mostly be such that a result can be appended to them.
    """
    if order == 0:
        return "dense"
    modes = list(loops)
    if rng.random() < 0.12:
        rng.shuffle(modes)
    kinds = _random_kinds(rng, order)
    while result and rng.random() < 0.9 and not _appendable(kinds):
        kinds = _random_kinds(rng, order)
    names = mode_names(order)
    levels = ", ".join(f"{names[m]} : {kind}" for m, kind in zip(modes, kinds, strict=True))
    return f"({', '.join(names)}) -> ({levels}){_random_widths(rng)}"


def _random_kinds(rng: Random, order: int) -> list[str]:
    styles = "dense", "csf", "coo", "mixed", "tail", "blocks"
    style = rng.choices(styles, (22, 20, 14, 28, 8, 8))[0]
    if style == "dense":
        return ["dense"] * order
    if style == "csf":
        return ["compressed"] * order
    if style == "mixed":
        return [rng.choice(("dense", "compressed", "compressed")) for _ in range(order)]
    if style == "blocks":
        sparse = rng.randint(1, order)
        return ["compressed"] * sparse + ["dense"] * (order - sparse)
    above = 0 if style == "coo" else rng.randrange(order)
    prefix = [rng.choice(("dense", "compressed")) for _ in range(above)]
    return prefix + _coordinate_kinds(rng, order - above)


def _coordinate_kinds(rng: Random, order: int) -> list[str]:
    """Coordinate lists; sometimes they may hold duplicates."""
    unique = "" if rng.random() < 0.93 else "(nonunique)"
    if order == 1:
        return [f"compressed{unique}"]
    inner = ["singleton(nonunique)"] * (order - 2)
    return ["compressed(nonunique)", *inner, f"singleton{unique}"]


def _appendable(kinds: Sequence[str]) -> bool:
    """Whether levels can be appended to; dense ones at the end are a block for each entry."""
    sparse = [k for k, kind in enumerate(kinds) if kind != "dense"]
    kinds = kinds[: sparse[-1] + 1] if sparse else kinds
    nonunique = any(kinds[-1].endswith("(nonunique)") for _ in kinds[:1])
    return not nonunique and all(kind != "dense" for kind in kinds[sparse[0] if sparse else 0 :])


def _random_widths(rng: Random) -> str:
    widths = ""
    for array in ("pos", "crd"):
        if rng.random() < 0.25:
            widths += f", {array} = i64"
    return widths


def random_sizes(rng: Random, classes: Sequence[str], *, empty: bool) -> dict[str, int]:
    """
    Sizes of groups of modes: small ones, zero among them if `empty`, or one long among thin ones.
    """
    style = rng.choices(("plain", "empty", "thin"), (78, 8 if empty else 0, 14))[0]
    while True:
        if style == "thin":
            sizes = {c: rng.choice((1, 1, 2, 3)) for c in classes}
            if classes:
                sizes[rng.choice(list(classes))] = rng.randint(20, 60)
        else:
            sizes = {c: rng.choices((1, 2, 3, 5, 8), (8, 15, 30, 30, 17))[0] for c in classes}
            if style == "empty" and classes:
                sizes[rng.choice(list(classes))] = 0
        if prod(sizes.values()) <= MAX_POINTS:
            return sizes


def random_entries(
    rng: Random, shape: Sequence[int], dtype: str, *, full: bool, duplicates: bool
) -> tuple[tuple[Any, ...], Any]:
    """Coordinates and values: everywhere if `full`, else of some random density."""
    numbers = np.random.default_rng(rng.getrandbits(64))
    keep = np.ones(tuple(shape), np.bool_) if full else _random_pattern(rng, numbers, shape)
    coordinates = np.nonzero(keep) if shape else ()
    count = int(keep.sum())
    if duplicates and count:
        again = numbers.integers(0, count, size=count)
        coordinates = tuple(np.concatenate([c, c[again]]) for c in coordinates)
        count *= 2
    vals = _random_values(numbers, count, dtype)
    if rng.random() < (0.5 if full else 0.25):
        vals[numbers.random(count) < 0.25] = 0
    return coordinates, vals


def _random_pattern(rng: Random, numbers: np.random.Generator, shape: Sequence[int]) -> Any:
    style = rng.choices(("empty", "sparse", "half", "full", "gaps"), (7, 30, 32, 9, 22))[0]
    density = {"empty": 0.0, "sparse": 0.15, "half": 0.5, "full": 1.0, "gaps": 0.6}[style]
    keep = numbers.random(tuple(shape)) < density
    if style == "gaps":
        for mode, size in enumerate(shape):
            gone = numbers.random(size) < 0.35
            keep[(slice(None),) * mode + (gone,)] = False
    return keep


def _random_values(numbers: np.random.Generator, count: int, dtype: str) -> Any:
    """Nonzero numbers with few bits, so that sums and products are exact in every order."""

    def few_bits() -> Any:
        return numbers.integers(1, 9, size=count) * numbers.choice((-1, 1), size=count)

    kind = np.dtype(dtype)
    if kind.kind == "i":
        return few_bits().astype(kind)
    if kind.kind == "c":
        return (few_bits() / 4 + 1j * few_bits() / 4).astype(kind)
    return (few_bits() / 4).astype(kind)
