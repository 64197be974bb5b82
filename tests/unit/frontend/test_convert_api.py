"""`tm.convert`, `tm.conversion`, tensors from entries, and what is said when they do not fit."""

import re
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import tamale as tm
from tamale.dialects.format.spec import Format
from tamale.frontend.conversion_errors import conversion_error, positions_needed
from tamale.frontend.naming import resolve_pair, shown

sparse: Any = import_module("scipy.sparse")

M = np.array([[0, 2.0, 0, 0], [1, 0, 0, 3], [0, 0, 0, 0], [0, 4, 5, 6]])
COORDINATES = M.nonzero()
ENTRIES = (M[COORDINATES], COORDINATES)


@pytest.mark.parametrize(
    "data", [M, sparse.csr_array(M), sparse.coo_array(M), sparse.bsr_array(M), tm.tensor(M, "csc")]
)
@pytest.mark.parametrize("format", ["dia", tm.formats.csr, "(i, j) -> (j : dense, i : compressed)"])
def test_everything_converts(data: Any, format: str | Format):
    assert np.array_equal(tm.convert(data, format).check().to_numpy(), M)


def test_the_same_format_is_the_same_tensor():
    A = tm.convert(M, "csr")
    assert tm.convert(A, "(r, c) -> (r : dense, c : compressed)") is A
    assert A.to_format("csr") is A


def test_entries_in_any_order_with_duplicates():
    triples = ([1, 2, 3, 0], ([1, 0, 1, 1], [0, 1, 0, 2]))
    A = tm.convert(triples, "csr", shape=(2, 3)).check()
    assert A.to_numpy().tolist() == [[0, 2, 0], [4, 0, 0]]
    assert A.nnz == 3  # the explicit zero stays
    assert tm.tensor(triples, shape=(2, 3)).format == tm.formats.coo


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_duplicates_in_single_precision_are_summed_in_double(dtype: str):
    vals = np.array([2.0**24, *[1.0] * 8], dtype)
    A = tm.tensor((vals, ([0] * 9,)), "csf", shape=(3,))
    assert A.dtype == dtype
    assert A.vals.tolist() == [2**24 + 8]


def test_block_arrays_are_used_in_place():
    blocks = sparse.bsr_array(M, blocksize=(2, 2))
    A = tm.tensor(blocks)
    assert A.format == tm.resolve_format("bcsr(2, 2)")
    assert np.shares_memory(A.vals, blocks.data)
    assert np.array_equal(A.to_numpy(), M)


@pytest.mark.parametrize(
    ("data", "shape", "message"),
    [
        (([1.0], ([0], [7])), (2, 3), "entry 0 has coordinate 7 in mode 2, outside of its"),
        (([1.0], ([-1], [0])), (2, 3), "entry 0 has coordinate -1 in mode 1"),
        (([1.0], ([0], [2, 1])), (2, 3), "mode 2 has coordinates of shape (2,), the values"),
        (([1.0], ([0],)), (2, 3), "entries with 1 coordinates do not fit 2 sizes"),
        (([1.0], ([0.5], [1])), (2, 3), "mode 1 has float64 coordinates, not integers"),
        (5, (2, 3), "with `shape`, data is (values, (coordinates of mode 1, ...))"),
        (([1.0], ()), (), "a tensor of order 0 has no entries"),
        ((["a"], ([0], [1])), (2, 3), "element type"),
    ],
)
def test_entries_that_make_no_tensor(data: Any, shape: tuple[int, ...], message: str):
    with pytest.raises(tm.TamaleError, match=re.escape(message)):
        tm.tensor(data, shape=shape)


def test_a_format_of_another_order():
    with pytest.raises(tm.FormatError, match=re.escape("order")):
        tm.convert(M, "csf(0, 1, 2)")
    with pytest.raises(tm.FormatError, match="does not fit a tensor of order 2"):
        tm.convert(M, tm.resolve_format("csf", 3))


# Conversions as objects


def test_conversion():
    A = tm.tensor(M, "csr")
    to_ell = tm.conversion(A, "ell")
    assert str(to_ell) == "csr to ell"
    assert to_ell.explain().startswith("convert csr to ell: directly")
    assert "max_crd max= width(A(i,j))" in to_ell.stages.text("cin")
    assert np.array_equal(to_ell(A).to_numpy(), M)
    with pytest.raises(tm.FormatError, match="expected float64 in csr, got float64 in ell"):
        to_ell(to_ell(A))


