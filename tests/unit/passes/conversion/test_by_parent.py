"""Conversions that put entries right parent by parent: which, what they say, their results."""

from __future__ import annotations

import numpy as np
import pytest

from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.spec import Format
from tamale.frontend.converting import convert
from tamale.frontend.tensor import Tensor
from tamale.passes.conversion.plan import plan_conversion
from tamale.passes.conversion.plans import LevelPlan
from tamale.passes.conversion.remarks import conversion_remarks

UNORDERED_CSR = "(i, j) -> (i : dense, j : compressed(nonordered))"
CROWDED_CSR = "(i, j) -> (i : dense, j : compressed(nonordered, nonunique))"
LOOSE_BCSR = (
    "(i, j) -> (i / 2 : dense, j / 2 : compressed(nonordered), i % 2 : dense, j % 2 : dense)"
)
SPARSE_BLOCKS = "(i, j) -> (i / 2 : dense, j / 3 : compressed, i % 2 : dense, j % 3 : compressed)"
NUMBERED = "(i, j) -> (i : dense, #i : compressed, j : singleton)"
PAIRS = "(i, j) -> (i : dense, j / 2 : compressed(nonunique), j : singleton)"


def format_of(text: str) -> Format:
    return resolve_format(text, 2)


def shown(plans: tuple[LevelPlan, ...]) -> str:
    """`get stamp*`: how positions come about, and which levels are sorted."""
    return " ".join(plan.position + "*" * plan.sorts for plan in plans)


@pytest.mark.parametrize(
    ("source", "target", "levels"),
    [
        ("csr", "bcsr(2,3)", "get stamp* get get"),
        ("csr", LOOSE_BCSR, "get stamp get get"),
        ("csc", "bcsc(2,3)", "get stamp* get get"),
        ("csr", SPARSE_BLOCKS, "get stamp* get yield*"),
        (CROWDED_CSR, "csr", "get stamp*"),
        ("ucoo", "csr", "get yield*"),
        ("ell", "csr", "get yield*"),
        ("jad", "csc", "get yield*"),
        (UNORDERED_CSR, "csr", "get yield*"),
        ("ucoo", PAIRS, "get yield* get"),
        ("ucoo", NUMBERED, "get yield* get"),
    ],
)
def test_direct(source: str, target: str, levels: str) -> None:
    plan = plan_conversion(format_of(source), format_of(target))
    assert (plan.route, shown(plan.levels)) == ("direct", levels)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("csc", "bcsr(2,3)"),  # Rows of blocks do not arrive together.
        ("ucoo", "bcsr(2,3)"),
        ("csc", "dcsr"),  # The first level has no parents.
        ("ucoo", "coo"),
        ("csr", "hicoo(2)"),  # Two levels share the positions.
        # Something that would have to move is below.
        ("ucoo", "(i, j) -> (i : dense, j / 2 : compressed(nonunique), j % 2 : dense)"),
        # There may be more coordinates than a few modes have.
        (
            "csr",
            "(i, j) -> (i / 2 : dense, i / 2 * 4 + j / 2 : compressed, i % 2 : dense, "
            "j % 2 : dense)",
        ),
    ],
)
def test_through_a_sorted_list(source: str, target: str) -> None:
    assert plan_conversion(format_of(source), format_of(target)).route == "sorted"


def test_order_that_is_there_is_not_made() -> None:
    for source, target in [("csc", "csr"), ("csr", "csc"), ("ucoo", UNORDERED_CSR)]:
        plan = plan_conversion(format_of(source), format_of(target))
        assert (plan.route, shown(plan.levels)) == ("direct", "get yield")
        assert plan.why == "the source's order serves every level of the target"


def test_remarks() -> None:
    text = "\n".join(conversion_remarks(plan_conversion(format_of("csr"), format_of("bcsr(2,3)"))))
    assert "directly, what the source's order does not serve is put right parent by parent" in text
    assert "entries with equal coordinates share a position, found by stamps" in text
    assert "the coordinates below each parent are sorted" in text


def entries(
    shape: tuple[int, int], rows: list[int], columns: list[int], generator: np.random.Generator
) -> Tensor:
    """A list of entries in this order."""
    levels = (
        {"pos": np.array([0, len(rows)], np.int32), "crd": np.array(rows, np.int32)},
        {"crd": np.array(columns, np.int32)},
    )
    values = generator.integers(1, 99, len(rows)).astype(np.float64)
    return Tensor(format_of("ucoo"), shape, levels, values).check()


@pytest.mark.parametrize("length", [1, 2, 63, 64, 65, 3000])
@pytest.mark.parametrize("order", ["random", "ascending", "descending"])
def test_segments_of_every_length(length: int, order: str) -> None:
    """Short ones are sorted by insertion, long ones by digits, one beside the other."""
    generator = np.random.default_rng(length)
    columns = np.sort(generator.choice(5 * length, length, replace=False))
    if order != "ascending":
        columns = columns[::-1] if order == "descending" else generator.permutation(columns)
    rows = [2] * length + [0, 0]
    tensor = entries((4, 5 * length + 2), rows, [*columns.tolist(), 1, 0], generator)
    result = convert(tensor, format_of("csr")).check()
    assert np.array_equal(result.to_numpy(), tensor.to_numpy())


@pytest.mark.parametrize("target", ["bcsr(2,3)", LOOSE_BCSR, SPARSE_BLOCKS])
@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (1, 1), (7, 500)])
def test_blocks(shape: tuple[int, int], target: str) -> None:
    generator = np.random.default_rng(1)
    dense = generator.integers(0, 2, shape) * generator.integers(1, 9, shape).astype(np.float64)
    rows, columns = (part.tolist() for part in np.nonzero(dense))
    tensor = convert(entries(shape, rows, columns, generator), format_of("csr"))
    result = convert(tensor, format_of(target)).check()
    assert np.array_equal(result.to_numpy(), tensor.to_numpy())


def test_duplicates_of_a_row_are_added() -> None:
    arrays = {"pos": np.array([0, 3, 3, 5], np.int32), "crd": np.array([4, 1, 4, 1, 1], np.int32)}
    values = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    tensor = Tensor(format_of(CROWDED_CSR), (3, 5), ({}, arrays), values).check()
    result = convert(tensor, format_of("csr")).check()
    assert result.levels[1]["pos"].tolist() == [0, 2, 2, 3]
    assert result.levels[1]["crd"].tolist() == [1, 4, 1]
    assert result.vals.tolist() == [2.0, 5.0, 24.0]
