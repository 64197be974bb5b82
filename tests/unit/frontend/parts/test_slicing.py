"""Parts of tensors: the entries between two coordinates; views where that is possible."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tamale as tm
from tamale.frontend.parts.slicing import sliced

VIEWED = {
    "csr": 0,
    "csc": 1,
    "dcsr": 0,
    "dcsc": 1,
    "coo": 0,
    "dense": 0,
    "(i, j) -> (i : dense, j : bitmap)": 0,
    "(i, j) -> (i : dense, j : hashed)": 0,
    "(i, j) -> (j : compressed, i : dense)": 1,
}
"""Format -> the mode along which parts are views."""
STORED_AGAIN = ("bcsr(2, 3)", "dia", "ell", "jad", "sell(3)", "dok", "bitmap", "hicoo(2)", "ucoo")


def sample(random: np.random.Generator, shape: tuple[int, ...]) -> NDArray[Any]:
    return (random.random(shape) < 0.3) * random.random(shape)


def cuts(random: np.random.Generator, size: int) -> list[int]:
    """Bounds of up to five parts, some of them empty."""
    inner = sorted(random.integers(0, size + 1, int(random.integers(0, 5))).tolist())
    return [0, *inner, size]


@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("format", [*VIEWED, *STORED_AGAIN])
def test_parts_hold_what_lies_between_their_bounds(format: str, mode: int):
    random = np.random.default_rng(mode)
    for _ in range(8):
        array = sample(random, (int(random.integers(1, 12)), 9))
        whole, bounds = tm.tensor(array, format), cuts(random, array.shape[mode])
        parts = sliced(whole, [mode], bounds)
        assert len(parts) == len(bounds) - 1
        for part, (low, high) in zip(parts, pairwise(bounds), strict=True):
            assert part.check().format == whole.format
            expected = array[low:high] if mode == 0 else array[:, low:high]
            assert np.array_equal(part.to_numpy(), expected)


@pytest.mark.parametrize(("format", "mode"), VIEWED.items())
def test_views(format: str, mode: int):
    whole = tm.tensor(sample(np.random.default_rng(2), (8, 8)), format)
    *_, last = sliced(whole, [mode], [0, 3, 8])
    assert np.shares_memory(last.vals, whole.vals)
    inner = [n for n in whole.levels[1] if n != "pos"]
    assert all(np.shares_memory(last.levels[1][n], whole.levels[1][n]) for n in inner)


def test_the_third_order():
    array = sample(np.random.default_rng(3), (7, 4, 5))
    whole = tm.tensor(array, "csf")
    first, last = sliced(whole, [0], [0, 4, 7])
    assert np.array_equal(first.check().to_numpy(), array[:4])
    assert np.array_equal(last.check().to_numpy(), array[4:])
    assert np.shares_memory(last.levels[2]["crd"], whole.levels[2]["crd"])


def test_two_modes_leave_the_blocks_on_the_diagonal():
    array = np.arange(1.0, 17.0).reshape(4, 4)
    for format in ("csr", "dense"):
        first, last = sliced(tm.tensor(array, format), [0, 1], [0, 1, 4])
        assert np.array_equal(first.check().to_numpy(), array[:1, :1])
        assert np.array_equal(last.check().to_numpy(), array[1:, 1:])


def test_explicit_zeros_and_empty_rows_stay():
    columns = (np.array([0, 2, 2]), np.array([1, 0, 1]))
    whole = tm.tensor((np.array([0.0, 5.0, 0.0]), columns), "dcsr", shape=(4, 2))
    first, last = sliced(whole, [0], [0, 2, 4])
    assert (first.nnz, last.nnz) == (1, 2)
    assert last.levels[0]["crd"].tolist() == [0]
