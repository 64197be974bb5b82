"""Format lines: exact round trips, and errors that name the level and point at the column."""

import pickle
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamale.dialects.format.expressions import Binary, Const, Counter, Expr, Let, Var
from tamale.dialects.format.level import Level
from tamale.dialects.format.notation import parse_format
from tamale.dialects.format.spec import WIDTHS, Format
from tamale.dialects.format.tokens import FormatSyntaxError
from tamale.dialects.format.verify import problems

LINES = [
    "() -> ()",
    "(i) -> (i : dense)",
    "(i, j) -> (i : dense, j : compressed)",
    "(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonordered))",
    "(i, j) -> (i / 2 : dense, j / 3 : compressed, i % 2 : dense, j % 3 : dense)",
    "(i, j) -> (j - i : dense, i : dense, j : dense)",
    "(i, j) -> (k = #i in k : dense, i : dense, j : singleton)",
    "(i, j) -> (#i j : dense, # : dense, i : dense, j : dense), pos = i64, crd = i64",
    "(i) -> (i : compressed), crd = i64",
    "(i, j) -> (r = i / 4 in s = j / 4 in r & 1 | (s & 1) << 1 : dense, i : dense, j : dense)",
]


@pytest.mark.parametrize("line", LINES)
def test_lines_print_as_they_are_written(line: str):
    assert str(parse_format(line)) == line


@pytest.mark.parametrize(
    "line, printed",
    [
        ("(i,j)->(i:dense,j:compressed(unique,ordered)),pos=i32", LINES[2]),
        ("(i, j) -> (i : dense, j : compressed()), posWidth = 32, crdWidth = 32", LINES[2]),
        ("(i, j) -> (i : dense, j : compressed(unique = true))", LINES[2]),
        (
            "(i, j) -> (i : dense, j : compressed(nonordered, nonunique)), crdWidth = 64",
            "(i, j) -> (i : dense, j : compressed(nonunique, nonordered)), crd = i64",
        ),
        (
            "(i, j) -> (i floordiv 2 : dense, j floordiv 3 : compressed,"
            "\n i mod 2 : dense, (j mod 3) : dense)",
            LINES[4],
        ),
        (
            "(i, j) -> (#{i, j} : dense, i : dense, j : dense)",
            "(i, j) -> (#i j : dense, i : dense, j : dense)",
        ),
    ],
)
def test_other_spellings(line: str, printed: str):
    assert str(parse_format(line)) == printed


modes = st.lists(st.sampled_from("ijklmn"), unique=True, max_size=4).map(tuple)


@st.composite
def formats(draw: st.DrawFn) -> Format:
    """Formats that store every mode, some through expressions, in any order."""
    names = draw(modes)
    exprs: list[Expr] = [Var(name) for name in names]
    for name in names:
        match draw(st.integers(0, 4)):
            case 0:
                exprs.append(Binary("/", Var(name), Const(draw(st.integers(1, 9)))))
            case 1:
                exprs.append(Counter((name,)))
            case 2:
                exprs.append(Let("r", Var(name), Binary("&", Var("r"), Const(1))))
            case _:
                pass
    unique = list(dict.fromkeys(draw(st.permutations(exprs))))
    levels = [Level(expr, *draw(kinds(k))) for k, expr in enumerate(unique)]
    width = st.sampled_from(WIDTHS)
    return Format(names, tuple(levels), draw(width), draw(width))


def kinds(k: int) -> st.SearchStrategy[tuple[str, tuple[tuple[str, bool], ...]]]:
    options = st.lists(st.booleans(), min_size=2, max_size=2).map(
        lambda said: tuple(
            (x, False) for x, on in zip(("unique", "ordered"), said, strict=True) if on
        )
    )
    sparse = st.sampled_from(["compressed", "singleton"] if k else ["compressed"])
    return st.tuples(st.just("dense"), st.just(())) | st.tuples(sparse, options)


@settings(deadline=None)
@given(formats())
def test_every_format_reads_back(format: Format):
    assert problems(format) == ()
    again = parse_format(str(format))
    assert again == format
    assert hash(again) == hash(format)
    assert pickle.loads(pickle.dumps(format)) == format


def test_equal_texts_give_the_same_object():
    assert parse_format(LINES[2]) is parse_format("(i, j) -> " + LINES[2][10:])