def test_orders_of_pairs():
    assert [format.order for format in resolve_pair("coo", "csf(2, 0, 1)")] == [3, 3]
    assert [format.order for format in resolve_pair("coo", "csf")] == [2, 2]
    assert resolve_pair("coo", "csf", 4)[0].order == 4
    with pytest.raises(tm.FormatError, match="csr is of order 2, not 3"):
        resolve_pair(tm.formats.csr, tm.formats.csr, 3)


def test_shown():
    assert shown(tm.Format("(r, c) -> (c : dense, r : compressed), pos = i64")) == "csc, pos = i64"
    assert shown(tm.resolve_format("hicoo(2)", 2)) == "hicoo(2)"


# What does not fit


def one_entry_each(size: int, width: str = "") -> tm.Tensor:
    rows = [0, 5, size - 1]
    return tm.convert(([1.0] * 3, (rows, [0, 3, 2])), f"coo{width}", shape=(size, size))


@pytest.mark.parametrize(
    ("format", "message"),
    [
        ("dense", "it would hold 1,000,000,000,000 values, 8 TB, which do not fit into memory"),
        ("bitmap", "it would hold 1,000,000,000,000 values, 8 TB"),
    ],
)
def test_padded_formats_that_do_not_fit(format: str, message: str):
    with pytest.raises(tm.KernelError, match=re.escape(message)) as info:
        tm.convert(one_entry_each(10**6), format)
    assert "the 1000000 x 1000000 tensor with 3 entries (coo)" in str(info.value)
    assert "help: csf and coo store entries only" in str(info.value)


def test_sizes_beyond_64_bits():
    A = one_entry_each(2**40, ", crd = i64")
    with pytest.raises(tm.KernelError, match="1,208,925,819,614,629,174,706,176 values"):
        tm.convert(A, "dense")
    with pytest.raises(tm.KernelError, match="level 1 .'i : dense'. would have 1,099,511,627,776"):
        tm.convert(A, "csr")


def test_coordinates_beyond_32_bits():
    triples = ([1.0], ([2999999999], [0]))
    with pytest.raises(tm.KernelError, match="does not fit into 32 bits") as info:
        tm.convert(triples, "coo, crd = i32", shape=(3000000000, 2))
    assert "help: convert to 'coo, pos = i64, crd = i64'" in str(info.value)
    for name in ("coo", "coo, pos = i64, crd = i64"):
        wide = tm.convert(triples, name, shape=(3000000000, 2))
        assert wide.levels[0]["crd"].tolist() == [2999999999]


def test_skyline_holds_one_side():
    with pytest.raises(tm.KernelError, match="holds entries on and below the diagonal only"):
        tm.convert(M, "skyline")


@pytest.mark.parametrize(
    "format",
    ["csr", "dia", "ell", "dense", "bitmap", "bcsr(2, 3)", "dcsr", "coo", "csc"],
)
def test_sizes_are_computed_as_they_come_out(format: str):
    target = tm.resolve_format(format, 2)
    assert positions_needed(tm.tensor(M, "coo"), target)[-1] == tm.convert(M, target).nnz


def test_sizes_that_only_the_conversion_tells():
    A = tm.tensor(M, "coo")
    assert positions_needed(A, tm.resolve_format("sell(2)", 2))[-1] is None
    counting = tm.Format("(i, j) -> (#i + 1 : sliced, i : dense, j : singleton)")
    assert positions_needed(A, counting) == [None, None, None]
    assert "it does not fit into memory" in str(conversion_error(1, A, counting))
    assert "unknown failure" in str(conversion_error(99, A, counting))


def test_a_format_must_be_one():
    with pytest.raises(tm.FormatError, match="expected a format, its name or its line, got int"):
        tm.convert(np.eye(2), 3)  # pyright: ignore[reportCallIssue, reportArgumentType]


@pytest.mark.parametrize("size", [-2, 1 << 63])
def test_sizes_are_64_bit_numbers(size: int):
    with pytest.raises(tm.FormatError, match=f"mode 1 has the dimension size {size}; sizes are"):
        tm.convert(([1.0], ([0], [0])), "coo", shape=(size, 2))
