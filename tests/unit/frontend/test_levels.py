"""Tensors in formats whose levels store expressions: checked, walked, and read back."""

from collections.abc import Callable

import numpy as np
import pytest

from tamale.dialects.errors import FormatError
from tamale.dialects.format.named import resolve_format
from tamale.frontend.tensor import Tensor

FORMATS = (
    "csr",
    "csc",
    "dcsr",
    "coo",
    "ucoo",
    "bcsr(2,3)",
    "bcsc(3,2)",
    "dia",
    "ell",
    "jad",
    "sell(2)",
    "dok",
    "bitmap",
    "hicoo(2)",
    "(i, j) -> (i / 4 : compressed, j : dense, i % 4 : dense)",
    "(i, j) -> (i + j : dense, i : compressed)",
)
SHAPES = ((4, 6), (5, 7), (7, 3), (1, 1), (3, 0), (0, 3))

Stored = Callable[..., Tensor]


def example(shape: tuple[int, int], seed: int = 7) -> np.ndarray:
    """About a third nonzeros."""
    random = np.random.default_rng(seed)
    return random.integers(1, 9, shape) * (random.random(shape) < 0.35) * 1.0


def lower_triangle(shape: tuple[int, int]) -> np.ndarray:
    return np.tril(example(shape))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("shape", SHAPES)
def test_read_back(stored: Stored, name: str, shape: tuple[int, int]):
    array = example(shape)
    source = stored(array, name)
    assert source.check() is source
    assert np.array_equal(source.to_numpy(), array)
    coordinates, vals = source.entries()
    assert [len(column) for column in coordinates] == [len(vals)] * 2


@pytest.mark.parametrize("shape", SHAPES)
def test_read_skyline_back(stored: Stored, shape: tuple[int, int]):
    array = lower_triangle(shape)
    assert np.array_equal(stored(array, "skyline").check().to_numpy(), array)


def test_empty(stored: Stored):
    for name in (*FORMATS, "skyline"):
        source = stored(np.zeros((4, 6)), name).check()
        assert not source.to_numpy().any(), name


def test_third_order(stored: Stored):
    array = np.random.default_rng(3).integers(0, 2, (3, 4, 5)) * 1.0
    for name in (
        "hicoo(2)",
        "csf",
        "coo",
        "(i, j, k) -> (k / 2 : dense, i : hashed, j - i : bitmap, k % 2 : dense)",
    ):
        assert np.array_equal(stored(array, name).check().to_numpy(), array), name


def test_padding_goes_nowhere(stored: Stored):
    """Other formats, SciPy and files get the entries alone."""
    array = example((5, 7))
    for name in ("bcsr(2,3)", "dia", "ell", "sell(2)"):
        source = stored(array, name)
        coordinates, vals = source.nonzeros()
        assert len(vals) == np.count_nonzero(array) < source.nnz, name
        assert (vals == array[coordinates]).all(), name
        assert source.to_scipy().nnz == len(vals), name
        assert source.to_format(resolve_format("csr", 2)).nnz == len(vals), name


def test_modes_that_nothing_tells(stored: Stored):
    """A tensor can be written in such a format and checked, but not read."""
    source = stored(example((3, 4)), "(i, j) -> (i * 4 + j : compressed)")
    assert source.check() is source
    with pytest.raises(FormatError, match="'i' and 'j' cannot be computed"):
        source.to_numpy()


def test_padding_holds_zeros(stored: Stored):
    """A block that reaches over the edge has values that belong to no coordinate."""
    source = stored(np.ones((3, 4)), "bcsr(2,3)")
    row, column = (int(c[-1]) for c in source.coordinates())
    assert (row, column) == (3, 5)
    source.vals[-1] = 2.5
    message = rf"value {len(source.vals) - 1} is 2.5, at \(3, 5\), outside of the dimension sizes"
    with pytest.raises(FormatError, match=message):
        source.check()
