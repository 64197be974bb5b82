"""
Morton codes as level expressions, and HiCOO, which orders blocks and their contents by them.

A Morton code interleaves the bits of several coordinates, so that neighbours in all of them are
neighbours in memory. The bits of one are spread in log2 many steps: each moves the upper half of
every run of bits up and masks out what it left behind.

Source: Li et al., SC 2018 (HiCOO); Chou et al., PLDI 2020, sec. 4.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expressions import Binary, Const
from tamale.dialects.format.notation import parse_format
from tamale.dialects.format.spec import Format, mode_names

CODE_BITS: Final = 60
"""Bits of the code of a block, shared equally by the modes: it is a positive 64-bit number."""

LARGEST_BLOCK: Final = 1 << 16

ORDERS: Final = (2, 3)
"""The orders of HiCOO; with more modes, a code has too few bits of each."""


def spread_steps(bits: int, apart: int) -> list[tuple[int, int]]:
    """
    The steps `x = (x | x << shift) & mask` that put `apart - 1` zeros between `bits` bits.

    >>> [(shift, hex(mask)) for shift, mask in spread_steps(8, 2)]
    [(4, '0xf0f'), (2, '0x3333'), (1, '0x5555')]
    """
    steps: list[tuple[int, int]] = []
    run = 1 << (bits - 1).bit_length()
    while run > 1:
        run //= 2
        mask = sum(1 << (n // run * run * apart + n % run) for n in range(bits))
        steps.append((run * (apart - 1), mask))
    return steps


def morton_text(coordinates: tuple[str, ...], bits: int) -> str:
    """
    The notation of the Morton code of expressions with values below `2^bits`.

    Of the lowest bits of each, that of the first expression is the lowest of the code.

    >>> morton_text(("i", "j"), 2)
    'x0 = i in x0 = (x0 | x0 << 1) & 5 in x1 = j in x1 = (x1 | x1 << 1) & 5 in x0 | x1 << 1'
    """
    count = len(coordinates)
    names = [f"x{k}" for k in range(count)]
    text = ""
    for name, coordinate in zip(names, coordinates, strict=True):
        text += f"{name} = {coordinate} in "
        for shift, mask in spread_steps(bits, count):
            text += f"{name} = ({name} | {name} << {shift}) & {mask} in "
    moved = (f"{name} << {k}" if k else name for k, name in enumerate(names))
    return text + " | ".join(moved)


def hicoo(order: int, block: int) -> Format:
    """
    HiCOO with blocks of `block` coordinates in each mode.

    A mode can have up to 2^30 blocks in a matrix, and up to 2^20 in a tensor of order 3.

    Raises:
        FormatError: there is no such format.
    """
    if order not in ORDERS:
        raise FormatError(f"format: 'hicoo' stores tensors of order 2 or 3; this one has {order}.")
    if not 2 <= block <= LARGEST_BLOCK or block & (block - 1):
        raise FormatError(
            f"format: 'hicoo' takes a power of two from 2 to {LARGEST_BLOCK} as the size of its "
            f"blocks, got {block}."
        )
    modes = mode_names(order)
    levels: list[str] = []
    for op, bits in (("/", CODE_BITS // order), ("%", block.bit_length() - 1)):
        parts = tuple(f"{mode} {op} {block}" for mode in modes)
        levels.append(f"{morton_text(parts, bits)} : compressed")
        levels += [f"{part} : singleton" for part in parts]
    return parse_format(f"({', '.join(modes)}) -> ({', '.join(levels)}), crd = i64")


def check_codes(format: Format, shape: Sequence[int]) -> None:
    """
    Checks that the Morton codes of HiCOO tell all blocks of a tensor apart; other formats obey.

    Raises:
        FormatError: a mode is too large.
    """
    largest = _largest_size(format)
    if largest is None:
        return
    for mode, size in zip(format.modes, shape, strict=True):
        if size > largest:
            block = block_of(format)
            raise FormatError(
                f"format: 'hicoo({block})' holds modes of up to {largest:,} coordinates, which is "
                f"what the Morton codes of its blocks tell apart; '{mode}' has {size:,}\n"
                f"  help: take larger blocks, up to hicoo({LARGEST_BLOCK})"
            )


@lru_cache(maxsize=1024)
def _largest_size(format: Format) -> int | None:
    block = block_of(format)
    return None if block is None else block << CODE_BITS // format.order


def block_of(format: Format) -> int | None:
    """The size of the blocks if `format` is HiCOO, whatever its names and widths, else None."""
    if format.order not in ORDERS or len(format.levels) != 2 * (format.order + 1):
        return None
    match format.levels[1].expression:
        case Binary("/", _, Const(block)):
            pass
        case _:
            return None
    try:
        candidate = hicoo(format.order, block).canonical()
    except FormatError:
        return None
    return block if candidate.levels == format.canonical().levels else None
