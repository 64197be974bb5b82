"""Damage: bytes of files and elements of arrays, changed at random but the same for one seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Bytes: TypeAlias = Callable[[bytes, Random], bytes]
Array: TypeAlias = NDArray[Any]

WORDS = (b"-1", b"0", b"99999999999999999999", b"nan", b"1e400", b"2147483648", b"x", b"", b"\xff")
"""What stands in the place of words of a text."""

EXTREMES = (-1, 0, 1, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63))


def flip(data: bytes, random: Random) -> bytes:
    """A few bytes become others."""
    changed = bytearray(data)
    for _ in range(random.randint(1, 8)):
        if changed:
            changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def cut(data: bytes, random: Random) -> bytes:
    """The end, or a piece, is missing."""
    begin = random.randint(0, len(data))
    end = len(data) if random.random() < 0.5 else random.randint(begin, len(data))
    return data[:begin] + data[end:]


def repeat(data: bytes, random: Random) -> bytes:
    """A piece comes twice."""
    begin = random.randint(0, len(data))
    end = random.randint(begin, len(data))
    return data[:end] + data[begin:]


def reword(data: bytes, random: Random) -> bytes:
    """Words of a text become others."""
    words = data.split(b" ")
    for _ in range(random.randint(1, 3)):
        words[random.randrange(len(words))] = random.choice(WORDS)
    return b" ".join(words)


BYTES: Sequence[Bytes] = (flip, cut, repeat, reword)


def damaged_array(array: Array, random: Random) -> Array:
    """One array of a tensor with wrong elements, length, order or type."""
    match random.randrange(6):
        case 0 if len(array):
            changed = array.copy()
            limits = np.iinfo(array.dtype) if array.dtype.kind in "iu" else None
            value = random.choice(EXTREMES)
            value = value if limits is None else max(limits.min, min(limits.max, value))
            changed[random.randrange(len(array))] = value
            return changed
        case 1:
            return array[: random.randint(0, len(array))]
        case 2:
            return np.concatenate([array, array[: random.randint(0, 3)]])
        case 3:
            return array[::-1]
        case 4:
            return array.astype(random.choice(["int8", "int64", "float64", "uint32"]))
        case _:
            order = list(range(len(array)))
            random.shuffle(order)
            return array[order]


def damaged_shape(shape: Sequence[int], random: Random) -> list[int]:
    """One size is another."""
    changed = list(shape)
    changed[random.randrange(len(changed))] = random.choice([-1, 0, 1, 2, 2**31, 2**62])
    return changed
