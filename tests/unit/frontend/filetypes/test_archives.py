"""`.npz` files: every tensor goes out and comes back; damaged ones are refused."""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamale as tm

sparse: Any = import_module("scipy.sparse")

M = np.array([[2.0, 0, 0], [1, 3, 0], [0, 0, 4], [0, 5, 6]])
FORMATS = ["csr", "csc", "coo", "ucoo", "dense", "dia", "ell", "jad", "bcsr(2, 3)", "dok", "bitmap"]


@pytest.mark.parametrize("format", FORMATS)
def test_out_and_back(tmp_path: Path, format: str):
    A = tm.convert(M, format)
    path = tmp_path / "A.npz"
    A.save(str(path))
    back = tm.read(path)
    assert back.format == A.format
    assert np.array_equal(back.vals, A.vals)
    assert np.array_equal(back.to_numpy(), M)


def test_other_orders(tmp_path: Path):
    for data in (np.array([0.0, 2, 3]), np.ones((2, 3, 2)), np.array(3.0)):
        path = tmp_path / "t.npz"
        tm.tensor(data).save(str(path))
        assert np.array_equal(tm.read(path).to_numpy(), data)


def test_scipy_reads_what_it_has(tmp_path: Path):
    tm.convert(M, "csr").save(str(tmp_path / "A.npz"))
    assert np.array_equal(sparse.load_npz(tmp_path / "A.npz").toarray(), M)


def members() -> dict[str, Any]:
    return {
        "tamale_format": np.array("(i) -> (i : compressed)"),
        "shape": np.array([3]),
        "level1_pos": np.array([0, 1], np.int32),
        "level1_crd": np.array([2], np.int32),
        "vals": np.array([1.0]),
    }


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"shape": np.array([-3])}, "the shape in"),
        ({"shape": np.array([2])}, "outside of the dimension size 2"),
        ({"shape": np.array([3, 3])}, "do not fit"),
        ({"level1_crd": np.array([2.0])}, "holds float64, expected int32"),
        ({"level1_pos": np.array([0, 9], np.int32)}, "crd has 1 elements, expected 9"),
        ({"more": np.array(1)}, "but a tensor in"),
        ({"tamale_format": np.array("(i) -> (i : unheard)")}, "unknown kind 'unheard'"),
    ],
)
def test_archives_that_lie(tmp_path: Path, changed: dict[str, Any], message: str):
    path = tmp_path / "lie.npz"
    np.savez(path, **{**members(), **changed})
    with pytest.raises(tm.FormatError, match=message):
        tm.read(path)


def test_no_archive(tmp_path: Path):
    path = tmp_path / "A.npz"
    for content in (b"", b"PK\x03\x04broken", b"text"):
        path.write_bytes(content)
        with pytest.raises(tm.FormatError, match="read: "):
            tm.read(path)
    with path.open("wb") as stream:
        np.save(stream, M)
    with pytest.raises(tm.FormatError, match="holds one array"):
        tm.read(path)
