"""Sorting lists of coordinates: by no more keys than decide."""

import pytest

from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.notation import parse_format
from tamale.passes.lowering.sorting import sort_keys


@pytest.mark.parametrize(
    "format, keys",
    [
        ("coo", [0, 1]),
        ("hicoo(4)", [0, 1, 2, 3]),
        ("(i, j) -> (i * 64 + j % 64 : compressed, j / 64 : singleton, j : singleton)", [0, 1]),
        ("(i, j) -> (j - i : compressed, i : singleton, j : singleton)", [0, 1]),
        ("(i, j) -> (i / 2 : compressed, i : singleton, j : singleton)", [0, 1, 2]),
        ("(i, j) -> (#i : compressed, i : singleton, j : singleton)", [0, 1, 2]),
        ("(i, j) -> (i : compressed, i / 2 : singleton, j : singleton)", [0, 2]),
    ],
)
def test_levels_that_follow_from_those_above_are_no_keys(format: str, keys: list[int]):
    spec = parse_format(format) if "->" in format else resolve_format(format, 2)
    assert sort_keys([level.expression for level in spec.levels]) == keys
