"""Hybrid tensors: what they say, what `check` finds, files, and where they are not taken."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamale as tm
from tamale.frontend.hybrid import HybridConversion
from tamale.frontend.naming import shown

M = np.array([[1.0, 2, 0, 3], [0, 4, 0, 0], [0, 0, 0, 0], [5, 6, 7, 8]])
HYB = tm.Hybrid("hyb(2)")


def split(text: str = "hyb(2)") -> tm.HybridTensor:
    return tm.convert(M, tm.Hybrid(text))


def test_what_it_says():
    A = split()
    assert repr(A) == "HybridTensor(4 x 4, hyb(2), float64, nnz=8 + 3)"
    assert (A.shape, A.order, A.nnz, A.dtype) == ((4, 4), 2, 11, np.float64)
    assert np.array_equal(np.asarray(A), M)
    assert (A.to_scipy() != tm.tensor(M, "csr").to_scipy()).nnz == 0
    assert len(A.entries()[1]) == len(A.nonzeros()[1]) + 3  # free slots of ELL
    assert shown(tm.Hybrid("j == 0 ? csc : hyb(2)")) == "j == 0 ? csc : #i < 2 ? ell : coo"
    assert shown(tm.Hybrid("hyb(2), crd = i64")) == "#i < 2 ? ell, crd = i64 : coo, crd = i64"


def test_the_same_hybrid_is_the_same_tensor():
    A = split()
    assert tm.convert(A, HYB) is A
    assert tm.convert(A, "#i < 2 ? ell : coo") is A
    other = tm.convert(A, tm.Hybrid("j < 2 ? csc : coo")).check()
    assert np.array_equal(other.to_numpy(), M)
    assert np.array_equal(tm.tensor(A).to_numpy(), M)
    assert tm.tensor(A, "csc").format == tm.formats.csc


def with_parts(A: tm.HybridTensor, *parts: tm.Tensor) -> tm.HybridTensor:
    return tm.HybridTensor(A.format, A.shape, parts)


def test_check_finds_what_is_in_the_wrong_place():
    by_mode = split("j - i >= 0 ? coo : csr")
    upper, lower = by_mode.check().parts
    everything = tm.tensor(M, "csr")
    with pytest.raises(
        tm.FormatError, match=r"part 2 has an entry at \(0, 0\), where 'j - i < 0' is false"
    ):
        with_parts(by_mode, upper, everything).check()
    with pytest.raises(tm.FormatError, match="part 1 is stored as csr, .* says coo"):
        with_parts(by_mode, lower, upper).check()
    with pytest.raises(tm.FormatError, match="1 parts do not fit"):
        with_parts(by_mode, upper).check()
    narrow = tm.tensor(M[:, :3], "csr")
    with pytest.raises(tm.FormatError, match=r"part 2 is float64 of shape \(4, 3\), expected"):
        with_parts(by_mode, upper, narrow).check()


def test_check_finds_entries_in_several_parts():
    A = split()
    with pytest.raises(tm.FormatError, match=r"several parts have an entry at \(0, 0\)"):
        with_parts(A, A.parts[0], tm.tensor(M, "coo")).check()


@pytest.mark.parametrize("text", ["hyb(2)", "j < 2 ? csc : #i < 1 ? ell : ucoo"])
def test_files_keep_the_parts(tmp_path: Path, text: str):
    A, path = split(text), tmp_path / "A.npz"
    A.save(str(path))
    found = tm.read(path)
    assert found.format == A.format
    assert [part.to_numpy().tolist() for part in found.parts] == [
        part.to_numpy().tolist() for part in A.parts
    ]
    assert np.array_equal(tm.read(path, tm.formats.csr).to_numpy(), M)


def test_files_of_other_kinds_hold_the_entries(tmp_path: Path):
    path = tmp_path / "A.mtx"
    split().save(str(path))
    assert tm.read(path).format == tm.formats.coo
    found = tm.read(path, "hyb(1)")
    assert repr(found) == "HybridTensor(4 x 4, hyb(1), float64, nnz=4 + 5)"


def test_archives_that_lie(tmp_path: Path):
    path = tmp_path / "A.npz"
    split().save(str(path))
    with np.load(path) as archive:
        members: dict[str, Any] = dict(archive)
    del members["part2_vals"]
    np.savez(path, allow_pickle=False, **members)
    with pytest.raises(tm.FormatError, match="consists of .*part2_vals"):
        tm.read(path)


def test_explaining():
    conversion = HybridConversion(tm.formats.csr, HYB, "float64")
    text = conversion.explain()
    assert "convert csr to ell, entries with #i < 2\n  list the selected entries" in text
    assert "convert csr to coo, entries with #i >= 2" in text
    assert conversion.conversions[0].cpp.count("if (k < 2)") == 2
    assert len(conversion.native) == 2


@pytest.mark.parametrize(
    "action",
    [
        lambda: tm.tensor(M, "hyb(2)"),
        lambda: tm.tensor(M).to_format("hyb(2)"),
        lambda: tm.compile("y(i) = A(i,j) * x(j)", A="hyb(2)"),
        lambda: tm.conversion("csr", "hyb(2)"),
        lambda: tm.evaluate("Z(i,j) = 2 * A(i,j)", A=M, out=HYB),
    ],
)
def test_where_one_format_is_wanted(action: Any):
    with pytest.raises(tm.FormatError, match=r"'hyb\(2\)' is a hybrid of several formats"):
        action()


def test_counters_that_do_not_fit():
    A = tm.tensor(([1.0], ([0], [1])), "ucoo", shape=(1 << 20, 1 << 20))
    with pytest.raises(
        tm.KernelError, match="'#i j < 1' counts per i j, which takes 1099511627776 counters"
    ):
        tm.convert(A, tm.Hybrid("#i j < 1 ? dcsr : coo", 2))


def test_orders_that_do_not_fit():
    with pytest.raises(tm.FormatError, match=r"hyb\(2\) does not fit a tensor of order 1"):
        tm.convert(np.ones(3), HYB)
