"""Tensors that are large in everything but their entries: fast, in little memory, or refused."""

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from conversion_batches import CHEAP, compile_conversions
from entry_lists import any_list, unlike_entries

from tamale.backends.jit.library import load, pointer
from tamale.dialects.errors import FormatError, KernelError
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.spec import Format
from tamale.frontend.converting import convert
from tamale.frontend.tensor import Tensor

MILLION = 1_000_000
PLACES = [(999_999, 0), (3, 999_998), (3, 5), (500_000, 500_001), (0, 0)]
UNPADDED = ("coo", "ucoo", "csr", "csc", "dcsr", "dcsc", "jad", "hicoo(2)", "dok", "csf(1, 0)")
SMALL = (*UNPADDED, "dia", "ell", "sell(4)", "bcsr(2, 3)", "bcsc(3, 2)")
"""These pad, but fit."""

COUNTING = """
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
static size_t largest = 0;
static size_t seen(size_t bytes) { return largest = bytes > largest ? bytes : largest, bytes; }
static inline void *counted(size_t bytes) { return malloc(seen(bytes)); }
static inline int counted_aligned(void **block, size_t alignment, size_t bytes) {
  return posix_memalign(block, alignment, seen(bytes));
}
static inline void *counted_zeroed(size_t count, size_t bytes) {
  return calloc(count, seen(count * bytes) / count);
}
#define malloc(bytes) counted(bytes)
#define calloc(count, bytes) counted_zeroed(count, bytes)
#define posix_memalign(block, alignment, bytes) counted_aligned(block, alignment, bytes)
extern "C" int32_t largest_block(int64_t *out) { *out = largest; largest = 0; return 0; }
"""
"""Put in front of the code; `largest_block` gives and forgets the size of the largest block."""


def entries(shape: Sequence[int], places: Sequence[Sequence[int]], width: str = "i32") -> Tensor:
    """A list of entries 1, 2, ..., its crd as wide as asked for."""
    crd = {"i32": np.int32, "i64": np.int64}[width]
    columns = [np.array(column, crd) for column in zip(*places, strict=True)]
    levels = [{"pos": np.array([0, len(places)], np.int32), "crd": columns[0]}]
    levels += [{"crd": column} for column in columns[1:]]
    vals = np.arange(1.0, len(places) + 1)
    return Tensor(wide(any_list(len(shape)), crd=width), shape, levels, vals)


def wide(format: Format, *, pos: str = "i32", crd: str = "i32") -> Format:
    return resolve_format(f"{format}, pos = {pos}, crd = {crd}", format.order)


@pytest.mark.parametrize("threads", [1, 17])
def test_few_entries_in_a_large_matrix(threads: int, tmp_path: Path):
    """
    No block is larger than a small multiple of the entries and the modes' sizes, however many
    workers count; and no time goes into more than that.
    """
    header = tmp_path / "counting.h"
    header.write_text("#include <stdint.h>\n" + COUNTING)
    source = entries((MILLION, MILLION), PLACES)
    pairs = [(source.format, resolve_format(name, 2)) for name in SMALL]
    flags = (*CHEAP, "-include", str(header))
    batch = compile_conversions(pairs, tmp_path, threads=[threads] * len(pairs), flags=flags)
    largest = load(tmp_path / "conversions.so", "largest_block", ["int64_t *"])
    size = np.zeros(1, np.int64)
    for name, conversion in zip(SMALL, batch, strict=True):
        began = time.perf_counter()
        result = conversion(source)
        seconds = time.perf_counter() - began
        largest.call(pointer(size, "int64_t *"))
        assert not unlike_entries(result, source), name
        diagonals = len(PLACES) if name == "dia" else 2
        assert size[0] <= 8 * diagonals * (2 * MILLION + 100), (name, size)
        assert seconds < 2, (name, seconds)


@pytest.mark.parametrize("name", ["dense", "bitmap"])
def test_padded_targets_that_do_not_fit_are_refused(name: str):
    with pytest.raises(KernelError, match=f"as {name}: it would hold"):
        convert(entries((1 << 40, 1 << 40), PLACES, "i64"), resolve_format(name, 2))


@pytest.mark.parametrize("name", ["csr", "coo", "dok"])
def test_coordinates_that_do_not_fit(name: str):
    large = entries((4, (1 << 31) + 10), [(0, 1 << 31), (3, 7)], "i64")
    with pytest.raises(KernelError, match="does not fit into 32 bits"):
        convert(large, resolve_format(name, 2))
    result = convert(large, wide(resolve_format(name, 2), crd="i64"))
    assert not unlike_entries(result.check(), large)


def test_the_largest_coordinates_that_fit():
    large = entries((4, 1 << 31), [(0, (1 << 31) - 1), (3, 7)])
    assert not unlike_entries(convert(large, resolve_format("csr", 2)).check(), large)


