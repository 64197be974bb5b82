"""What users pass as shapes, formats and names, checked before anything depends on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from tamale.dialects.errors import FormatError, KernelError, NotationError, ScheduleError
from tamale.dialects.format.spec import Format
from tamale.dialects.integers import whole_number, whole_numbers

MOST_COORDINATES = (1 << 63) - 1

MOST_MODES = 64
"""The largest order that NumPy has."""


def shape_of(shape: Any, who: str) -> tuple[int, ...]:
    """
    A shape as integers.

    Raises:
        FormatError: it is no sequence of sizes; `who` begins the message.
    """
    try:
        sizes = None if isinstance(shape, str) else whole_numbers(shape)
    except TypeError:
        sizes = None
    if sizes is None:
        raise FormatError(f"{who}: a shape has a whole number for each mode, got {shape!r}")
    for mode, size in enumerate(sizes, 1):
        if not 0 <= size <= MOST_COORDINATES:
            raise FormatError(
                f"{who}: mode {mode} has the dimension size {size}; sizes are from 0 to 2^63 - 1"
            )
    return tuple(sizes)


def mode_count(order: object) -> int:
    """
    How many modes tensors have.

    Raises:
        FormatError: that is no whole number, or too large a one.
    """
    count = whole_number(order)
    if count is None or not 0 <= count <= MOST_MODES:
        raise FormatError(f"order: expected a whole number from 0 to {MOST_MODES}, got {order!r}")
    return count


def format_in(format: object, who: str) -> str | Format:
    """
    A format, or its text.

    Raises:
        FormatError: what should be a format is none; `who` begins the message.
    """
    if not isinstance(format, (str, Format)):
        raise FormatError(
            f"{who}: expected a format, its name or its line, got {type(format).__name__}"
        )
    return format


def check_name(name: object) -> None:
    """
    Raises:
        NotationError: this is no name for a function.
    """
    if not isinstance(name, str) or not name.isidentifier():
        raise NotationError(f"compile: '{name}' is no name for a function")


def numbers_by_name(numbers: object, what: str) -> dict[str, int]:
    """
    Integers by name, of any type, as Python's.

    Raises:
        ScheduleError: these are no whole numbers, from 0, by name.
    """
    if not isinstance(numbers, Mapping):
        raise ScheduleError(f"{what}: expected numbers by name, got {numbers!r}")
    found: dict[str, int] = {}
    for name, given in cast("Mapping[str, object]", numbers).items():
        number = whole_number(given)
        if number is None or number < 0:
            raise ScheduleError(f"{what}: {name} cannot be {given!r}; expected a number from 0")
        found[name] = number
    return found


def check_subscripts(subscripts: object) -> None:
    """
    Raises:
        NotationError: the subscripts of an einsum are no text.
    """
    if not isinstance(subscripts, str):
        raise NotationError(
            f"einsum: expected subscripts such as 'ij,j->i' first, got {type(subscripts).__name__}"
        )


def empty_array(shape: tuple[int, ...], dtype: Any, who: str) -> Any:
    """
    A new array of a shape.

    Raises:
        KernelError: it is larger than an address space; `who` begins the message.
    """
    try:
        return np.empty(shape, dtype)
    except ValueError as error:
        sizes = " x ".join(map(str, shape))
        raise KernelError(f"{who}: {sizes} values are more than memory can hold") from error
