"""A short run of the long form of the conversion test, and what its formats are drawn from."""

from collections import Counter

import numpy as np
import pytest
from conversions import run
from format_lines import EXPRESSIONS, KINDS, random_format

from tamale.dialects.format.expressions import to_text
from tamale.dialects.format.kinds import BUILTIN_KINDS
from tamale.dialects.format.spec import Format

CASES = 36
DRAWN = 400
SHARE_REFUSED = 0.3
"""The largest share of cases that may be refused: a refused case tests little."""


@pytest.mark.parametrize("first", [0, CASES // 2])
def test_random_formats(first: int):
    texts: list[str] = []
    numbers = range(first, first + CASES // 2)
    tally = run(7, numbers, show=texts.append)
    assert not texts, "\n".join(texts)
    assert tally.verdicts.total() == len(numbers)
    assert tally.verdicts["refused"] <= SHARE_REFUSED * len(numbers)


@pytest.fixture(scope="module")
def drawn() -> list[Format]:
    random = np.random.default_rng(1)
    return [random_format(random, 2 if n % 4 else 3) for n in range(DRAWN)]


def test_every_kind_is_drawn_with_all_its_properties(drawn: list[Format]):
    assert {kind.split("(")[0] for kind in KINDS} == set(BUILTIN_KINDS)
    found = Counter(str(level).split(" : ")[1] for format in drawn for level in format.levels)
    assert all(found[kind] >= DRAWN // 100 for kind in KINDS), found


def test_every_remapping_is_drawn(drawn: list[Format]):
    found = Counter(
        tuple(" ".join(map(_letter, to_text(x.expression).split())) for x in format.levels)
        for format in drawn
    )
    lines = (line for of_order in EXPRESSIONS.values() for line in of_order)
    assert found.keys() == {tuple(e.replace("b", "a") for e in line) for line in lines}


def _letter(word: str) -> str:
    return "a" if word.isdigit() else word
