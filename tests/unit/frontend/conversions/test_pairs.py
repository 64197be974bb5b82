"""Every named format to every other, through generated code, on matrices of every kind."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from conversion_batches import compile_conversions
from entry_lists import EntryList, unlike

from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.spec import Format
from tamale.frontend.converting import Conversion
from tamale.frontend.tensor import Tensor
from tamale.passes.conversion.plan import plan_conversion

FORMATS = (
    "dense",
    "dense(1, 0)",
    "coo",
    "coo(1, 0)",
    "ucoo",
    "(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))",
    "csr",
    "csc",
    "dcsr",
    "dcsc",
    "dia",
    "ell",
    "jad",
    "sell(2)",
    "bcsr(2, 3)",
    "bcsc(3, 2)",
    "skyline",
    "dok",
    "bitmap",
    "hicoo(2)",
    "(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonunique, nonordered))",
)
ANY = FORMATS[-1]
UNORDERED = {ANY, "ucoo", "ell", "jad", "sell(2)", "dok"}
"""Their arrays depend on the order in which entries arrive."""


@cache
def formats() -> dict[str, Format]:
    return {name: resolve_format(name, 2) for name in FORMATS}


def entries(label: str, text: str, last: str = "") -> EntryList:
    """
    A matrix drawn as rows of values, `.` for none; entries of `last`, "row column value; ...", come
    after the others, in front of which the order is reversed.
    """
    rows = [row.split() for row in text.strip().splitlines()]
    shape = len(rows), len(rows[0])
    drawn = [(i, j, float(x)) for i, row in enumerate(rows) for j, x in enumerate(row) if x != "."]
    more = [tuple(map(float, entry.split())) for entry in last.split(";") if entry]
    table = np.array([*reversed(drawn), *more], dtype=np.float64).reshape(-1, 3)
    return EntryList(label, shape, table[:, :2].astype(np.int64), table[:, 2].copy())


def nothing(*shape: int) -> EntryList:
    return EntryList(f"nothing in {shape}", shape, np.zeros((0, 2), np.int64), np.zeros(0))


MATRICES = (
    entries("the paper's", "5 1 . . . .\n. 7 3 . . .\n8 . 2 4 . .\n. 6 . . 9 ."),
    entries("tall, empty rows", "1 . 2\n. . .\n3 . .\n. . 4\n. . .\n5 . 6\n7 . ."),
    entries("wide, empty columns", ". . 1 . . . . 2 .\n3 . . . . . . . 4"),
    entries("negative diagonals", ". . . .\n. . . .\n1 . . .\n. 2 . .\n3 . 4 ."),
    entries("one entry", ". . .\n. . .\n. 3 ."),
    entries("explicit zeros", "0 . .\n. 5 .\n2 0 0"),
    entries("not numbers", "nan . .\n-inf inf .\n. . nan"),
    entries("full", "1 2 3\n4 5 6\n7 8 9"),
    entries(
        "duplicates", "1 . .\n. 2 .\n3 4 .\n. . .\n. . 5", "0 0 3;2 1 1;2 1 1;2 0 -3;4 0 7;4 2 2"
    ),
    nothing(3, 4),
    nothing(0, 4),
    nothing(4, 0),
    nothing(0, 0),
)


def input_of(matrix: EntryList, *names: str) -> EntryList:
    """What of a matrix both formats can hold."""
    return matrix.lower if "skyline" in names else matrix


@pytest.mark.parametrize("source", FORMATS)
def test_from(source: str, tmp_path: Path, stored: Callable[..., Tensor]):
    pairs = [(ANY, source), *((source, target) for target in FORMATS)]
    known = formats()
    into, *conversions = compile_conversions([(known[a], known[b]) for a, b in pairs], tmp_path)
    shared = shared_conversions(source, tmp_path)
    for matrix in MATRICES:
        for target, conversion in zip(FORMATS, conversions, strict=True):
            chosen = input_of(matrix, source, target)
            given = chosen.as_list() if source == ANY else into(chosen.as_list())
            problem = unlike(given, chosen.as_list(), chosen.dense)
            assert not problem, f"{matrix.label} to {source}: {problem}"
            result = conversion(given)
            problem = unlike(result, given, chosen.dense)
            assert not problem, f"{matrix.label}, {source} to {target}: {problem}"
            if target in shared:
                same_bits(result, shared[target](given))
            if plain(matrix) and target not in UNORDERED:
                same_arrays(result, stored(chosen.dense, target))


def shared_conversions(source: str, folder: Path) -> dict[str, Conversion]:
    """
    A third of the conversions of which workers share a loop over entries, each target as often: to
    compile them all would take minutes.
    """
    first = FORMATS.index(source) % 3
    pairs = {target: (formats()[source], formats()[target]) for target in FORMATS[first::3]}
    several = {
        target: pair for target, pair in pairs.items() if plan_conversion(*pair, 2).workers > 1
    }
    teams = [(2, 3, 7)[FORMATS.index(t) % 3] for t in several]
    conversions = compile_conversions(
        list(several.values()), folder, threads=teams, name="shared.so"
    )
    return dict(zip(several, conversions, strict=True))


def same_bits(result: Tensor, shared: Tensor) -> None:
    """Whatever is in memory is the same, padding and the bits of NaN included."""
    for level, other in zip(result.levels, shared.levels, strict=True):
        for name, array in level.items():
            assert array.tobytes() == other[name].tobytes(), name
    assert result.vals.tobytes() == shared.vals.tobytes()


def plain(matrix: EntryList) -> bool:
    """Whether a matrix's arrays follow from its values: no duplicates, no zeros."""
    return matrix.label not in ("duplicates", "explicit zeros")


def same_arrays(result: Tensor, expected: Tensor) -> None:
    """
    The arrays are those of a tensor made by brute force; so a round trip changes nothing.
    """
    for level, wanted in zip(result.levels, expected.levels, strict=True):
        for name, array in wanted.items():
            assert np.array_equal(level[name], array), name
    assert np.array_equal(result.vals, expected.vals, equal_nan=True)
