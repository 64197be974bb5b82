"""Morton codes are what they are defined to be, and HiCOO is put together from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expression_parser import parse_expression
from tamale.dialects.format.expressions import evaluate
from tamale.dialects.format.invert import invert
from tamale.dialects.format.morton import block_of, hicoo, morton_text, spread_steps
from tamale.dialects.format.notation import parse_format


def interleaved(values: list[int], bits: int) -> int:
    """Bit by bit, the first value's lowest."""
    return sum(
        (value >> bit & 1) << (bit * len(values) + k)
        for k, value in enumerate(values)
        for bit in range(bits)
    )


@given(st.data(), st.integers(2, 3), st.integers(1, 20))
def test_codes_interleave_bits(data: st.DataObject, count: int, bits: int):
    values = [data.draw(st.integers(0, (1 << bits) - 1)) for _ in range(count)]
    names: tuple[str, ...] = ("i", "j", "k")[:count]
    expression = parse_expression(morton_text(names, bits))
    point: dict[str, int] = dict(zip(names, values, strict=True))
    assert evaluate(expression, point) == interleaved(values, bits)


@pytest.mark.parametrize("bits, steps", [(1, 0), (2, 1), (16, 4), (17, 5), (30, 5)])
def test_the_number_of_steps_is_logarithmic(bits: int, steps: int):
    assert len(spread_steps(bits, 2)) == steps


@pytest.mark.parametrize("order", [2, 3])
def test_the_levels_of_hicoo(order: int):
    format = hicoo(order, 8)
    point = {mode: 1234567 * (k + 1) for k, mode in enumerate(format.modes)}
    values = [evaluate(level.expression, point) for level in format.levels]
    blocks, inside = [v // 8 for v in point.values()], [v % 8 for v in point.values()]
    outer, inner = interleaved(blocks, 60 // order), interleaved(inside, 3)
    assert values == [outer, *blocks, inner, *inside]
    assert max(values) < 1 << 60
    levels = {f"l{k}": value for k, value in enumerate(values)}
    assert [evaluate(mode, levels) for mode in invert(format)] == list(point.values())
    assert format.crd == "i64"


def test_only_hicoo_has_a_block():
    format = hicoo(2, 8)
    assert block_of(format.renamed(("x0", "r"))) == 8
    assert block_of(format.with_widths(pos="i64", crd="i32")) == 8
    assert block_of(parse_format("(i, j) -> (i : dense, j : compressed)")) is None
    other = str(format).replace("i % 8 : singleton", "i % 8 : singleton(nonunique)")
    assert block_of(parse_format(other)) is None
    assert block_of(parse_format(str(format).replace(" / 8", " / 6"))) is None


@pytest.mark.parametrize(
    "order, block, message",
    [
        (1, 4, "'hicoo' stores tensors of order 2 or 3; this one has 1"),
        (4, 4, "'hicoo' stores tensors of order 2 or 3; this one has 4"),
        (2, 3, "takes a power of two from 2 to 65536 as the size of its blocks, got 3"),
        (2, 1, "got 1"),
        (3, 1 << 17, "got 131072"),
    ],
)
def test_what_does_not_fit(order: int, block: int, message: str):
    with pytest.raises(FormatError) as error:
        hicoo(order, block)
    assert message in str(error.value)
