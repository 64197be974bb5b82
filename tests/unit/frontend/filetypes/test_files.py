"""Matrix Market, Harwell-Boeing and Binsparse files, and what reading any file promises."""

import json
import os
import re
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamale as tm
from tamale.frontend.filetypes import binsparse_files

binsparse: Any = import_module("binsparse")
h5py: Any = import_module("h5py")
scipy_io: Any = import_module("scipy.io")
scipy_sparse: Any = import_module("scipy.sparse")

M = np.array([[0, 2.0, 0, 0], [1, 0, 0, 3], [0, 0, 0, 0], [0, 4, 5, 6]])
BANNER = "%%MatrixMarket matrix coordinate"


ENDINGS = ("mtx", "mtx.gz", "tns", "tns.gz", "rb", "hb", "npy", "npz", "bsp.npz", "bsp.h5")
CAPITALS = ("MTX", "Mtx.GZ", "NPY", "NPZ", "BSP.NPZ")


@pytest.mark.parametrize("name", [f"a.{ending}" for ending in (*ENDINGS, *CAPITALS)])
def test_every_extension_out_and_back(name: str, tmp_path: Path):
    path = tmp_path / name
    tm.tensor(M, "csr").save(str(path))
    assert tm.read(path).equals(M)
    assert tm.read(path, "dia").equals(M)


@pytest.mark.parametrize(
    ("field", "lines", "expected"),
    [
        ("real general", "2 2 2\n1 1 1.5\n2 1 2", [[1.5, 0], [2, 0]]),
        ("integer symmetric", "2 2 2\n1 1 1\n2 1 2", [[1, 2], [2, 0]]),
        ("pattern symmetric", "2 2 1\n2 1", [[0, 1], [1, 0]]),
        ("real skew-symmetric", "2 2 1\n2 1 3", [[0, -3], [3, 0]]),
        ("complex hermitian", "2 2 2\n1 1 1 0\n2 1 0 2", [[1, -2j], [2j, 0]]),
        ("real general", "2 2 3\n1 1 1\n1 1 2\n2 2 0", [[3, 0], [0, 0]]),
        ("real general", "0 3 0", np.zeros((0, 3))),
    ],
)
def test_matrix_market(field: str, lines: str, expected: Any, tmp_path: Path):
    path = tmp_path / "a.mtx"
    path.write_text(f"{BANNER} {field}\n{lines}\n")
    A = tm.read(path).check()
    assert A.shape == np.shape(expected)
    assert np.array_equal(A.to_numpy(), expected)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{BANNER} real general\n2 2 1\n3 1 1.0\n", "line 3"),
        (f"{BANNER} real general\n2 2 1\n1 x 1.0\n", "line 3"),
        (f"{BANNER} real general\n2 2\n", "line 2"),
        ("%%MatrixMarket matrix\n", "line 1"),
        ("", "line 1"),
    ],
)
def test_matrix_market_errors_have_the_line(text: str, message: str, tmp_path: Path):
    path = tmp_path / "a.mtx"
    path.write_text(text)
    with pytest.raises(tm.FormatError, match=message):
        tm.read(path)


def test_progress_of_matrix_market(tmp_path: Path):
    path, parts = tmp_path / "a.mtx", list[float]()
    tm.tensor(M).save(str(path))
    assert tm.read(path, progress=parts.append).equals(M)
    assert parts[-1] == 1.0


def harwell_boeing(path: Path, kind: str) -> None:
    """The lower triangle of a matrix, as a file of some type."""
    lower = scipy_sparse.csc_array(np.tril(M))
    with path.open("w") as stream:
        scipy_io.hb_write(stream, lower)
    lines = path.read_text().split("\n")
    lines[2] = kind + lines[2][3:]
    path.write_text("\n".join(lines))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("RUA", np.tril(M)),
        ("RSA", np.tril(M) + np.tril(M, -1).T),
        ("RZA", np.tril(M) - np.tril(M, -1).T),
    ],
)
def test_harwell_boeing_is_expanded(kind: str, expected: Any, tmp_path: Path):
    harwell_boeing(tmp_path / "a.rb", kind)
    assert np.array_equal(tm.read(tmp_path / "a.rb").check().to_numpy(), expected)


def test_harwell_boeing_as_fortran_writes_it(tmp_path: Path):
    path = tmp_path / "a.rb"
    harwell_boeing(path, "rua")
    title, *lines = path.read_text().split("\n")
    path.write_text("\n".join([title, *(line.replace("E", "D") for line in lines)]))
    assert "D+00" in path.read_text()
    assert np.array_equal(tm.read(path).to_numpy(), np.tril(M))


@pytest.mark.parametrize("kind", ["RUE", "PUA", "XYZ"])
def test_harwell_boeing_that_is_not_read(kind: str, tmp_path: Path):
    harwell_boeing(tmp_path / "a.rb", kind)
    with pytest.raises(tm.FormatError, match=f"line 3: .*{kind}"):
        tm.read(tmp_path / "a.rb")
    (tmp_path / "b.rb").write_text("one line")
    with pytest.raises(tm.FormatError, match="line 3"):
        tm.read(tmp_path / "b.rb")
    with pytest.raises(tm.FormatError, match="Harwell-Boeing holds matrices of real numbers"):
        tm.tensor(M * 1j).save(str(tmp_path / "c.rb"))