def test_counts_that_do_not_fit():
    """Found before anything of that size is allocated."""
    far = 1 << 30
    large = entries((3, far + 1), [(0, far), (1, far), (2, far)])
    with pytest.raises(KernelError, match="does not fit into 32 bits"):
        convert(large, resolve_format("(i, j) -> (i : dense, j : ragged)"))


@pytest.mark.parametrize("size", [1 << 40, 1 << 61])
def test_products_of_sizes_that_do_not_fit_into_64_bits(size: int):
    """Neither the result nor a temporary may be taken for a small one."""
    large = convert(
        entries((size, size, 4), [(0, 1, 2), (3, 0, 0)], "i64"), resolve_format("csf, crd = i64", 3)
    )
    for line in ("(i : dense, j : dense, k : compressed)", "(i : dense, j : bitmap, k : dense)"):
        with pytest.raises(KernelError, match="do(es)? not fit"):
            convert(large, resolve_format(f"(i, j, k) -> {line}, crd = i64"))


def test_empty_modes_of_wide_formats():
    """The largest counter of no entries is 0 in 64 bits too."""
    for name in ("ell", "jad", "sell(2)"):
        target = wide(resolve_format(name, 2), pos="i64", crd="i64")
        source = Tensor(any_list(2), (0, 3), NOTHING, np.zeros(0))
        assert convert(source, target).check().to_numpy().shape == (0, 3)


NOTHING = [
    {"pos": np.zeros(2, np.int32), "crd": np.zeros(0, np.int32)},
    {"crd": np.zeros(0, np.int32)},
]


def test_modes_that_morton_codes_do_not_hold():
    fits, over = 2 << 30, (2 << 30) + 1
    target = resolve_format("hicoo(2)", 2)
    large = entries((fits, 5), [(fits - 1, 4), (0, 0), (1 << 30, 1)], "i64")
    assert not unlike_entries(convert(large, target).check(), large)
    with pytest.raises(FormatError, match=r"'hicoo\(2\)' holds modes of up to 2,147,483,648"):
        convert(entries((over, 5), [(over - 1, 4)], "i64"), target)
    with pytest.raises(FormatError, match=r"hicoo\(2\)"):
        Tensor(target, (5, over), convert(large, target).levels, large.vals).check()


def test_entries_that_a_format_cannot_hold():
    with pytest.raises(KernelError, match="diagonal"):
        convert(entries((3, 3), [(0, 2)]), resolve_format("skyline", 2))


@pytest.mark.parametrize(
    "line",
    [
        "(i, j) -> (i : dense, j : singleton)",
        "(i, j) -> (i : compressed, j : singleton)",
        "(i, j) -> (i + j : dense, i : singleton)",
        "(i, j) -> (#i : sliced, j : dense, i : singleton)",
        "(i, j) -> (#i / 4 : hashed, i : squeezed, #i % 4 : singleton, j : singleton)",
        "(i, j) -> (j/4 : compressed(nonunique), j/8 : singleton, i : dense, j%4 : singleton)",
    ],
)
def test_formats_with_one_place_for_several_entries(line: str):
    with pytest.raises(FormatError, match="one place for all entries that agree"):
        convert(entries((3, 3), [(0, 2), (0, 1)]), resolve_format(line))


def test_formats_that_forget_a_mode():
    with pytest.raises(FormatError, match="'i' cannot be computed"):
        convert(entries((3, 3), [(0, 2)]), resolve_format("(i, j) -> (i / 2 : dense, j : dense)"))


@pytest.mark.parametrize(
    ("line", "size"),
    [
        ("(i, j) -> (i << 62 : compressed, j : compressed), crd = i64", 4),
        ("(i, j) -> (i << 62 >> 62 : compressed, i : compressed, j : compressed), crd = i64", 4),
        ("(i, j) -> (i * 4611686018427387904 + j : compressed, j : compressed), crd = i64", 9),
    ],
)
def test_level_expressions_beyond_64_bits_are_refused(line: str, size: int):
    given = entries((size, size), [(1, 0), (size - 1, 1)])
    with pytest.raises(FormatError, match=r"'i \* 4611686018427387904' can be .* 64 bits do not"):
        convert(given, resolve_format(line, 2))


def test_level_expressions_within_64_bits_are_not_refused():
    given = entries((2, 2), [(0, 1), (1, 0)])
    line = "(i, j) -> (i << 62 : compressed, j : compressed), crd = i64"
    converted = convert(given, resolve_format(line, 2))
    assert converted.check().to_numpy().tolist() == [[0, 1], [2, 0]]
    assert converted.levels[0]["crd"].tolist() == [0, 1 << 62]
