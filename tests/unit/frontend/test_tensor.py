"""What a tensor offers by itself: elements, equality, copies, pickles, pictures."""

import pickle
import re
from collections.abc import Callable
from typing import Any, TypeAlias
from xml.etree import ElementTree

import numpy as np
import pytest

import tamale as tm
from tamale.frontend.drawing.notebook import densities
from tamale.frontend.tensor import Tensor

M = np.array([[0, 2.0, 0, 0], [1, 0, 0, 3], [0, 0, 0, 0], [0, 4, 5, 6]])
FORMATS = (
    *("csr", "csc", "dcsr", "coo", "ucoo", "dia", "ell", "jad", "sell(2)", "bcsr(2, 2)"),
    *("skyline", "dok", "bitmap", "hicoo(2)", "dense", "dense(1, 0)", "csf"),
)
Stored: TypeAlias = Callable[..., Tensor]


@pytest.mark.parametrize("format", FORMATS)
def test_every_element(format: str):
    matrix = np.tril(M) if format == "skyline" else M
    A = tm.tensor(matrix, format)
    for place in np.ndindex(matrix.shape):
        assert A[place] == matrix[place]
    assert A[-1, -1] == 6


def test_an_element_of_duplicates_is_their_sum(stored: Stored):
    line = "(i) -> (i : compressed(nonunique, nonordered))"
    levels = [{"pos": np.array([0, 3], "i4"), "crd": np.array([4, 1, 4], "i4")}]
    A = Tensor(tm.resolve_format(line), (6,), levels, np.array([1.0, 2.0, 4.0])).check()
    assert [A[i] for i in range(6)] == [0, 2, 0, 0, 5, 0]
    assert stored(M, "csr")[3, 2] == 5


def test_bytes_of_all_arrays():
    A = tm.tensor(np.eye(3), "csr")
    assert A.nbytes == 4 * 4 + 3 * 4 + 3 * 8
    assert tm.tensor(np.eye(3)).nbytes == 9 * 8


def test_a_number_has_one_element():
    assert tm.tensor(7.0)[()] == 7


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ((4, 0), "coordinate 4 of mode 1 is outside of its size 4"),
        ((0, -5), "coordinate -5 of mode 2"),
        (0, "1 coordinates for a tensor of order 2"),
        ((0, slice(2)), "is no element; an element has an integer for each of 2 modes"),
        ((0, 1.5), "is no element"),
    ],
)
def test_what_is_no_element(key: Any, message: str):
    with pytest.raises(IndexError, match=re.escape(message)) as caught:
        tm.tensor(M, "csr")[key]
    assert isinstance(caught.value, tm.TamaleError)


def test_elements_are_not_walked():
    with pytest.raises(TypeError, match="not iterable"):
        iter(tm.tensor(M, "csr"))  # pyright: ignore[reportCallIssue, reportArgumentType]


def test_equality_of_structure_and_values():
    A = tm.tensor(M, "csr")
    assert tm.tensor(M, "(r, c) -> (r : dense, c : compressed)") == A
    assert A != tm.tensor(M, "csc")
    assert A != tm.tensor(M[:, :3], "csr")
    assert A != tm.tensor(M, "csr").astype("float32")
    assert A != tm.tensor(2 * M, "csr")
    with_zero = tm.tensor(([2.0, 0.0], ([0, 1], [1, 1])), "csr", shape=(2, 2))
    assert with_zero != with_zero.prune()
    assert A != 3


@pytest.mark.parametrize("format", ["csc", "dia", "dense", "ucoo"])
def test_equal_values_in_any_format(format: str):
    A = tm.tensor(M, "csr")
    assert A.equals(tm.tensor(M, format))
    assert A.equals(M)
    changed = M.copy()
    changed[3, 3] = 7
    assert not A.equals(tm.tensor(changed, format))
    assert not A.equals(M[:3])
    assert tm.tensor([np.nan, 0.0], "csf").equals([np.nan, 0.0])


def test_equal_values_of_duplicates_and_explicit_zeros():
    line = "(i) -> (i : compressed(nonunique, nonordered))"
    levels = [{"pos": np.array([0, 3], "i4"), "crd": np.array([2, 1, 2], "i4")}]
    A = Tensor(tm.resolve_format(line), (3,), levels, np.array([1.0, 0.0, 4.0]))
    assert A.equals([0, 0, 5.0])


@pytest.mark.parametrize("format", ["csr", "coo", "dia", "dok", "bitmap"])
def test_prune(format: str):
    triples = ([2.0, 0.0, 3.0, 0.0], ([0, 0, 1, 2], [1, 2, 1, 0]))
    A = tm.tensor(triples, format, shape=(3, 3)).prune().check()
    assert A.format == tm.resolve_format(format, 2)
    assert A == tm.tensor(([2.0, 3.0], ([0, 1], [1, 1])), format, shape=(3, 3))
    clean = tm.tensor(M, "csr")
    assert clean.prune() is clean


