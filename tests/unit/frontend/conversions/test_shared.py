"""Conversions whose loops workers share: the same bits whatever their number; and why not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conversion_batches import compile_conversions
from skewed import SQUARE, third_order

import tamale as tm
from tamale.dialects.errors import ScheduleError
from tamale.dialects.format.named import resolve_format
from tamale.frontend.tensor import Tensor
from tamale.passes.conversion.plan import plan_conversion

BLOCKS = "(i, j) -> (i / 2 : compressed, j / 2 : compressed, i % 2 : dense, j % 2 : dense)"
PAIRS = (
    ("coo", "csr"),
    ("csr", "csc"),
    ("csr", "ell"),
    ("csr", "dia"),
    ("coo", "dia"),
    ("csc", "dia"),
    ("csc", "ell"),
    ("ucoo", "(i, j) -> (i : dense, #i : compressed, j : singleton)"),
    ("dcsr", "(i, j) -> (j : dense, #j : compressed, i : singleton)"),
    ("csr", "(i, j) -> (i : dense, j : compressed), pos = i64"),
    ("bitmap", "jad"),
    ("bcsr(2,3)", "csc"),
    ("dok", "csr"),
    ("csr", "dcsr"),
    ("coo", "dcsr"),
    ("dense", "dcsr"),
    ("csc", "dcsc"),
    ("bcsr(2,2)", BLOCKS),
    ("csr", "(i, j) -> (i / 4 : compressed, i : compressed, j : compressed)"),
    ("coo", "(i, j) -> (i / 4 : compressed, i : dense, j : compressed)"),
)
NUMBERED = "(i, j) -> (i : compressed, #i : compressed, j : singleton)"
HYBRID = "(i, j, k) -> (i : dense, j : compressed, k : compressed)"
TENSORS = (
    ("csf", "(i, j, k) -> (k : dense, j : dense, i : compressed)"),
    ("coo", "csf"),
    ("coo", HYBRID),
    (HYBRID, "csf"),
    ("coo", "(i, j, k) -> (i : compressed, j : dense, k : compressed)"),
)
TEAMS = (2, 3, 7)


LATE = np.zeros((50, 9))
LATE[47:, 2:] = 1.0
WIDE = np.where(np.random.default_rng(7).random((40, 30)) < 0.2, 1.5, 0)
MATRICES = {**SQUARE, "wide": WIDE, "late rows": LATE, "nothing": np.zeros((5, 4))}


def bits(tensor: Tensor) -> list[bytes]:
    arrays = [array for level in tensor.levels for array in level.values()]
    return [array.tobytes() for array in (*arrays, tensor.vals)]


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_bits_are_those_of_one_worker(source: str, target: str, tmp_path: Path):
    pair = resolve_format(source, 2), resolve_format(target, 2)
    assert plan_conversion(*pair, 2).workers == 2
    one, *several = compile_conversions([pair] * 4, tmp_path, threads=[1, *TEAMS])
    for label, matrix in MATRICES.items():
        given = tm.tensor(matrix, source)
        wanted = one(given)
        assert np.array_equal(wanted.check().to_numpy(), matrix), label
        for conversion in several:
            found = conversion(given)
            assert bits(found) == bits(wanted), (label, conversion.threads)


@pytest.mark.parametrize(("source", "target"), TENSORS)
def test_third_order(source: str, target: str, tmp_path: Path):
    pair = resolve_format(source, 3), resolve_format(target, 3)
    assert plan_conversion(*pair, 2).workers == 2
    one, *several = compile_conversions([pair] * 3, tmp_path, threads=[1, 3, 17])
    for label, array in third_order().items():
        given = tm.tensor(array, pair[0])
        wanted = one(given)
        assert np.array_equal(wanted.check().to_numpy(), array), label
        for conversion in several:
            assert bits(conversion(given)) == bits(wanted), (label, conversion.threads)


def test_operands_are_converted_by_the_workers_of_the_kernel():
    array = MATRICES["scattered"]
    kernel = tm.compile("Z(i,j) = A(i,j) * B(i,j)", A="dcsr", B="dcsc", threads=3)
    loops = [line for line in kernel.cfir.splitlines() if "assembly.for_nonzeros" in line]
    assert [line.partition("partitioned into ")[2][0] for line in loops] == ["3", "3"]
    found = kernel(A=tm.tensor(array, "dcsr"), B=tm.tensor(array + 1, "dcsc"))
    assert np.array_equal(found, array * (array + 1))


@pytest.mark.parametrize(
    ("source", "target", "why"),
    [
        ("csr", "bcsr(2,2)", "level 2 ('j / 2 : compressed') are compared with all those before"),
        ("dcsr", NUMBERED, "level 1 ('i : compressed') is appended to, and '#' counts"),
        ("csr", "dok", "level 1 ('i : hashed') takes the next place that is free"),
        ("csr", "skyline", "level 2 ('j : banded') refuses entries that it cannot hold"),
        ("csr", "(i, j) -> (i : bitmap, j : dense)", "several entries share a position of level 1"),
        (
            "(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))",
            "dia",
            "values of equal coordinates are added up one after the other",
        ),
    ],
)
def test_why_not(source: str, target: str, why: str):
    told = tm.conversion(source, target, threads=2).explain()
    reason = next(line for line in told.splitlines() if "not parallel, because " in line)
    assert why in reason
    assert "parallel" not in tm.conversion(source, target).explain()


def test_what_is_counted():
    told = tm.conversion("csc", "ell", threads=3).explain()
    assert "3 workers share the loops over the entries, each an equal part of them" in told
    assert "each has its own counts of '#i'; fewer workers where these would be more" in told
    assert "own counts of level 2;" in tm.conversion("csr", "csc", threads=3).explain()
    assert "own counts" not in tm.conversion("csr", "ell", threads=3).explain()
    sorted_first = tm.conversion("ucoo", "dcsr", threads=3).explain()
    assert "  sort the entries by their coordinates, unless they are in order; not" in sorted_first


def test_everything_converts_in_parallel():
    array = MATRICES["arrow"]
    serial = tm.convert(array, "csc")
    for data in (array, tm.tensor(array, "csr"), serial):
        assert bits(tm.convert(data, "csc", threads=2)) == bits(serial)
    assert tm.convert(serial, "csc", threads=2) is serial
    assert np.array_equal(tm.convert(array, "hyb(2)", threads=2).to_numpy(), array)
    with pytest.raises(ScheduleError, match="threads: expected a whole number"):
        tm.convert(array, "csc", threads=0)
    with pytest.raises(ScheduleError, match="threads: expected a whole number"):
        tm.conversion("csr", "csc", threads=True)
