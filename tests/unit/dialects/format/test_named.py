"""Named formats: the table, resolution by order, and the way back to the name."""

import pytest

from tamale.dialects.errors import FormatError
from tamale.dialects.format.invert import invert
from tamale.dialects.format.named import (
    NAMED_FORMATS,
    Line,
    dense_format,
    name_of,
    resolve_format,
)
from tamale.dialects.format.notation import parse_format
from tamale.dialects.format.tokens import FormatSyntaxError
from tamale.dialects.format.verify import verify_format


@pytest.mark.parametrize(
    "text, order, line",
    [
        ("csr", 2, "(i, j) -> (i : dense, j : compressed)"),
        ("csc", None, "(i, j) -> (j : dense, i : compressed)"),
        ("dcsr", 2, "(i, j) -> (i : compressed, j : compressed)"),
        ("dcsc", 2, "(i, j) -> (j : compressed, i : compressed)"),
        ("coo", 2, "(i, j) -> (i : compressed(nonunique), j : singleton)"),
        (
            "coo",
            3,
            "(i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique), k : singleton)",
        ),
        ("coo(1,0)", None, "(i, j) -> (j : compressed(nonunique), i : singleton)"),
        ("coo", 1, "(i) -> (i : compressed)"),
        ("csf", 1, "(i) -> (i : compressed)"),
        ("csf(2, 0, 1)", 3, "(i, j, k) -> (k : compressed, i : compressed, j : compressed)"),
        ("dense", 0, "() -> ()"),
        ("dense()", 2, "(i, j) -> (i : dense, j : dense)"),
        ("dense(1, 0)", 2, "(i, j) -> (j : dense, i : dense)"),
        (
            "bcsr(2,3)",
            2,
            "(i, j) -> (i / 2 : dense, j / 3 : compressed, i % 2 : dense, j % 3 : dense)",
        ),
        (
            "bcsc(2,3)",
            2,
            "(i, j) -> (j / 3 : dense, i / 2 : compressed, i % 2 : dense, j % 3 : dense)",
        ),
        ("dia", 2, "(i, j) -> (j - i : squeezed, i : range, j : offset)"),
        ("ell", 2, "(i, j) -> (#i : sliced, i : dense, j : singleton)"),
        ("jad", 2, "(i, j) -> (#i : sliced, i : jagged, j : singleton)"),
        (
            "sell(32)",
            2,
            "(i, j) -> (i / 32 : dense, #i : ragged, i % 32 : dense, j : singleton)",
        ),
        ("skyline", 2, "(i, j) -> (i : dense, j : banded)"),
        ("dok", 2, "(i, j) -> (i : hashed, j : hashed)"),
        ("bitmap", 2, "(i, j) -> (i : dense, j : bitmap)"),
        ("ucoo", 1, "(i) -> (i : compressed(nonordered))"),
        (
            "ucoo",
            3,
            "(i, j, k) -> (i : compressed(nonunique, nonordered), "
            "j : singleton(nonunique, nonordered), k : singleton(nonordered))",
        ),
        (" csr , pos = i64", 2, "(i, j) -> (i : dense, j : compressed), pos = i64"),
        ("(r, c) -> (c : dense, r : dense)", 2, "(r, c) -> (c : dense, r : dense)"),
        ("(r) -> (r : dense)", None, "(r) -> (r : dense)"),
    ],
)
def test_resolve(text: str, order: int | None, line: str):
    format = resolve_format(text, order)
    assert str(format) == line
    assert resolve_format(text, order) is format
    verify_format(format)


