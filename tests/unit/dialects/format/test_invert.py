"""Modes from level coordinates: exact wherever it is possible, refused elsewhere."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamale.dialects.errors import FormatError
from tamale.dialects.format.bits import bits_of, gathered
from tamale.dialects.format.expression_parser import parse_expression
from tamale.dialects.format.expressions import (
    Binary,
    Const,
    Expr,
    Var,
    counters,
    evaluate,
    to_text,
)
from tamale.dialects.format.invert import invert
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.normal import normalize
from tamale.dialects.format.notation import parse_format
from tamale.dialects.format.spec import Format

MORTON = (
    "(i, j) -> ((i & 1) | ((j & 1) << 1) | ((i & 2) << 1) | ((j & 2) << 2) : dense, "
    "i / 4 : dense, j / 4 : dense)"
)
HICOO = (
    "(i, j) -> (r = i / 4 in s = j / 4 in "
    "(r & 1) | ((s & 1) << 1) | ((r & 2) << 1) | ((s & 2) << 2) : compressed, "
    "i / 16 : singleton, j / 16 : singleton, "
    "u = i % 4 in v = j % 4 in (u & 1) | ((v & 1) << 1) | ((u & 2) << 1) | ((v & 2) << 2) : dense)"
)

INVERTIBLE = {
    "() -> ()": [],
    "(i, j) -> (j : dense, i : compressed)": ["l1", "l0"],
    "(i, j) -> (j - i : dense, i : dense, j : dense)": ["l1", "l2"],
    "(i, j) -> (j - i : dense, i : dense)": ["l1", "l0 + l1"],
    "(i, j) -> (j - i : dense, j : dense)": ["l1 - l0", "l1"],
    "(i, j) -> (i + j : dense, j : dense)": ["l0 - l1", "l1"],
    "(i, j) -> (#i : dense, i : dense, j : singleton)": ["l1", "l2"],
    "(i, j) -> (i ^ j : dense, i : dense)": ["l1", "l0 ^ l1"],
    "(i) -> (i * 4 : dense)": ["l0 / 4"],
    "(i) -> (4 * i + 1 : dense)": ["(l0 - 1) / 4"],
    "(i) -> (7 - i : dense)": ["7 - l0"],
    "(i) -> (i << 3 : dense)": ["l0 / 8"],
    "(i, j) -> (i / 2 : dense, j / 3 : compressed, i % 2 : dense, j % 3 : dense)": [
        "l0 * 2 + l2",
        "l1 * 3 + l3",
    ],
    "(i) -> (i >> 2 : dense, i & 3 : dense)": ["l0 * 4 + l1"],
    "(i) -> (i / 16 : dense, i % 16 / 4 : dense, i % 4 : dense)": None,
    "(i) -> (i / 16 : dense, i / 4 % 4 : dense, i % 4 : dense)": None,
    "(i, j) -> ((j - i) / 4 : dense, (j - i) % 4 : dense, i : dense)": ["l2", "l0 * 4 + l1 + l2"],
    "(i, j, k) -> (i + j + k : dense, j - k : dense, k : dense)": None,
    "(i) -> (r = i / 4 in r : dense, i % 4 : dense)": ["l0 * 4 + l1"],
    "(i) -> ((i & 5) | ((i >> 2) & 2) : dense, i >> 4 : dense, i >> 1 & 1 : dense)": None,
    "(i, j) -> ((i & 1) + ((j & 1) << 1) : dense, i / 2 : dense, j / 2 : dense)": None,
    "(i) -> (i & 6 ^ 6 : dense, i : dense)": ["l1"],
    MORTON: None,
    HICOO: None,
}


def level_values(format: Format, point: dict[str, int]) -> dict[str, int]:
    return {
        f"l{k}": evaluate(level.expression, point)
        for k, level in enumerate(format.levels)
        if not counters(level.expression)
    }


@pytest.mark.parametrize("line", INVERTIBLE)
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_levels_then_inverse_is_identity(line: str, data: st.DataObject):
    format = parse_format(line)
    point = {mode: data.draw(st.integers(0, 1 << 20), mode) for mode in format.modes}
    levels = level_values(format, point)
    assert [evaluate(mode, levels) for mode in invert(format)] == list(point.values())


@pytest.mark.parametrize("line, modes", [(k, v) for k, v in INVERTIBLE.items() if v is not None])
def test_inverses_are_short(line: str, modes: list[str]):
    assert [to_text(mode) for mode in invert(parse_format(line))] == modes


@pytest.mark.parametrize("name", ["csr", "coo", "csf(1,0)", "bcsr(2,3)", "bcsc(5,7)"])
def test_named_formats_can_be_read(name: str):
    assert len(invert(resolve_format(name, 2))) == 2


@pytest.mark.parametrize(
    "line, lost",
    [
        ("(i, j) -> (i : dense, j / 4 : compressed)", "'j'"),
        ("(i, j) -> (i : dense, j % 4 : compressed)", "'j'"),
        ("(i, j) -> (i / 4 : dense, i % 2 : dense, j : dense)", "'i'"),
        ("(i, j) -> (i + j : dense, i - j : dense)", "'i' and 'j'"),
        ("(i, j) -> (i * j : dense, i : dense)", "'j'"),
        ("(i, j) -> (i + #i : dense, j : dense)", "'i'"),
        ("(i) -> (i & 5 : dense, i / 8 : dense)", "'i'"),
        ("(i, j) -> ((i & 1) | (j & 1) : dense, i / 2 : dense, j / 2 : dense)", "'i' and 'j'"),
        ("(i, j) -> ((i & 1) + (j & 1) : dense, i / 2 : dense, j / 2 : dense)", "'i' and 'j'"),
        ("(i) -> (i * 0 : dense)", "'i'"),
    ],
)
def test_what_is_lost_is_named(line: str, lost: str):
    with pytest.raises(FormatError) as error:
        invert(parse_format(line))
    message = str(error.value)
    assert message.startswith(f"format: {lost} cannot be computed from the level coordinates of ")
    assert str(parse_format(line)) in message
    assert message.endswith(f"help: store {lost} in a further level.")


exprs: st.SearchStrategy[Expr] = st.recursive(
    st.sampled_from(["i", "j"]).map(Var) | st.integers(0, 17).map(Const),
    lambda inner: (
        st.builds(Binary, st.sampled_from(["+", "-", "*", "&", "|", "^"]), inner, inner)
        | st.builds(
            Binary,
            st.sampled_from(["/", "%", "<<", ">>", "&", "*"]),
            inner,
            st.sampled_from([1, 2, 3, 4, 7, 8, 12, 15]).map(Const),
        )
    ),
    max_leaves=7,
)
coordinates = st.integers(-40, 40)


@settings(deadline=None)
@given(exprs, coordinates, coordinates)
def test_normal_forms_have_the_same_value(expr: Expr, i: int, j: int):
    point = {"i": i, "j": j}
    assert evaluate(normalize(expr), point) == evaluate(expr, point)


@settings(deadline=None)
@given(exprs, coordinates, coordinates)
def test_bits_come_from_where_they_are_said_to(expr: Expr, i: int, j: int):
    point = {"i": i, "j": j}
    value = evaluate(expr, point)
    for n, bit in enumerate(bits_of(normalize(expr))):
        if isinstance(bit, tuple):
            assert value >> n & 1 == evaluate(bit[0], point) >> bit[1] & 1
        elif bit is not None:
            assert value >> n & 1 == bit


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["a", "b"]), st.integers(0, 20)), min_size=1, max_size=12)
)
def test_gathered_bits(bits: list[tuple[str, int]]):
    point = {"a": 0b1011_0010_1110_0101, "b": 0b10_0110_1010_0111_1001}
    expected = sum((point[name] >> m & 1) << n for n, (name, m) in enumerate(bits))
    assert evaluate(gathered([(Var(name), m) for name, m in bits]), point) == expected


def test_runs_of_bits_move_together():
    (i,) = invert(parse_format("(i) -> ((i & 15) << 2 : dense, i / 16 : dense)"))
    assert to_text(i) == "l1 * 16 + l0 / 4"
    morton = invert(parse_format(MORTON))
    assert to_text(morton[0]) == "l1 * 4 + (l0 & 1 | (l0 >> 2 & 1) << 1)"
    assert parse_expression(to_text(morton[0])) == morton[0]
