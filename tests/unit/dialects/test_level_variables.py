"""Names of loops over levels, and modes told by them."""

from itertools import product

import pytest

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expression_parser import parse_expression
from tamale.dialects.format.expressions import evaluate, to_text
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.notation import parse_format
from tamale.dialects.level_variables import derived_modes, expression_name, level_variables
from tamale.dialects.notation.ast import Access

A = Access("A", ("r", "c"))


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        ("csc", ("c", "r")),
        ("dia", ("c_sub_r", "r", "c")),
        ("ell", ("A1", "r", "c")),
        ("bcsr(2, 3)", ("r_div_2", "c_div_3", "r_mod_2", "c_mod_3")),
        ("sell(4)", ("r_div_4", "A2", "r_mod_4", "c")),
        ("(i, j) -> (i >> 1 : dense, i & 1 : dense, j : dense)", ("r_div_2", "r_mod_2", "c")),
        ("(i, j) -> (#i + j : dense, i : dense, j : dense)", ("A1", "r", "c")),
    ],
)
def test_named_after_what_is_stored(format: str, expected: tuple[str, ...]):
    assert level_variables(A, resolve_format(format, 2)) == expected


def test_equal_expressions_are_shared_and_counters_are_not():
    ell = resolve_format("ell")
    b = Access("B", ("r", "c"))
    assert level_variables(b, ell) == ("B1", "r", "c")
    shifted = parse_format("(i, j) -> (i >> 2 : dense, j : dense, i % 4 : dense)")
    divided = parse_format("(x, y) -> (x / 4 : dense, y : dense, x & 3 : dense)")
    assert level_variables(A, shifted) == level_variables(b, divided)


def test_one_access_never_has_a_name_twice():
    twice = parse_format("(i) -> (i / 2 : dense, i >> 1 : dense, i % 2 : dense)")
    assert level_variables(Access("v", ("i",)), twice) == ("i_div_2", "i_div_2_", "i_mod_2")
    ell = resolve_format("ell")
    assert level_variables(Access("A", ("A1", "j")), ell) == ("A1_", "A1", "j")


def test_names_tell_expressions_apart():
    texts = [
        "j - i / 2",
        "(j - i) / 2",
        "j - (i - 2)",
        "j - i - 2",
        "i + -1",
        "i - 1",
        "(i & 1) | ((j & 1) << 1) | ((i & 2) << 1) | ((j & 2) << 2)",
        "(i & 1) | ((j & 1) << 1) | ((i & 2) << 1) | ((j & 4) << 2)",
    ]
    names = [expression_name(parse_expression(text)) for text in texts]
    assert len(set(names)) == len(names)
    assert names[1] == "j_sub_i_div_2"
    assert all(name.isidentifier() and len(name) < 40 for name in names)


def test_derived_modes_come_as_soon_as_levels_tell_them():
    derived = derived_modes(A, resolve_format("sell(4)"))
    assert [(d.variable, to_text(d.value), d.level) for d in derived] == [
        ("r", "r_div_4 * 4 + r_mod_4", 2)
    ]
    assert derived_modes(A, resolve_format("csr")) == ()
    assert derived_modes(A, resolve_format("dia")) == ()


@pytest.mark.parametrize("name", ["bcsr(2, 3)", "hicoo(4)", "sell(4)"])
def test_derived_modes_are_right(name: str):
    format = resolve_format(name, 2)
    variables = level_variables(A, format)
    for point in product(range(7), repeat=2):
        modes = dict(zip(format.modes, point, strict=True))
        values = {
            variable: evaluate(level.expression, modes)
            for variable, level in zip(variables, format.levels, strict=True)
            if not variable.startswith("A")
        }
        for derived in derived_modes(A, format):
            assert evaluate(derived.value, values) == point[A.indices.index(derived.variable)]


def test_modes_that_are_lost_are_named():
    lossy = parse_format("(i, j) -> (i / 2 : dense, j : dense)")
    with pytest.raises(FormatError, match="'i' cannot be computed"):
        derived_modes(A, lossy)
