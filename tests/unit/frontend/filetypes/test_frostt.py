"""`.tns`: plain, with headers, packed; errors with the line."""

import gzip
import re
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import tamale as tm
from tamale.frontend.filetypes import streams

T = np.zeros((2, 3, 4))
T[1, 2, 3], T[0, 1, 2] = 5, 6.5


def wrote(folder: Path, text: str) -> Path:
    path = folder / "t.tns"
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["t.tns", "t.tns.gz"])
@pytest.mark.parametrize("format", ["csf", "coo", "dense"])
def test_out_and_back(format: str, name: str, tmp_path: Path):
    A = tm.tensor(np.pad(T, ((0, 1), (0, 0), (0, 2))), format)
    A.save(str(tmp_path / name))
    B = tm.read(tmp_path / name)
    assert B.shape == (3, 3, 6)  # the sizes come back
    assert A.equals(B)


@pytest.mark.parametrize(
    "text",
    [
        "2 3 4 5\n1 2 3 6.5\n",
        "# by hand\n\n1 2 3 6.5 # an entry\n  2\t3 4 5",
        "3\n2 3 4\n2 3 4 5\n1 2 3 6.5\n",
        "# made by\n3\n\n2 3 4\n1 2 3 6.5\n2 3 4 5\n",
        "1 2 3 6.25\n2 3 4 5\r\n1 2 3 0.25\n",
    ],
)
def test_plain_and_with_headers(text: str, tmp_path: Path):
    assert tm.read(wrote(tmp_path, text)).check().equals(T)


def test_a_header_alone(tmp_path: Path):
    A = tm.read(wrote(tmp_path, "2\n3 4\n"))
    assert (A.shape, A.nnz) == ((3, 4), 0)


def test_vectors(tmp_path: Path):
    assert tm.read(wrote(tmp_path, "3 1.5\n1 2\n")).to_numpy().tolist() == [2, 0, 1.5]


@pytest.mark.parametrize("portion", [1, 7, 1 << 22])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2 3\n\n1 2 3 4\n", "line 3: 4 columns, but 3 in the lines before"),
        ("1 2 3\n# x\n1 2\n1 2 3 4\n", "line 3: 2 columns"),
        ("1 2 3\n1 b 3\n", "line 2: 'b' is no number"),
        ("1 2 3\n0 1 3\n", "line 2: coordinate 0 of mode 1 is no integer from 1"),
        ("1 2 3\n1 1.5 3\n", "line 2: coordinate 1.5 of mode 2"),
        ("1 2 3\n1 nan 3\n", "line 2: coordinate nan of mode 2"),
        ("1 99999999999999999999 3\n", "line 1: coordinate 1e+20 of mode 2"),
        ("5\n6\n", "line 1: a coordinate and a value are expected"),
    ],
)
def test_errors_with_the_line(
    text: str, message: str, portion: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(streams, "PORTION", portion)
    with pytest.raises(tm.FormatError, match=re.escape(message)):
        tm.read(wrote(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no entries, and no header"),
        ("# nothing\n", "has no entries, and no header"),
        ("2\n3 4\n1 2 3 4\n", "has 3 coordinates per line; its header says 2"),
        ("2\n3 4\n1 2 3\n1 5 6\n", "entry 2: coordinate 5 of mode 2 is larger than the size 4"),
    ],
)
def test_files_that_make_no_tensor(text: str, message: str, tmp_path: Path):
    with pytest.raises(tm.FormatError, match=message):
        tm.read(wrote(tmp_path, text))


def test_damaged_packing(tmp_path: Path):
    path = tmp_path / "t.tns.gz"
    path.write_bytes(gzip.compress(b"1 2 3\n" * 100)[:-20])
    with pytest.raises(tm.FormatError, match="cannot be read"):
        tm.read(path)


@pytest.mark.parametrize("value", [1j, 2.0])
def test_what_cannot_be_written(value: complex, tmp_path: Path):
    source = tm.tensor(np.array([value]) if isinstance(value, complex) else value)
    with pytest.raises(tm.FormatError, match=r"write: \.tns holds no"):
        source.save(str(tmp_path / "t.tns"))


def test_progress_and_memory(tmp_path: Path):
    rows = "".join(f"{i + 1} {i % 7 + 1} {i}.5\n" for i in range(300_000))
    path, parts = wrote(tmp_path, rows), list[float]()
    tracemalloc.start()
    A = tm.read(path, progress=parts.append)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert A.nnz == 300_000
    assert parts == sorted(parts)
    assert parts[-1] == 1.0
    assert peak < 20 * len(rows)
