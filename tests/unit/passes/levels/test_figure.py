"""Hand-made arrays of one matrix: read as they are meant, checked, and measured."""

from __future__ import annotations

import pytest
from figure import FIGURE, check, entries_of, walk

from tamale.dialects.errors import FormatError
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.notation import parse_format
from tamale.passes.levels import array_width, first_unappendable, is_padded


@pytest.mark.parametrize("name", FIGURE)
def test_right_arrays(name: str):
    stored = FIGURE[name]
    check(name, stored.levels)
    assert entries_of(stored) == stored.entries


@pytest.mark.parametrize("name", FIGURE)
def test_lengths(name: str):
    """The arrays before an array, and the number of parents, tell how long it is."""
    stored, positions = FIGURE[name], 1
    for kind, level, parents in walk(resolve_format(name, 2), stored.levels):
        assert parents == positions
        for array in kind.arrays:
            assert kind.length(level, array, parents) == len(level.arrays[array])
        positions = kind.count(level, parents)
    assert positions == len(stored.values)


def test_positions_between_bounds_hold_entries():
    """Of DIA's places, those outside of the matrix are not found."""
    (*_, (kind, level, parents), _) = walk(resolve_format("dia"), FIGURE["dia"].levels)
    found = kind.found(level, parents)
    assert found is not None
    assert found.reshape(3, 4).tolist() == [
        [False, False, True, True],
        [True, True, True, True],
        [True, True, True, True],
    ]


WRONG = [
    ("csr", 1, "pos", [0, 2, 4, 7], "pos has 4 elements, expected 5"),
    ("csr", 1, "crd", [0, 1, 1, 2, 0, 2, 3, 1, 6], "crd[8] is 6, outside of the dimension size 6"),
    ("coo", 1, "crd", [0] * 8, "crd has 8 elements, expected 9"),
    ("dia", 0, "size", [-1], "size[0] is -1, expected 0 to 9"),
    ("dia", 0, "size", [10], "size[0] is 10, expected 0 to 9"),
    ("dia", 0, "size", [3, 3], "size has 2 elements, expected 1"),
    ("dia", 0, "size", [2], "perm has 3 elements, expected 2"),
    ("dia", 0, "perm", [-4, 0, 1], "perm[0] is -4, outside of the coordinates -3 to 5"),
    ("dia", 0, "perm", [0, 0, 1], "ordered and unique, but perm[0] is 0 and perm[1] is 0"),
    ("ell", 0, "size", [7], "size[0] is 7, expected 0 to 6"),
    ("jad", 1, "pos", [0, 3, 7, 9], "slot 1 has 4 rows and slot 0 only 3"),
    ("jad", 1, "pos", [0, 5, 8, 9], "room for 5 coordinates, but only 4 are possible"),
    ("jad", 1, "perm", [2, 0, 2, 3], "perm[0] and perm[2] are both 2"),
    ("jad", 1, "perm", [2, 0, 1], "perm has 3 elements, expected 4"),
    ("jad", 1, "perm", [4, 0, 1, 2], "perm[0] is 4, outside of the dimension size 4"),
    ("sell(2)", 1, "pos", [0, 7, 9], "pos[0] to pos[1] make room for 7 coordinates, but only 6"),
    ("skyline", 1, "pos", [0, 2, 3, 5, 8], "make room for 2 coordinates, but only 1 are possible"),
    ("skyline", 1, "pos", [0, 1, 2, 5, 4], "pos falls from 5 to 4 at pos[4]"),
    ("skyline", 1, "pos", [1, 1, 2, 5, 8], "pos[0] is 1, expected 0"),
    ("bitmap", 1, "present", [1] * 23 + [2], "present[23] is 2, expected 0 or 1"),
    ("bitmap", 1, "present", [1] * 23, "present has 23 elements, expected 24"),
]  # fmt: skip


@pytest.mark.parametrize("name, k, array, values, message", WRONG)
def test_wrong_arrays(name: str, k: int, array: str, values: list[int], message: str):
    levels = [dict(arrays) for arrays in FIGURE[name].levels]
    levels[k][array] = values
    with pytest.raises(FormatError) as error:
        check(name, levels)
    assert message in str(error.value)
    assert str(error.value).startswith(f"level {k + 1}: ")


