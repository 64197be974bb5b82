"""The demonstration of `make run`."""

import sys
from pathlib import Path

import numpy as np
import pytest

from tamale.dialects.errors import TamaleError
from tamale.tools import demo

Capture = pytest.CaptureFixture[str]


def test_it_runs(capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    pytest.importorskip("pyamg")
    monkeypatch.setenv("TAMALE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(demo, "CALLS", 2)
    assert demo.main() == 0
    text = capsys.readouterr().out
    headings = [line[3:] for line in text.splitlines() if line.startswith("== ")]
    assert [heading.split(":")[0] for heading in headings[1:]] == (
        ["tin", "cin", "ocin", "cfir", "C++", "explain", "run", "conversion", "conversion"]
    )
    assert "tensor<?x?xf64, #A>" in text
    assert "y = A x agrees with SciPy" in text
    assert "A in dia agrees with SciPy" in text
    assert "A in ell agrees with SciPy" in text


def test_without_pyamg(capsys: Capture, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pyamg.gallery", None)
    assert demo.main() == 1
    error = capsys.readouterr().err
    assert error.startswith("demo: error: the matrices come from PyAMG")
    assert "help: pip install 'tamale[examples]'" in error


@pytest.mark.parametrize("found", [[1.0, 2.1], [1.0, np.nan]])
def test_a_wrong_result_stops_it(found: list[float]):
    with pytest.raises(TamaleError, match="y differs from SciPy"):
        demo.compare("y", np.array(found), np.array([1.0, 2.0]))


def test_long_stages_are_cut(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(demo, "MOST_LINES", 1)
    assert demo.cut_text("a\nb\nc\n") == "a\n... 2 more lines"
    assert demo.cut_text("a\n") == "a"
