"""In which width the entries of a format can be counted."""

import pytest

from tamale.dialects.format.named import resolve_format
from tamale.passes.levels.counting import entry_width


@pytest.mark.parametrize(
    "line",
    [
        "csr",
        "coo",
        "csf",
        "jad",
        "skyline",
        "(i, j) -> (i : dense, j : hashed)",
        "(i, j) -> (i : compressed(nonunique), j : singleton), pos = i32, crd = i64",
    ],
)
def test_positions_count_entries(line: str):
    assert entry_width(resolve_format(line, 2)) == "i32"
    assert entry_width(resolve_format(line, 2).with_widths(pos="i64", crd="i32")) == "i64"


@pytest.mark.parametrize(
    "line",
    [
        "dense",
        "bitmap",
        "ell",
        "dia",
        "bcsr(2, 2)",  # The blocks' levels multiply what `pos` holds.
        "(i, j) -> (i : compressed, j : dense)",
    ],
)
def test_positions_do_not_count_entries(line: str):
    assert entry_width(resolve_format(line, 2)) == "i64"
