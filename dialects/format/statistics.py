"""
How large a tensor is: the sizes of its modes, and how many coordinates its levels store.

Schedules are estimated from these. They are rounded to powers of 2, so that tensors of about the
same size are treated alike, while entries by rows still tell short rows from longer ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from tamale.dialects.errors import FormatError


class Statistics(NamedTuple):
    """What is known of one tensor; None where a number is not."""

    sizes: tuple[int | None, ...]
    stored: tuple[int | None, ...] = ()
    """Per level, outermost first: how many positions it has. Empty if no level is known."""

    @property
    def entries(self) -> int | None:
        """The positions of the last level."""
        return self.stored[-1] if self.stored else None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known."""
        return all(number is None for number in (*self.sizes, *self.stored))

    @property
    def largest(self) -> int:
        """The entries; of a tensor that does not tell them, its coordinates as far as known."""
        if self.entries is not None:
            return self.entries
        return prod(size for size in self.sizes if size is not None)

    @property
    def longest(self) -> int:
        """The size of the longest mode that is known."""
        return max((size for size in self.sizes if size is not None), default=0)

    def rounded(self) -> Statistics:
        """The same in powers of 2."""
        return Statistics(
            tuple(None if n is None else rounded(n) for n in self.sizes),
            tuple(None if n is None else rounded(n) for n in self.stored),
        )

    def __str__(self) -> str:
        parts = [f"sizes {_listed(self.sizes)}"]
        parts += [f"stored {_listed(self.stored)}"] if self.stored else []
        return ", ".join(parts)


def rounded(number: int) -> int:
    """
    The power of 2 that is nearest, by ratio; 1 for 0.

    >>> [rounded(n) for n in (0, 1, 2, 5, 6, 11, 12, 496_800)]
    [1, 1, 2, 4, 8, 8, 16, 524288]
    """
    below = max(number.bit_length() - 1, 0)
    return 1 << below + (number * number >> 2 * below + 1)


def _listed(numbers: Sequence[int | None]) -> str:
    return f"[{', '.join('?' if n is None else str(n) for n in numbers)}]"


_TEXT = re.compile(r"\s*sizes\s*\[([^\]]*)\]\s*(?:,\s*stored\s*\[([^\]]*)\]\s*)?")
_NUMBER = re.compile(r"\s*(?:([0-9]+)|\?)\s*")


def parse_statistics(text: str) -> Statistics:
    """
    `sizes [1024, ?], stored [1024, 16384]`.

    Raises:
        FormatError: the text is of another form.
    """
    found = _TEXT.fullmatch(text)
    if found is None:
        raise FormatError(
            f"statistics: expected 'sizes [n, ..]' and perhaps ', stored [n, ..]', got '{text}'"
        )
    return Statistics(_numbers(found[1]), _numbers(found[2] or ""))


def _numbers(text: str) -> tuple[int | None, ...]:
    if not text.strip():
        return ()
    found = [_NUMBER.fullmatch(part) for part in text.split(",")]
    if any(number is None for number in found):
        raise FormatError(f"statistics: expected numbers or '?', got '{text}'")
    return tuple(None if n is None or n[1] is None else int(n[1]) for n in found)
