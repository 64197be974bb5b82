"""What is known of the sizes of tensors, as values and as text."""

import pytest

from tamale.dialects.errors import FormatError
from tamale.dialects.format.statistics import Statistics, parse_statistics, rounded

SOME = Statistics((1000, None), (None, 70_000))


@pytest.mark.parametrize("known", [SOME, Statistics(()), Statistics((4,)), Statistics((), (9,))])
def test_text_and_back(known: Statistics):
    assert parse_statistics(str(known)) == known


def test_what_can_be_told():
    assert SOME.entries == SOME.largest == 70_000
    assert Statistics((30, 40, None)).largest == 1200
    assert (Statistics((30, None, 40)).longest, Statistics(()).longest) == (40, 0)
    assert Statistics((30,)).entries is None
    assert Statistics((None, None), (None,)).is_empty
    assert not SOME.is_empty
    assert SOME.rounded() == Statistics((1024, None), (None, 65_536))


def test_rounding_stays_within_a_factor_of_two_and_keeps_the_order():
    numbers = [rounded(n) for n in range(1, 5000)]
    assert numbers == sorted(numbers)
    assert all(n / 2 <= r <= 2 * n for n, r in enumerate(numbers, 1))
    assert rounded(0) == 1
    assert all(rounded(r) == r for r in numbers)


@pytest.mark.parametrize("text", ["", "sizes 4", "sizes [4], stored", "sizes [-4]", "sizes [4,]"])
def test_other_texts_are_refused(text: str):
    with pytest.raises(FormatError, match="statistics: expected"):
        parse_statistics(text)