@pytest.mark.parametrize(
    "line, column, message",
    [
        ("csr", 0, "a format line starts with the modes in parentheses"),
        ("", 0, "such as '(i, j) -> (i : dense, j : compressed)', got the end"),
        ("(i j) -> (i : dense)", 3, "expected ',' or ')' after a mode, got 'j'"),
        ("(2) -> (i : dense)", 1, "expected the name of a mode, got '2'"),
        ("(i, in) -> (i : dense)", 4, "'in' is a reserved word and cannot name a mode"),
        ("(i, i) -> (i : dense)", 4, "mode 'i' is listed twice"),
        ("(i) (i : dense)", 4, "expected '->' after the modes, got '('"),
        ("(i) -> i : dense", 7, "expected '(' before the levels, got 'i'"),
        ("(i) -> (i)", 9, "expected ':' and a level kind after the expression of level 1 ('i')"),
        ("(i) -> (i : )", 12, "expected the kind of level 1 ('i'), such as 'dense', got ')'"),
        ("(i) -> (i : dense", 17, "expected ',' or ')' after level 1, got the end"),
        ("(i) -> (i : dense,)", 18, "expected an expression, got ')'"),
        (
            "(i, j) -> (i : dense, j : compresed)",
            26,
            "level 2 ('j : compresed') has an unknown kind 'compresed' (did you mean "
            "'compressed'?); known kinds: ",
        ),
        ("(i) -> (i : zzz)", 12, "level 1 ('i : zzz') has an unknown kind 'zzz'; known kinds: "),
        (
            "(i) -> (i : dense(nonunique))",
            18,
            "level 1 ('i : dense(nonunique)') has option 'nonunique', but 'dense' takes no options",
        ),
        (
            "(i) -> (i : compressed(nonuniqe))",
            23,
            "has option 'nonuniqe', but 'compressed' takes nonunique, unique, nonordered, ordered",
        ),
        ("(i) -> (i : compressed(unique = 3))", 23, "has option 'unique = 3', but"),
        ("(i) -> (i : compressed(nonunique = true))", 23, "has option 'nonunique', but"),
        ("(i) -> (i : compressed(unique -x))", 31, "as the value of option 'unique'"),
        ("(i) -> (i : compressed(unique nonunique))", 23, "has option 'unique nonunique', but"),
        (
            "(i) -> (i : compressed(unique, nonunique))",
            23,
            "says twice whether it is 'unique'",
        ),
        ("(i) -> (i : compressed(unique ordered x))", 38, "expected ',' or ')' after an option"),
        ("(i) -> (i : compressed(3))", 23, "expected an option of the level, such as 'nonunique'"),
        (
            "(i) -> (i : singleton)",
            8,
            "level 1 ('i : singleton') shares the positions of its parent",
        ),
        (
            "(i) -> (i : dense, q : dense)",
            19,
            "uses 'q', which is no mode of this format (modes: i)",
        ),
        ("(i) -> (i : dense, #q : dense)", 19, "uses 'q', which is no mode of this format"),
        ("() -> (q : dense)", 7, "uses 'q', which is no mode of this format (modes: none)"),
        (
            "(i) -> (i : dense, i : dense)",
            19,
            "level 2 ('i : dense') stores 'i' again; level 1 has",
        ),
        ("(i, j) -> (i : dense)", 4, "mode 'j' is not stored by any level"),
        ("(i, j) -> (i : dense, #j : dense)", 4, "mode 'j' is not stored by any level"),
        ("(i) -> (i / 0 : dense)", 8, "divides by zero in 'i / 0'"),
        ("(i) -> (i << 64 : dense)", 8, "shifts by 64 bits; 0 to 63 are possible in 'i << 64'"),
        ("(i) -> (i = 2 in i : dense)", 8, "binds 'i', which is a mode; choose another name"),
        (
            "(i) -> (r = i in #r : dense, i : dense)",
            8,
            "counts per 'r', which is no mode but bound by a let",
        ),
        ("(i) -> (i : dense) x", 19, "'x' after the end of the format"),
        ("(i) -> (i : dense), vals = i64", 20, "expected 'pos' or 'crd' and its width, got 'vals'"),
        ("(i) -> (i : dense), pos = i16", 26, "expected an index width, i32 or i64, got 'i16'"),
        ("(i) -> (i : dense), pos i64", 24, "expected '=' after 'pos', got 'i64'"),
        ("(i) -> (i : dense), pos = i64, pos = i32", 31, "the width of 'pos' is given twice"),
        ("(i) -> (i ? dense)", 10, "'?' has no meaning in a format line"),
    ],
)
def test_errors(line: str, column: int, message: str):
    with pytest.raises(FormatSyntaxError) as error:
        parse_format(line)
    assert message in error.value.message
    assert error.value.start == column
    assert str(error.value).startswith("format: ")
    assert pickle.loads(pickle.dumps(error.value)).start == column


def test_the_caret_stands_under_the_problem():
    with pytest.raises(FormatSyntaxError) as error:
        parse_format("(i, j) -> (i : dense,\n   j : compresed)")
    assert str(error.value).split("\n", 1)[1] == "     j : compresed)\n         ^~~~~~~~~"


def test_independent_problems_are_reported_together():
    with pytest.raises(FormatSyntaxError) as error:
        parse_format("(i, j) -> (i / 0 : dense, q : dens)")
    for part in ("divides by zero", "'dens'", "uses 'q'", "mode 'j'"):
        assert part in error.value.message


def test_lets_that_double_without_end_are_refused():
    doubling = "".join(f"x{n + 1} = x{n} + x{n} in " for n in range(40))
    with pytest.raises(FormatSyntaxError, match="is too large once its lets are written out"):
        parse_format(f"(i) -> (x0 = i in {doubling} x40 : dense, i : dense)")


def test_widths_are_part_of_equality():
    format = parse_format(LINES[2])
    assert replace(format, pos="i64") != format
    assert format.with_widths(pos="i64") == parse_format(LINES[2] + ", pos = i64")
