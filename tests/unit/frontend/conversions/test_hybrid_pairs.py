"""Hybrids to and from every named format of matrices, by generated code."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tamale as tm
from tamale.dialects.format.selection import parse_selection
from tamale.frontend.converting import conversion

FORMATS = (
    *("dense", "coo", "ucoo", "csr", "csc", "dcsr", "dcsc", "csf(1,0)", "dia", "ell", "jad"),
    *("bcsr(2,3)", "bcsc(2,3)", "skyline", "dok", "bitmap", "hicoo(2)", "sell(3)"),
)
HYBRIDS = ("hyb(2)", "j - i == 0 ? dia : #i < 2 ? ell : csc")


def matrices() -> Iterator[NDArray[np.float64]]:
    """Lower triangles, as skyline wants them: with empty rows, without entries or rows."""
    rng = np.random.default_rng(7)
    for shape, count in [((5, 5), 11), ((7, 3), 8), ((4, 6), 0), ((0, 4), 0), ((1, 9), 4)]:
        matrix = np.zeros(shape)
        places = rng.choice(matrix.size, count, replace=False)
        matrix.flat[places] = rng.integers(1, 9, count)
        yield np.tril(matrix)


def parts_by_hand(matrix: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """The first k entries of each row."""
    count = np.cumsum(matrix != 0, axis=1)
    return np.where(count <= k, matrix, 0)


@pytest.mark.parametrize("hybrid", HYBRIDS)
@pytest.mark.parametrize("format", FORMATS)
def test_there_and_back(format: str, hybrid: str):
    for matrix in matrices():
        A = tm.tensor(matrix, format)
        split: tm.HybridTensor = tm.convert(A, tm.Hybrid(hybrid, 2)).check()
        assert np.array_equal(split.to_numpy(), matrix)
        back = split.to_format(format).check()
        assert back.format == A.format
        assert np.array_equal(back.to_numpy(), matrix)


@pytest.mark.parametrize("k", [1, 2, 9])
def test_what_the_parts_hold(k: int):
    for matrix in matrices():
        split = tm.convert(tm.tensor(matrix, "csr"), tm.Hybrid(f"hyb({k})")).check()
        first = parts_by_hand(matrix, k)
        ell, coo = split.parts
        assert np.array_equal(ell.to_numpy(), first)
        assert np.array_equal(coo.to_numpy(), matrix - first)
        longest = int((first != 0).sum(axis=1, initial=0).max(initial=0))
        assert ell.nnz == longest * len(matrix)
        assert coo.nnz == np.count_nonzero(matrix) - np.count_nonzero(first)


def test_duplicates_in_any_order_are_summed_before_they_are_counted():
    vals, rows, columns = [1.0, 2, 3, 4, 5], [1, 0, 1, 1, 1], [2, 0, 0, 2, 1]
    split = tm.convert((vals, (rows, columns)), tm.Hybrid("hyb(2)"), shape=(2, 3)).check()
    assert split.parts[0].to_numpy().tolist() == [[2, 0, 0], [3, 5, 0]]
    assert split.parts[1].to_numpy().tolist() == [[0, 0, 0], [0, 0, 5]]
    line = "(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonunique, nonordered))"
    crd = [np.array(column, np.int32) for column in (rows, columns)]
    levels = ({"pos": np.array([0, 5], np.int32), "crd": crd[0]}, {"crd": crd[1]})
    listed = tm.Tensor(tm.Format(line), (2, 3), levels, np.array(vals))
    again = tm.convert(listed, tm.Hybrid("hyb(2)")).check()
    assert [part.to_numpy().tolist() for part in again.parts] == [
        part.to_numpy().tolist() for part in split.parts
    ]
    chosen = conversion(listed.format, tm.formats.csr, "float64", parse_selection("#i < 2"))
    assert chosen(listed).check().to_numpy().tolist() == [[2, 0, 0], [3, 5, 0]]
    assert "the source may hold duplicates: summed first" in chosen.explain()
    by_mode = conversion(listed.format, tm.formats.csr, "float64", parse_selection("j > 1"))
    assert by_mode(listed).check().to_numpy().tolist() == [[0, 0, 0], [0, 0, 5]]


@pytest.mark.parametrize("dtype", ["float32", "complex128", "int8"])
def test_element_types_and_widths(dtype: str):
    matrix: NDArray[Any] = np.arange(12).reshape(3, 4).astype(dtype)
    split = tm.convert(matrix, tm.Hybrid("hyb(2), pos = i64, crd = i64")).check()
    assert split.parts[1].format.crd == "i64"
    assert split.dtype == dtype
    assert np.array_equal(split.to_numpy(), matrix)


@pytest.mark.parametrize(
    ("text", "order"), [("i % 2 == 0 ? dense : csf", 1), ("# < 3 ? csf : coo", 3)]
)
def test_other_orders(text: str, order: int):
    array = np.random.default_rng(1).integers(0, 3, (4,) * order).astype(float)
    split = tm.convert(array, tm.Hybrid(text, order)).check()
    assert np.array_equal(split.to_numpy(), array)
    assert np.array_equal(split.to_format("coo").to_numpy(), array)
