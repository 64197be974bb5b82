"""`tamale run --fill`: operands without a file, with random entries at a share of coordinates."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tamale.frontend.files import read
from tamale.tools.tamale import main

COPY = "Z(i,j) = A(i,j)"
SIZES = ("--size", "i=200", "--size", "j=300")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def filled(*flags: str) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """A, as its copy shows it."""
    words = ["run", COPY, "-f", "A=csr", "-f", "Z=csr", *SIZES, *flags, "-o", "Z.npz"]
    assert main(words) == 0
    return read(Path("Z.npz")).check().to_numpy()


@pytest.mark.parametrize("share", ["0.07", ".5", "5e-3"])
def test_a_share_of_the_coordinates_has_entries(share: str):
    found = filled("--fill", f"A={share}")
    count, wanted = np.count_nonzero(found), float(share) * found.size
    assert 0.75 * wanted < count <= wanted
    assert np.unique(found[found != 0]).size == count, "values are random"
    assert np.array_equal(found, filled("--fill", f"A={share}")), "the same without a seed"
    assert not np.array_equal(found, filled("--fill", f"A={share}", "--seed", "1"))


def test_all_or_nothing():
    assert np.count_nonzero(filled("--fill", "A=1")) == 200 * 300
    assert np.count_nonzero(filled("--fill", "A=0")) == 0
    assert np.array_equal(filled(), np.ones((200, 300)))


def test_sizes_whose_product_no_integer_holds(capsys: pytest.CaptureFixture[str]):
    formats = ["-f", "A=coo, crd = i64", "-f", "B=coo, crd = i64", "-f", "Z=coo, crd = i64"]
    sizes = ["--size", f"i={2**40}", "--size", f"j={2**40}", "--fill", "A=1e-23", "--fill", "B=0"]
    assert main(["run", "Z(i,j) = A(i,j) + B(i,j)", *formats, *sizes]) == 0
    assert "nnz 12, " in (said := capsys.readouterr().out)
    assert "not checked: too large for NumPy" in said


def test_a_mode_without_coordinates():
    words = ["-f", "A=csr", "--fill", "A=.1", "--size", "i=0", "--size", "j=3"]
    assert main(["run", "y(i) = A(i,j) * x(j)", *words]) == 0


@pytest.mark.parametrize(
    ("flag", "message"),
    [
        ("A=2", "a share of its coordinates from 0 to 1, in  --fill A=2"),
        ("A", "help: write A=0.01"),
        ("A=nan", "help: write A=0.01"),
        ("B=0.1", "'B' names no operand of  Z(i,j) = A(i,j)"),
    ],
)
def test_flags_that_are_refused(flag: str, message: str, capsys: pytest.CaptureFixture[str]):
    assert main(["run", COPY, *SIZES, "--fill", flag]) == 1
    assert message in capsys.readouterr().err