def test_prune_keeps_what_is_not_a_number():
    A = tm.tensor(([np.nan, 0.0], ([1, 2],)), "csf", shape=(3,)).prune()
    assert A.nnz == 1
    assert np.isnan(A[1])


def test_copies_share_nothing():
    A = tm.tensor(M, "csr")
    B = A.copy()
    assert A == B
    pairs = [(A.levels[1][name], B.levels[1][name]) for name in ("pos", "crd")]
    assert not any(np.shares_memory(a, b) for a, b in [*pairs, (A.vals, B.vals)])


def test_astype():
    A = tm.tensor(M, "csr").astype("complex64").check()
    assert A.dtype == np.complex64
    assert A.equals(M)
    with pytest.raises(tm.TamaleError, match="element type float16 is not supported"):
        A.astype("float16")


@pytest.mark.parametrize("format", FORMATS)
def test_pickles(format: str):
    A = tm.tensor(np.tril(M), format)
    assert A.arguments  # Addresses, which must stay behind.
    B = pickle.loads(pickle.dumps(A))
    assert A == B
    assert np.array_equal(tm.einsum("ij->i", B), np.tril(M).sum(1))


def test_numpy_protocols():
    A, D = tm.tensor(M, "csr"), tm.tensor(M)
    assert np.ndim(A) == 2
    assert np.array_equal(np.asarray(A), M)
    assert np.asarray(A, "float32").dtype == np.float32
    assert np.shares_memory(np.asarray(D), M)
    assert not np.shares_memory(np.array(D, copy=True), M)
    with pytest.raises(ValueError, match="no dense array that could be shared"):
        np.asarray(A, copy=False)
    assert np.shares_memory(np.from_dlpack(D), M)
    with pytest.raises(BufferError, match="DLPack has dense arrays only"):
        np.from_dlpack(A)


def test_a_small_tensor_is_drawn():
    page = tm.tensor(M, "csr")._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert "Tensor(4 x 4, csr, float64, nnz=6)" in page
    assert page.count("<svg") == 1
    assert "<table>" not in page


def test_a_large_tensor_is_summarised():
    A = tm.tensor((np.arange(1.0, 201), (np.arange(200), np.arange(200))), "csr", shape=(200, 200))
    page = A._repr_html_()  # pyright: ignore[reportPrivateUsage]
    root = ElementTree.fromstring(page.replace("<br>", ""))
    assert [row[0].text for row in root.iter("tr")][1:] == ["level 2 pos", "level 2 crd", "vals"]
    assert "1, 2, 3, 4, 5, 6, 7, 8, ..." in page
    boxes = [box for box in root.iter() if box.get("fill-opacity")]
    assert len(boxes) == 50  # 200 coordinates in steps of 4, on the diagonal


@pytest.mark.parametrize(
    ("shape", "parts"), [((5000, 10), (64, 1)), ((7,), (1, 7)), ((40, 1), (40, 1))]
)
def test_densities_count_every_entry(shape: tuple[int, ...], parts: tuple[int, int]):
    A = tm.tensor(np.ones(shape), "coo" if len(shape) > 1 else "csf")
    counts = densities(A)
    assert counts.sum() == np.prod(shape)
    assert counts.shape == parts


@pytest.mark.parametrize("shape", [(), (0, 100), (100, 0), (100, 100)])
def test_nothing_to_show(shape: tuple[int, ...]):
    empty = tm.tensor(np.zeros(shape)) if not shape else tm.tensor(np.zeros(shape), "csr")
    assert "<div>" in empty._repr_html_()  # pyright: ignore[reportPrivateUsage]


def test_duplicates_above_dense_blocks_are_in_order():
    line = "(i, j) -> (i : dense, j / 2 : compressed(nonunique), j % 2 : dense)"
    levels = [{}, {"pos": np.array([0, 2], "i4"), "crd": np.array([0, 0], "i4")}, {}]
    A = Tensor(tm.resolve_format(line), (1, 4), levels, np.array([1.0, 2.0, 3.0, 0.0])).check()
    assert A.to_numpy().tolist() == [[4, 2, 0, 0]]


def test_order_goes_on_below_levels_that_repeat_coordinates():
    line = "(i, j, k) -> (i : compressed(nonunique), j : singleton, k : dense)"
    levels = [
        {"pos": np.array([0, 2], "i4"), "crd": np.array([1, 1], "i4")},
        {"crd": np.array([3, 0], "i4")},
        {},
    ]
    A = Tensor(tm.resolve_format(line), (2, 4, 2), levels, np.ones(4))
    with pytest.raises(ValueError, match=r"entries 0 and 1 are out of order .* \(1, 3\) and"):
        A.check()
