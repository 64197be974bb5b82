"""Formats that nobody has named: each was once converted wrong, or not at all."""

from pathlib import Path

import numpy as np
import pytest
from conversion_batches import compile_conversions
from entry_lists import any_list, random_entries, unlike

from tamale.dialects.format.named import resolve_format

SHAPES = {2: ((7, 5), (4, 9), (1, 1), (0, 3)), 3: ((3, 5, 4), (1, 6, 2))}

CASES = (
    # Slots of a block row: entries of several rows come in turn below a level that is appended to.
    ("csr", "(i, j) -> (i / 4 : compressed, #i : sliced, i % 4 : dense, j : compressed)"),
    ("dense", "(i, j) -> (i / 4 : compressed, #i : sliced, i % 4 : bitmap, j : compressed)"),
    # Below a hash table positions are in no order, but each parent's follow from coordinates.
    ("csr", "(i, j) -> (i / 2 : compressed, i % 2 : hashed, j : compressed)"),
    # Every entry has a block row of its own, and so has no coordinate below it twice.
    (
        "(i, j) -> (i / 4 : compressed, #i : sliced, i % 4 : compressed(nonunique), j : singleton)",
        "(i, j) -> (i / 4 : compressed(nonunique, nonordered), i % 4 : compressed, "
        "j / 4 : compressed, j % 4 : singleton(nonordered))",
    ),
    # Two squeezed levels: the entries are counted in a loop over the blocks that there are.
    (
        "(i, j, k) -> (i / 4 : squeezed, j / 4 : squeezed, k / 4 : dense, i % 4 : compressed, "
        "j % 4 : compressed(nonordered), k % 4 : compressed)",
        "coo",
    ),
)


@pytest.mark.parametrize(("source", "target"), CASES)
def test_own_lines(source: str, target: str, tmp_path: Path):
    order = 3 if "k" in source else 2
    given, wanted = (resolve_format(line, order) for line in (source, target))
    pairs = [(any_list(order), given), (given, wanted), (wanted, resolve_format("dense", order))]
    into, conversion, back = compile_conversions(pairs, tmp_path)
    random = np.random.default_rng(3)
    for shape in SHAPES[order] * 3:
        entries = random_entries(random, shape)
        tensor = into(entries.as_list())
        assert not unlike(tensor, entries.as_list(), entries.dense)
        converted = conversion(tensor)
        assert not unlike(converted, tensor, entries.dense)
        assert not unlike(back(converted), converted, entries.dense)