@pytest.mark.parametrize(
    "text, order, message",
    [
        (
            "csr",
            3,
            "'csr' stores tensors of order 2; this one has order 3.\n  help: dense, csf, coo",
        ),
        ("csf", None, "'csf' fits every order; which one does the tensor have?"),
        ("csf(0, 0)", 2, "'csf(0, 0)' must name each mode of a tensor of order 2 once, from 0."),
        ("csf(1, 0)", 3, "must name each mode of a tensor of order 3 once"),
        ("csf(2, 1)", None, "must name each mode of a tensor of order 2 once"),
        ("csr(2)", 2, "'csr' takes no arguments, got (2)."),
        ("bcsr", 2, "'bcsr(m, n)' takes 2 positive integers, got none."),
        ("bcsr(0, 2)", 2, "'bcsr(m, n)' takes 2 positive integers, got (0, 2)."),
        ("hicoo(4)", None, "'hicoo' fits orders 2 and 3; which one does the tensor have?"),
        ("hicoo(4)", 4, "'hicoo' stores tensors of order 2 or 3; this one has 4"),
        ("hicoo", 2, "'hicoo(b)' takes 1 integer, got 0."),
        ("(i) -> (i : dense)", 2, "is for tensors of order 1; this one has order 2."),
        ("(i, j) -> (i : dense, j : dense)", 1, "is for tensors of order 2; this one has order 1."),
    ],
)
def test_what_does_not_fit(text: str, order: int | None, message: str):
    with pytest.raises(FormatError) as error:
        resolve_format(text, order)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "text, column, message",
    [
        ("crs", 0, "no format is called 'crs' (did you mean 'csr'?); known: csr, csc, dcsr"),
        ("xyzzy", 0, "no format is called 'xyzzy'; known: csr"),
        ("", 0, "expected a format line or the name of a format, got the end"),
        ("bcsr(2", 6, "expected ',' or ')' after an argument, got the end"),
        ("bcsr(m, n)", 5, "expected an integer as argument 1, got 'm'"),
        ("bcsr(2, 99999999999999999999)", 8, "expected an integer as argument 2"),
        ("csr csr", 4, "'csr' after the end of format 'csr'"),
        ("csr, i64", 5, "expected 'pos' or 'crd' and its width, got 'i64'"),
        ("(i, j)", 0, "expected a format line or the name of a format, got '('"),
    ],
)
def test_what_cannot_be_read(text: str, column: int, message: str):
    with pytest.raises(FormatSyntaxError) as error:
        resolve_format(text, 2)
    assert message in error.value.message
    assert error.value.start == column


@pytest.mark.parametrize(
    "name, order",
    [
        ("csr", 2),
        ("csc", 2),
        ("dcsr", 2),
        ("dcsc", 2),
        ("coo", 2),
        ("coo(1,0)", 2),
        ("coo(2,0,1)", 3),
        ("csf", 1),
        ("csf", 3),
        ("csf(1,0,2)", 3),
        ("dense", 0),
        ("dense", 7),
        ("dense(1,0)", 2),
        ("bcsr(2,3)", 2),
        ("bcsr(4,4)", 2),
        ("bcsc(2,3)", 2),
        ("dia", 2),
        ("ell", 2),
        ("jad", 2),
        ("sell(8)", 2),
        ("skyline", 2),
        ("dok", 2),
        ("bitmap", 2),
        ("hicoo(4)", 2),
        ("hicoo(128)", 3),
        ("ucoo", 1),
        ("ucoo", 2),
        ("ucoo(1,0)", 2),
    ],
)
def test_name_of(name: str, order: int):
    format = resolve_format(name, order)
    strange = tuple(f"mode{k}" for k in range(order))
    assert name_of(format) == name
    assert name_of(format.renamed(strange).with_widths(pos="i64", crd="i64")) == name


@pytest.mark.parametrize(
    "line",
    [
        "(i, j) -> (i : compressed(nonunique, nonordered), j : singleton)",
        "(i, j) -> (i / 2 : dense, j / 3 : compressed, i % 4 : dense, j % 3 : dense)",
        "(i, j) -> (i / 2 : dense, j / 3 : compressed, i % 2 : dense)",
        "(i, j) -> (j - i : dense, i : dense)",
    ],
)
def test_nameless(line: str):
    assert name_of(parse_format(line)) is None


def test_a_line_is_one_entry_with_parameters_even_inside_lets():
    entry = Line("pairs", "(i, j) -> (r = i / s in r & 1 : dense, i : dense, j : dense)", "s")
    format = entry.build(2, (4,))
    assert str(format) == "(i, j) -> (r = i / 4 in r & 1 : dense, i : dense, j : dense)"
    assert entry.arguments_of(format) == (4,)
    assert entry.usage == "pairs(s)"


def test_a_name_may_have_widths_of_its_own():
    assert resolve_format("hicoo(4)", 2).crd == "i64"
    assert resolve_format("hicoo(4), pos = i64", 2).crd == "i64"
    assert resolve_format("hicoo(4), crd = i32", 2).crd == "i32"


@pytest.mark.parametrize("name", NAMED_FORMATS)
def test_modes_come_back(name: str):
    """Every named format can be read."""
    arguments = {"bcsr": "(2, 3)", "bcsc": "(2, 3)", "sell": "(4)", "hicoo": "(4)"}
    assert len(invert(resolve_format(name + arguments.get(name, ""), 2))) == 2


def test_the_table():
    assert list(NAMED_FORMATS) == [entry.name for entry in NAMED_FORMATS.values()]
    assert NAMED_FORMATS["csf"].usage == "csf or csf(mode, ...)"
    assert dense_format(3) is resolve_format("dense", 3)
