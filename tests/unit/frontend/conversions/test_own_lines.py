"""Formats that nobody has named: each was once converted wrong, or not at all."""

from pathlib import Path

import numpy as np
import pytest
from conversion_batches import compile_conversions
from entry_lists import any_list, random_entries, unlike

import tamale as tm
from tamale.dialects.errors import KernelError
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
    # Without entries, squeezed levels are empty below positions that a range or dense level has.
    ("(i, j) -> (i + j : dense, j : squeezed, i : compressed(nonunique, nonordered))", "csr"),
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


def test_slots_in_bands():
    """A band ends at the coordinate of the level above, here the number of the block row."""
    line = "(i, j) -> (i / 3 : dense, #i : banded, i % 3 : dense, j : singleton)"
    fitting = np.tri(8, 8, -6)
    fitting[3:5, 2:4] = 5
    stored = tm.convert(fitting, line)
    assert stored.levels[1]["pos"].tolist() == [0, 0, 2, 5]
    assert np.array_equal(stored.check().to_numpy(), fitting)
    with pytest.raises(KernelError, match="on and below the diagonal"):
        tm.convert(np.ones((8, 8)), line)
