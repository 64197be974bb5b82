"""`tamale compile` and `convert` say where the time went."""

import json
from pathlib import Path

import numpy as np
import pytest

import tamale as tm
from tamale.tools.tamale import main

SPMV = ["y(i) = A(i,j) * x(j)", "-f", "A=csr"]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A folder and a cache without kernels."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TAMALE_CACHE_DIR", str(tmp_path / "cache"))


def booked(words: list[str], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What `tamale WORDS` booked time on, in the table; the times for programs are the same."""
    assert main([*words, "--timing", "--timing-json", "times.json"]) == 0
    table = [line.split(maxsplit=2) for line in capsys.readouterr().err.splitlines()]
    assert table[0] == ["ms", "%", "what"]
    times = json.loads(Path("times.json").read_text())
    assert [row["name"] for row in times] == [row[2] for row in table[1:]]
    assert times[-1]["seconds"] == pytest.approx(sum(row["seconds"] for row in times[:-1]))
    return [row[2] for row in table[1:]]


def test_a_stage_takes_the_passes_before_it(capsys: pytest.CaptureFixture[str]):
    names = booked(["compile", *SPMV, "--emit", "ocin"], capsys)
    assert names.index("concretize") < names.index("iterate-locate")
    assert names[-2:] == ["rest of compiling", "total"]
    assert not {"build-lattices", "print C++", "C++ compiler"} & set(names)


def test_a_library_takes_the_compiler_too(capsys: pytest.CaptureFixture[str]):
    names = booked(["compile", *SPMV, "--emit", "so", "-o", "spmv.so"], capsys)
    order = [names.index(name) for name in ("lower-levels", "print C++", "C++ compiler", "total")]
    assert order == sorted(order)


def test_a_conversion_of_formats(capsys: pytest.CaptureFixture[str]):
    pair = "dcsc:bcsr(5, 4)"  # No other test has made the code.
    names = booked(["compile", "--convert", pair], capsys)
    order = [names.index(name) for name in ("plan-conversion", "lower-assembly", "print C++")]
    assert order == sorted(order)


def test_a_conversion_of_a_file(capsys: pytest.CaptureFixture[str]):
    tm.tensor(np.eye(3), "coo").save("A.mtx")
    format = "(i, j) -> (j + 5 : compressed, i : compressed)"  # No other test has made the code.
    names = booked(["convert", "A.mtx", "B.npz", "--to", format], capsys)
    for name in ("read", "lower-assembly", "C++ compiler", "conversions", "check", "write"):
        assert name in names


def test_times_that_cannot_be_written(capsys: pytest.CaptureFixture[str]):
    assert main(["compile", *SPMV, "--timing-json", "missing/times.json"]) == 1
    assert "'missing/times.json' cannot be written: No such file" in capsys.readouterr().err
