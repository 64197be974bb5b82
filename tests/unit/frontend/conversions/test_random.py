"""A short run of the long form of the conversion test."""

import pytest
from conversions import run

CASES = 36
SHARE_REFUSED = 0.85
"""The largest share of cases that may be refused: a refused case tests little."""


@pytest.mark.parametrize("first", [0, CASES // 2])
def test_random_formats(first: int):
    texts: list[str] = []
    numbers = range(first, first + CASES // 2)
    tally = run(7, numbers, show=texts.append)
    assert not texts, "\n".join(texts)
    assert tally.verdicts.total() == len(numbers)
    assert tally.verdicts["refused"] <= SHARE_REFUSED * len(numbers)
