"""`tamale convert`, and conversions in `compile`, `explain` and `formats --draw`."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import tamale as tm
from tamale.dialects.errors import FormatError, KernelError, TamaleError
from tamale.tools.cli import convert
from tamale.tools.cli.pair import split_pair
from tamale.tools.tamale import main

DIA_LINE = "(i, j) -> (j - i : squeezed, i : range, j : offset)"
MATRIX = np.array([[5.0, 1, 0, 0], [0, 7, 3, 0], [8, 0, 2, 4]])

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def matrix(tmp_path: Path) -> str:
    path = tmp_path / "A.mtx"
    tm.tensor(MATRIX, "csr").save(str(path))
    return str(path)


def output(capsys: Capture, *args: str) -> str:
    assert main(args) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def error(capsys: Capture, *args: str) -> str:
    assert main(args) == 1
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return captured.err


def test_a_made_up_line_goes_to_a_file_and_back(capsys: Capture, matrix: str, tmp_path: Path):
    out = str(tmp_path / "A.npz")
    text = output(capsys, "convert", matrix, out, "--to", DIA_LINE, "--explain", "--time", "2")
    first, *_, last = text.splitlines()
    assert first.startswith("convert coo to dia: directly")
    assert last.startswith("3 x 4, float64, 7 entries: coo to dia, 9 values; median ")
    assert "of 2 conversions" in last
    assert last.endswith("; checked entry by entry: ok")
    stored = tm.read(out)
    assert str(stored.format) == DIA_LINE
    assert np.array_equal(stored.to_numpy(), MATRIX)


def test_threads(capsys: Capture, matrix: str):
    text = output(capsys, "convert", matrix, "--to", "csr", "--explain", "--threads", "2")
    assert "2 workers share the loops over the entries" in text
    assert text.endswith("; checked entry by entry: ok\n")
    text = output(capsys, "compile", "--convert", "csr:csc", "--threads", "3", "--emit", "assembly")
    assert "partitioned into 3" in text
    mixed = ("Z(i,j) = A(i,j) * B(i,j)", "-f", "A=dcsr", "-f", "B=dcsc")
    text = output(capsys, "explain", *mixed, "--threads", "2")
    assert "    2 workers share the loops over the entries" in text


def test_from_and_dtype(capsys: Capture, matrix: str):
    text = output(capsys, "convert", matrix, "--to", "ell", "--from", "csc", "--dtype", "float32")
    assert text.startswith("3 x 4, float32, 7 entries: csc to ell, 9 values; ")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--to", "skyline"], "cannot be stored as skyline: level 'j : banded' holds entries on"),
        (["--to", "cst"], "no format is called 'cst'"),
        (["--to", "(i, j) -> (i : dense, k : dense)"], "k"),
        (["--to", "(i, j, k) -> (i : dense, j : dense, k : dense)"], "order"),
        (["--to", "csr", "--dtype", "int32"], "convert: '"),
        (["x.foo", "--to", "csr"], "write: 'x.foo' has an unknown extension"),
    ],
)
def test_errors(capsys: Capture, matrix: str, args: list[str], message: str):
    text = error(capsys, "convert", matrix, *args)
    assert text.startswith("tamale: error: ")
    assert message in text


def test_a_changed_entry_is_noticed():
    good = tm.tensor(MATRIX, "csr")
    for vals in (good.vals + 1, np.where(good.vals == 5, 0, good.vals)):
        bad = tm.Tensor(good.format, good.shape, good.levels, vals)
        with pytest.raises(KernelError, match="csr to csr lost or changed entries"):
            convert.check(good, bad)


@pytest.mark.parametrize("dtype", ["float32", "complex128", "int8"])
def test_duplicates_are_checked_as_sums(dtype: str):
    format = tm.Format("(i) -> (i : compressed(nonunique))")
    levels = ({"pos": np.array([0, 3], np.int32), "crd": np.array([0, 2, 2], np.int32)},)
    twice = tm.Tensor(format, (3,), levels, np.array([1, 2, 3], dtype))
    once = tm.convert(twice, "csf")
    convert.check(twice, once)
    assert once.vals.tolist() == [1, 5]


# Conversions instead of statements


@pytest.mark.parametrize(
    ("form", "sign"),
    [("tin", "tin.convert"), ("assembly", "query.select"), ("cin", "max_crd max= width(A(i,j))")]
    + [("cfir", "cfir."), ("mlir", "scf.for"), ("cpp", 'extern "C" int32_t convert(')],
)
def test_compile(capsys: Capture, form: str, sign: str):
    assert sign in output(capsys, "compile", "--convert", "csr:ell", "--emit", form)


def test_explain(capsys: Capture):
    text = output(capsys, "explain", "--convert", f"csr: {DIA_LINE}")
    assert text.startswith("convert csr to dia: directly")
    text = output(capsys, "explain", "--convert", "csf:coo", "--modes", "3")
    assert text.startswith("convert csf to coo")


def test_explain_a_refusal(capsys: Capture):
    text = output(capsys, "explain", "--convert", "(i, j) -> (i * j : compressed):csr")
    assert text.startswith("refused\n")


@pytest.mark.parametrize(
    ("what", "form"), [(["--convert", "csr:ell"], "dot"), (["y(i) = x(i)"], "assembly")]
)
def test_forms_that_are_not_there(capsys: Capture, what: list[str], form: str):
    assert f"has no form '{form}'; it has tin" in error(capsys, "compile", *what, "--emit", form)


@pytest.mark.parametrize("pair", ["csr", "csr:", "csr:ell:dia", "(i : j)"])
def test_no_pair(pair: str):
    with pytest.raises(FormatError, match="expected two formats with ':' in between"):
        split_pair(pair)


def test_lines_keep_their_colons():
    assert split_pair(f"{DIA_LINE} : csr, pos = i64") == (DIA_LINE, "csr, pos = i64")


# Pictures


def test_draw(capsys: Capture, matrix: str, tmp_path: Path):
    assert ElementTree.fromstring(output(capsys, "formats", "--draw", "dia")).tag.endswith("svg")
    target = tmp_path / "A.svg"
    assert output(capsys, "formats", "--draw", "csr", matrix, "-o", str(target)) == ""
    assert "A.mtx: csr" in target.read_text()


def test_drawing_what_is_too_large(capsys: Capture, tmp_path: Path):
    path = tmp_path / "large.npy"
    np.save(path, np.ones((40, 2)))
    text = error(capsys, "formats", "--draw", "csr", str(path))
    assert "draw: the tensor (40 x 2, csr) is too large" in text
    with pytest.raises(TamaleError):
        tm.tensor(3.0).draw()


def test_hybrids_are_split_written_and_read_back(capsys: Capture, matrix: str, tmp_path: Path):
    out = str(tmp_path / "A.npz")
    text = output(capsys, "convert", matrix, out, "--to", "hyb(1)", "--explain", "--from", "csr")
    assert "convert csr to ell, entries with #i < 1" in text
    assert "csr to hyb(1), " in text
    assert text.rstrip().endswith("checked entry by entry: ok")
    assert repr(tm.read(out)).startswith("HybridTensor(3 x 4, hyb(1), float64, nnz=3 + ")
    assert "coo to j < 2 ? csc : coo, " in output(
        capsys, "convert", out, "--to", "j < 2 ? csc : coo"
    )
    assert "  hyb(k) " in output(capsys, "formats")
