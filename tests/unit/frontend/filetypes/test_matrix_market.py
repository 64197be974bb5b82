"""Matrix Market files as all kinds of programs write them, and as none should."""

from collections.abc import Mapping
from pathlib import Path

import pytest

import tamale as tm
from tamale.frontend.filetypes.streams import PORTION

BANNER = "%%MatrixMarket matrix coordinate real general\n"
ENTRIES = "2 3 2\n1 1 4.5\n2 3 -2\n"
EXPECTED = [[4.5, 0, 0], [0, 0, -2]]

ODD: Mapping[str, str] = {
    "capitals": BANNER.upper() + ENTRIES,
    "small": BANNER.lower() + ENTRIES,
    "mark": "\ufeff" + BANNER + ENTRIES,
    "windows": (BANNER + ENTRIES).replace("\n", "\r\n"),
    "tabs": (BANNER + ENTRIES).replace(" ", "\t"),
    "blanks": BANNER + ENTRIES.replace("\n", "  \n\n \t\n"),
    "indented": BANNER + ENTRIES.replace("\n", "\n   "),
    "comments": BANNER + ENTRIES.replace("\n", "\n% 1,5 in between\n"),
    "behind": BANNER + ENTRIES.replace("\n", " % 1,5 behind\n"),
    "signs": BANNER + "2 3 2\n+1 +1 +4.5\n2 3\t-2\n",
    "no last line": (BANNER + ENTRIES).rstrip(),
    "words": BANNER + "2 3 2\n1 1 4.5 kg\n2 3 -2 kg\n",
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_files(kind: str, tmp_path: Path):
    path = tmp_path / "a.mtx"
    path.write_bytes(ODD[kind].encode())
    assert tm.read(path).to_numpy().tolist() == EXPECTED


def test_whatever_lies_across_portions(tmp_path: Path):
    """Comments, numbers and the header do not care where a portion ends."""
    path, comment = tmp_path / "a.mtx", "% " + "1,5 " * 25 + "\n"
    for before in (PORTION - 60, PORTION - 20, PORTION + 5):
        padding = comment * (before // len(comment))
        path.write_text(f"{BANNER}{padding}2 3 2\n{padding}1 1 4.5D+0\n{padding}2 3 -2\n")
        assert tm.read(path).to_numpy().tolist() == EXPECTED


WRONG: Mapping[str, tuple[str, str]] = {
    "nul": ("1 1 4\0\n", "line 4: there is a NUL character"),
    "comma": ("2 2 1,5\n", "line 4: '1,5' is no number"),
    "hexadecimal": ("2 2 0x1p3\n", "line 4: '0x1p3' is no number"),
    "glued": ("4\u00a02 7\n", "line 4: '4.xc2.xa02' is no number"),
    "word": ("2 x 7\n", "line 4: Invalid integer value, in '2 x 7'"),
    "outside": ("4 2 7\n", "line 4: Row index out of bounds, in '4 2 7'"),
    "too many": ("1 1 1\n" * 3, "line 6: Too many lines in file"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_the_line_of_what_is_wrong(kind: str, tmp_path: Path):
    entries, message = WRONG[kind]
    path = tmp_path / "a.mtx"
    path.write_bytes(f"{BANNER}% sizes\n2 3 2\n{entries}".encode())
    with pytest.raises(tm.FormatError, match=message):
        tm.read(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("matrix coordinate integer general\n2 2 1\n1 1 4.5\n", "line 3: '4.5' is no integer"),
        ("matrix coordinate integer general\n2 2 1\n1 1 1e3\n", "line 3: '1e3' is no integer"),
        ("matrix coordinate integer general\n1 1 1\n1 1 1" + "0" * 20, "line 3: Integer out of"),
        ("matrix coordinate real symmetric\n2 3 1\n2 1 4\n", "line 2: .*symmetric has as many"),
        ("vector coordinate real general\n3 1\n1 4\n", "line 1: a vector is not read"),
    ],
)
def test_what_the_banner_forbids(text: str, message: str, tmp_path: Path):
    path = tmp_path / "a.mtx"
    path.write_text(f"%%MatrixMarket {text}")
    with pytest.raises(tm.FormatError, match=message):
        tm.read(path)


def test_integers_with_a_point(tmp_path: Path):
    path = tmp_path / "a.mtx"
    path.write_text("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 4.0\n")
    assert tm.read(path).vals.tolist() == [4]
