"""Conversions of tensors of order 3: lists, csf in all mode orders, hicoo, dense."""

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from conversion_batches import compile_conversions
from entry_lists import any_list, random_entries, unlike

from tamale.dialects.format.named import resolve_format

FORMATS = (
    "coo",
    "ucoo",
    *(f"csf{order}" for order in permutations(range(3))),
    "hicoo(2)",
    "dense",
)
SHAPES = ((3, 4, 5), (1, 6, 2), (4, 4, 4), (2, 0, 3))


@pytest.mark.parametrize("source", FORMATS)
def test_from(source: str, tmp_path: Path):
    formats = [resolve_format(name, 3) for name in FORMATS]
    own = resolve_format(source, 3)
    pairs = [(any_list(3), own), *((own, target) for target in formats)]
    into, *conversions = compile_conversions(pairs, tmp_path)
    random = np.random.default_rng(5)
    for shape in SHAPES:
        entries = random_entries(random, shape)
        given = into(entries.as_list())
        assert not unlike(given, entries.as_list(), entries.dense)
        for conversion in conversions:
            problem = unlike(conversion(given), given, entries.dense)
            assert not problem, f"{conversion}: {problem}"
