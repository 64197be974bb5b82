"""Symbolic bounds: sound for every operator, and what a person would write for known formats."""

import random
from itertools import product

import pytest

from tamale.dialects.errors import FormatError
from tamale.dialects.format.bounds import bounds
from tamale.dialects.format.expression_parser import parse_expression
from tamale.dialects.format.expressions import (
    Binary,
    Const,
    Counter,
    Expr,
    Operator,
    Var,
    evaluate,
    to_text,
)
from tamale.dialects.format.folding import dimension
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.symbolic_bounds import (
    extent_of,
    level_extent,
    symbolic_bounds,
)

SIZES = {mode: dimension(mode) for mode in "ijk"}
OPERATORS: tuple[Operator, ...] = ("|", "^", "&", "<<", ">>", "+", "-", "*", "/", "%")


def read(text: str) -> tuple[str, str]:
    low, high = symbolic_bounds(parse_expression(text), SIZES)
    return to_text(low), to_text(high)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("i", ("0", "dim_i - 1")),
        ("3", ("3", "3")),
        ("j - i", ("1 - dim_i", "dim_j - 1")),
        ("i + j", ("0", "dim_i + dim_j - 2")),
        ("i / 4", ("0", "(dim_i - 1) / 4")),
        ("i >> 2", ("0", "(dim_i - 1) / 4")),
        ("i % 4", ("0", "3")),
        ("i & 7", ("0", "7")),
        ("(i & 1) | ((j & 1) << 1)", ("0", "3")),
        ("(j - i) / 2", ("(1 - dim_i) / 2", "(dim_j - 1) / 2")),
        ("0 - i", ("1 - dim_i", "0")),
        ("r = i / 2 in r * 3", ("0", "(dim_i - 1) / 2 * 3")),
        ("i * j", ("0", "(dim_i - 1) * (dim_j - 1)")),
        ("#i", ("0", "dim_j * dim_k - 1")),
        ("#", ("0", "dim_i * dim_j * dim_k - 1")),
    ],
)
def test_reads_like_written_by_hand(text: str, expected: tuple[str, str]):
    assert read(text) == expected


def random_expression(random_: random.Random, depth: int) -> Expr:
    if depth == 0 or random_.random() < 0.15:
        return random_.choice([Var("i"), Var("j"), Var("k"), Const(random_.randint(-4, 9))])
    op = random_.choice(OPERATORS)
    lhs = random_expression(random_, depth - 1)
    if op in ("<<", ">>"):
        return Binary(op, lhs, Const(random_.randint(0, 3)))
    return Binary(op, lhs, random_expression(random_, depth - 1))


def values(expr: Expr, shape: tuple[int, ...]) -> list[int]:
    """Every value that the expression has, where it has one."""
    found: list[int] = []
    for point in product(*map(range, shape)):
        try:
            found.append(evaluate(expr, dict(zip("ijk", point, strict=True))))
        except FormatError:
            continue
    return found


@pytest.mark.parametrize("seed", range(60))
def test_no_value_lies_outside(seed: int):
    random_ = random.Random(seed)
    for _ in range(6):
        expr = random_expression(random_, 3)
        try:
            low, high = symbolic_bounds(expr, SIZES)
        except FormatError:
            continue
        for _ in range(3):
            shape = tuple(random_.choice((1, 2, 3, 5)) for _ in range(3))
            sizes = {f"dim_{mode}": n for mode, n in zip("ijk", shape, strict=True)}
            ends = evaluate(low, sizes), evaluate(high, sizes)
            for value in values(expr, shape):
                assert ends[0] <= value <= ends[1], (to_text(expr), shape)


@pytest.mark.parametrize("text", ["j - i", "i + j", "i / 3", "(j - i) / 2", "i * 4 + j", "i * j"])
def test_as_tight_as_in_numbers(text: str):
    expr = parse_expression(text)
    low, high = symbolic_bounds(expr, SIZES)
    for shape in product((1, 2, 5, 8), repeat=2):
        sizes = {f"dim_{mode}": n for mode, n in zip("ij", shape, strict=True)}
        modes = {mode: (0, n - 1) for mode, n in zip("ij", shape, strict=True)}
        assert (evaluate(low, sizes), evaluate(high, sizes)) == bounds(expr, modes)


def test_shifts_by_unknown_widths_and_division_by_anything_are_sound():
    for text in ("i << j", "(i - j) >> k", "(i - j) / (j - k)", "(i - j) % (j - k)", "(i - j) ^ k"):
        expr = parse_expression(text)
        low, high = symbolic_bounds(expr, SIZES)
        for shape in product((1, 2, 4), repeat=3):
            sizes = {f"dim_{mode}": n for mode, n in zip("ijk", shape, strict=True)}
            for value in values(expr, shape):
                assert evaluate(low, sizes) <= value <= evaluate(high, sizes)


def test_counters_need_no_bound_of_their_own_modes():
    low, high = symbolic_bounds(Counter(("i", "j", "k")), SIZES)
    assert (low, high) == (Const(0), Const(0))


def test_blocks_have_one_size_whatever_the_dimension():
    bcsr = resolve_format("bcsr(2, 3)")
    assert [extent_of(bcsr, k, (1, 7)) for k in range(4)] == [(0, 1), (0, 3), (0, 2), (0, 3)]
    assert level_extent(bcsr, 3) == (Const(0), Const(3))


def test_no_level_has_less_than_no_coordinates():
    dia = resolve_format("dia")
    assert [extent_of(dia, k, (0, 0))[1] for k in range(3)] == [0, 0, 0]
