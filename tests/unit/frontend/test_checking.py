"""Compiled checks accept and refuse what the checks on NumPy arrays do."""

from typing import Any

import numpy as np
import pytest

import tamale as tm
from tamale.frontend import checking
from tamale.frontend.tensor import Tensor
from tamale.passes.levels.compressed import Compressed

MOST = np.iinfo(np.int64).max


def csr(pos: Any, crd: Any, width: str, kind: str = "compressed") -> Tensor:
    names = {"i32": "int32", "i64": "int64"}
    format = tm.resolve_format(f"(i, j) -> (i : dense, j : {kind}), pos = {width}, crd = {width}")
    arrays = {name: np.array(a, names[width]) for name, a in (("pos", pos), ("crd", crd))}
    return Tensor(format, (len(pos) - 1, 4), [{}, arrays], np.ones(len(crd)))


GOOD: list[tuple[list[int], list[int]]] = [
    ([0, 2, 2, 4], [0, 3, 1, 2]),
    ([0, 0, 0], []),
    ([0, 1], [3]),
]
BAD = [
    ([0, 2, 1, 4], [0, 3, 1, 2], "pos falls"),
    ([1, 2, 2, 4], [0, 3, 1, 2], "expected 0"),
    ([0, 2, 2, 5], [0, 3, 1, 2], "expected 5"),
    ([0, 2, 2, 3], [0, 3, 1, 2], "expected 3"),
    ([0, 2, 2, 4], [0, 4, 1, 2], "is 4, outside"),
    ([0, 2, 2, 4], [-1, 3, 1, 2], "is -1, outside"),
    ([0, 2, 2, 4], [0, 3, 2, 1], "ordered"),
    ([0, 2, 2, 4], [3, 3, 1, 2], "unique"),
]


@pytest.fixture(autouse=True)
def _everything_is_large(monkeypatch: pytest.MonkeyPatch):  # pyright: ignore[reportUnusedFunction]
    monkeypatch.setattr(checking, "LARGE", 0)


@pytest.mark.parametrize("width", ["i32", "i64"])
@pytest.mark.parametrize(("pos", "crd"), GOOD)
def test_good_levels_are_not_looked_at_twice(
    pos: list[int], crd: list[int], width: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delattr(Compressed, "check")
    monkeypatch.setattr(Compressed, "check", None, raising=False)
    csr(pos, crd, width).check()


@pytest.mark.parametrize("width", ["i32", "i64"])
@pytest.mark.parametrize(("pos", "crd", "message"), BAD)
def test_bad_levels_are_refused(pos: list[int], crd: list[int], message: str, width: str):
    with pytest.raises(tm.FormatError, match=message):
        csr(pos, crd, width).check()


def test_sums_that_would_wrap_around():
    with pytest.raises(tm.FormatError, match="outside of"):
        csr([0, 2], [MOST, 0], "i64").check()
    with pytest.raises(tm.FormatError, match="outside of"):
        csr([0, 1], [-MOST - 1], "i64").check()


def test_duplicates_where_they_are_allowed():
    csr([0, 2], [1, 1], "i32", "compressed(nonunique)").check()
    csr([0, 2], [3, 1], "i32", "compressed(nonordered)").check()
    with pytest.raises(tm.FormatError, match="ordered"):
        csr([0, 2], [3, 1], "i32", "compressed(nonunique)").check()