@pytest.mark.parametrize("format", ["csr", "csc", "dcsr", "coo", "dense"])
@pytest.mark.parametrize("ending", ["npz", "h5"])
def test_binsparse_files_and_the_reference_implementation(
    format: str, ending: str, tmp_path: Path
):
    A = tm.tensor(M, format)
    ours, theirs = tmp_path / f"a.bsp.{ending}", tmp_path / f"b.{ending}"
    A.save(str(ours))
    assert tm.read(ours) == A
    found = binsparse.load_binsparse(ours)
    assert found.values.tolist() == A.vals.tolist()
    binsparse.save_binsparse(found, theirs)
    assert tm.read(theirs.rename(tmp_path / f"b.bsp.{ending}")) == A


def test_binsparse_structure_in_a_file(tmp_path: Path):
    path = tmp_path / "a.npz"
    tm.tensor(np.tril(M), "csr").save(str(tmp_path / "a.bsp.npz"))
    members = dict(np.load(tmp_path / "a.bsp.npz"))
    header = json.loads(str(members["binsparse"]))
    header["binsparse"]["structure"] = "symmetric_lower"
    members["binsparse"] = np.array(json.dumps(header))
    np.savez(path, allow_pickle=False, **members)
    assert tm.read(path).equals(np.tril(M) + np.tril(M, -1).T)


@pytest.mark.parametrize("text", ["", "[]", "{", "{}", '{"binsparse": 3}', "[" * 100_000])
def test_binsparse_descriptors_that_cannot_be_read(text: str, tmp_path: Path):
    np.savez(tmp_path / "a.npz", binsparse=np.array(text), values=np.ones(1))
    with h5py.File(tmp_path / "a.bsp.h5", "w") as file:
        file.attrs["binsparse"] = text[:1000]
    for name in ("a.npz", "a.bsp.h5"):
        with pytest.raises(tm.FormatError, match="binsparse"):
            tm.read(tmp_path / name)


def test_hdf5_without_a_tensor(tmp_path: Path):
    with h5py.File(tmp_path / "a.bsp.h5", "w") as file:
        file["x"] = np.ones(3)
    with pytest.raises(tm.FormatError, match="there is no attribute 'binsparse'"):
        tm.read(tmp_path / "a.bsp.h5")


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("import time; time.sleep(60)", "HDF5 does not get through it"),
        ("import os; os.abort()", "HDF5 crashes on it"),
        ("raise SystemExit('no luck')", "cannot be read: no luck"),
    ],
)
def test_hdf5_is_read_by_another_process(
    program: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path, child = tmp_path / "a.bsp.h5", tmp_path / "hdf5_child.py"
    path.write_bytes(b"")
    child.write_text(program)
    monkeypatch.setattr(binsparse_files, "__file__", str(tmp_path / "here.py"))
    monkeypatch.setattr(binsparse_files, "LEAST_SECONDS", 3)
    with pytest.raises(tm.FormatError, match=message):
        tm.read(path)


def test_reading_hdf5_ends_though_nobody_waits_for_it(tmp_path: Path):
    (tmp_path / "h5py.py").write_text("def File(*_):\n    while True:\n        pass\n")
    child = Path(binsparse_files.__file__).with_name("hdf5_child.py")
    command = [sys.executable, "-P", str(child), "a.h5", "a.npz", "1"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    assert subprocess.run(command, env=environment, timeout=60).returncode == -signal.SIGKILL


def test_hdf5_without_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(tm.FormatError, match="HDF5 needs the package h5py"):
        tm.tensor(M, "csr").save(str(tmp_path / "a.bsp.h5"))


@pytest.mark.parametrize(
    ("name", "message"),
    [("a.txt", "'a.txt' has an unknown extension"), ("b.mtx", "there is no file")],
)
def test_what_is_no_file_of_ours(name: str, message: str, tmp_path: Path):
    (tmp_path / "a.txt").write_text("")
    with pytest.raises(tm.FormatError, match=re.escape(message)):
        tm.read(tmp_path / name)


def test_more_than_fits_into_memory(tmp_path: Path):
    path = tmp_path / "a.mtx"
    path.write_text(f"{BANNER} real general\n1 1 {1 << 60}\n1 1 1\n")
    with pytest.raises(tm.FormatError, match="memory|cannot be read|too big"):
        tm.read(path)
    path.write_text(f"%%MatrixMarket matrix array real general\n{1 << 40} {1 << 20}\n1\n")
    with pytest.raises(tm.FormatError, match="memory|cannot be read|too big"):
        tm.read(path)


def test_objects_in_archives_are_not_loaded(tmp_path: Path):
    path = tmp_path / "a.npz"
    np.savez(path, tamale_format=np.array([print], dtype=object), allow_pickle=True)
    with pytest.raises(tm.FormatError, match="cannot be read: Object arrays cannot be loaded"):
        tm.read(path)


@pytest.mark.parametrize("before", ["", "% made in 1990 by D. Dodd\n" * 3, "%d\n\n" * 400_000])
def test_exponents_as_fortran_writes_them(before: str, tmp_path: Path):
    path = tmp_path / "A.mtx"
    rows = "1 1 2.5D+01\n2 1 -1d-2\n2 2 3e1\n"
    path.write_text(f"%%MatrixMarket matrix coordinate real general\n{before}2 2 3\n{rows}")
    assert tm.read(path).to_numpy().tolist() == [[25, 0], [-0.01, 30]]