def test_a_band_ends_where_the_level_ends():
    """In a tall skyline matrix, rows below the last column end at it."""
    (_, (kind, level, parents)) = walk(
        resolve_format("skyline"), [{}, {"pos": [0, 1, 1, 3, 4]}], (4, 2)
    )
    kind.check(level, parents)
    rows, columns = kind.coordinates(level, parents)
    assert (rows.tolist(), columns.tolist()) == ([0, 2, 2, 3], [0, 0, 1, 1])


EMPTY: list[tuple[str, list[dict[str, list[int]]], tuple[int, int]]] = [
    ("csr", [{}, {"pos": [0, 0, 0, 0], "crd": []}], (3, 0)),
    ("dia", [{"size": [0], "perm": []}, {}, {}], (0, 3)),
    ("ell", [{"size": [0]}, {}, {"crd": []}], (3, 0)),
    ("jad", [{"size": [0]}, {"pos": [0], "perm": [0, 1, 2]}, {"crd": []}], (3, 0)),
    ("sell(2)", [{}, {"pos": [0]}, {}, {"crd": []}], (0, 3)),
    ("skyline", [{}, {"pos": [0, 0, 0, 0]}], (3, 0)),
    ("dok", [{"pos": [0, 0], "crd": []}, {"pos": [0], "crd": []}], (3, 0)),
    ("bitmap", [{}, {"present": []}], (0, 3)),
]


@pytest.mark.parametrize("name, levels, shape", EMPTY)
def test_matrices_without_elements(
    name: str, levels: list[dict[str, list[int]]], shape: tuple[int, int]
):
    check(name, levels, shape)
    *_, (kind, level, parents) = walk(resolve_format(name), levels, shape)
    assert kind.count(level, parents) == 0
    assert [len(column) for column in kind.coordinates(level, parents)] == [0, 0]


# What follows from a format's kinds


@pytest.mark.parametrize(
    "text, padded",
    [
        ("dense", True),
        ("csr", False),
        ("coo", False),
        ("bcsr(2, 2)", True),
        ("dia", True),
        ("ell", True),
        ("jad", False),
        ("sell(2)", True),
        ("skyline", True),
        ("dok", False),
        ("bitmap", False),
        ("hicoo(4)", False),
        ("(i, j) -> (i : dense, j : singleton)", True),
    ],
)
def test_padding(text: str, padded: bool):
    assert is_padded(resolve_format(text, 2)) is padded


@pytest.mark.parametrize(
    "text, k, array, width",
    [
        ("csr", 1, "pos", "i64"),
        ("csr", 1, "crd", "i32"),
        ("dia", 0, "size", "i64"),
        ("dia", 0, "perm", "i32"),
        ("jad", 1, "pos", "i64"),
        ("bitmap", 1, "present", "i32"),
    ],
)
def test_widths(text: str, k: int, array: str, width: str):
    """Edges and counts are as wide as positions, all else as coordinates."""
    assert array_width(resolve_format(f"{text}, pos = i64"), k, array) == width


def test_only_some_kinds_are_appended_to():
    assert first_unappendable(resolve_format("csr")) is None
    assert first_unappendable(resolve_format("skyline")) == 1
    assert first_unappendable(resolve_format("dia")) == 0


@pytest.mark.parametrize(
    "line, message",
    [
        ("(i, j) -> (j - i : squeezed, i : dense, j : offset)", "which only a 'range' right above"),
        ("(i) -> (i : offset)", "which only a 'range' right above"),
        ("(i, j) -> (i : range, j : offset)", "the levels above do not determine its coordinate"),
        ("(i) -> (i : banded)", "ends at the coordinate of the level above, but there is none"),
        ("(i, j) -> (#j : sliced, i : jagged, j : singleton)", "it must be the second level"),
        ("(i, j) -> (i : jagged, j : singleton)", "such as '#i : sliced' above 'i : jagged'"),
    ],
)
def test_levels_that_make_no_sense(line: str, message: str):
    with pytest.raises(FormatError) as error:
        parse_format(line)
    assert message in str(error.value)
