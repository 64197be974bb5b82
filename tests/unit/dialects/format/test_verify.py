"""Formats that were made by hand obey the same rules as parsed ones."""

from dataclasses import replace

import pytest

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expressions import Const, Var
from tamale.dialects.format.level import Level
from tamale.dialects.format.notation import parse_format
from tamale.dialects.format.spec import Format
from tamale.dialects.format.verify import problems, verify_format, with_defaults_omitted

I, J = Var("i"), Var("j")
CSR = parse_format("(i, j) -> (i : dense, j : compressed)")


def test_a_correct_format_passes():
    verify_format(CSR)
    verify_format(Format((), ()))


def test_all_problems_are_listed_with_their_place():
    format = Format(("i", "2"), (Level(I, "dens"), Level(Const(3), "dense", (("unique", False),))))
    found = [(problem.part, problem.number) for problem in problems(format)]
    assert found == [("mode", 1), ("kind", 0), ("options", 1), ("mode", 1)]
    with pytest.raises(FormatError) as error:
        verify_format(format)
    assert str(error.value).splitlines() == [
        "format: '2' cannot name a mode",
        "format: level 1 ('i : dens') has an unknown kind 'dens' (did you mean 'dense'?); "
        + str(error.value).splitlines()[1].partition("; ")[2],
        "format: level 2 ('3 : dense(nonunique)') has option 'nonunique', "
        "but 'dense' takes no options",
        "format: mode '2' is not stored by any level",
        "  in '(i, 2) -> (i : dens, 3 : dense(nonunique))'",
    ]


@pytest.mark.parametrize("name", ["in", "mod", "2", "", "é", "a b", "?m"])
def test_names_of_modes(name: str):
    with pytest.raises(FormatError, match="cannot name a mode"):
        verify_format(Format((name,), (Level(Var(name), "dense"),)))


def test_widths():
    with pytest.raises(FormatError, match="pos has width 'i8'; use i32 or i64"):
        verify_format(replace(CSR, pos="i8"))


@pytest.mark.parametrize(
    "said",
    [
        (("unique", True),),
        (("ordered", False), ("unique", False)),
        (("ordered", True), ("unique", False)),
    ],
)
def test_options_must_be_in_normal_form(said: tuple[tuple[str, bool], ...]):
    format = Format(("i",), (Level(I, "compressed", said),))
    assert problems(format) == ()
    with pytest.raises(FormatError, match="is not in normal form"):
        verify_format(format)
    verify_format(with_defaults_omitted(format))


def test_an_option_may_not_be_said_twice():
    format = Format(("i",), (Level(I, "compressed", (("unique", False), ("unique", False))),))
    with pytest.raises(FormatError, match="says twice whether it is 'unique'"):
        verify_format(format)
