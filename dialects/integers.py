"""Integers as users pass them: of Python, of NumPy, of any library."""

from collections.abc import Iterable
from operator import index
from typing import Any, cast


def whole_number(value: object) -> int | None:
    """
    An integer of any type as Python's; None for what is none: truth values, fractions, texts.

    >>> whole_number(2), whole_number(2.0), whole_number(True)
    (2, None, None)
    """
    if isinstance(value, bool):
        return None
    try:
        return index(cast("Any", value))
    except TypeError:
        return None


def whole_numbers(values: Iterable[object]) -> list[int] | None:
    """Integers of any type as Python's; None if one of the values is none."""
    found: list[int] = []
    for value in values:
        number = whole_number(value)
        if number is None:
            return None
        found.append(number)
    return found
