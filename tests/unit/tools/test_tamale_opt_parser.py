"""Locations: of ops, and of errors that xDSL reports without one."""

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import FileLineColLoc
from xdsl.ir import Dialect, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

from tamale.dialects import tamale_context
from tamale.dialects.locations import error_location
from tamale.tools.opt.located_parser import LineTable, LocatedParser


@given(st.text(alphabet="ab\n", min_size=1))
def test_line_table_counts_newlines(text: str):
    table = LineTable(text)
    for position in range(len(text)):
        before = text[:position]
        column = position - (before.rfind("\n") + 1) + 1
        assert table.line_and_column(position) == (before.count("\n") + 1, column)


def test_every_op_knows_its_place():
    nested = '"test.op"() ({\n  "test.termop"() : () -> ()\n}) : () -> ()'
    text = f'%a = "test.op"() : () -> i32\n\n{nested}'
    module = LocatedParser(tamale_context(), text, "f").parse_module()
    places = [
        (place.line.data, place.column.data)
        for op in module.walk()
        if op is not module
        for place in [cast(FileLineColLoc, op.location)]
    ]
    assert places == [(1, 1), (3, 1), (4, 3)]


def test_an_explicit_location_stays():
    parser = LocatedParser(tamale_context(), '"test.op"() : () -> () loc("g":7:9)', "f")
    op = next(iter(parser.parse_module().ops))
    assert str(op.location) == 'loc("g":7:9)'


@irdl_attr_definition
class PickyAttr(ParametrizedAttribute):
    """Refuses to exist."""

    name = "picky.attr"

    def verify(self) -> None:
        raise VerifyException("picky.attr: no")


def test_a_refused_attribute_is_located():
    context = tamale_context()
    context.load_dialect(Dialect("picky", [], [PickyAttr]))
    text = 'builtin.module {\n  "test.op"() {a = 1 : i32,\n  b = #picky.attr} : () -> ()\n}'
    with pytest.raises(VerifyException, match="picky.attr: no") as caught:
        LocatedParser(context, text, "f").parse_module()
    place = error_location(caught.value)
    assert place is not None
    assert place.line.data == 3


def test_an_undefined_value_is_located_at_its_first_use():
    text = '"test.op"() : () -> ()\n"test.op"(%no) : (i32) -> ()\n"test.op"() : () -> ()\n'
    with pytest.raises(ParseError, match="%no") as caught:
        LocatedParser(tamale_context(), text, "f").parse_module()
    assert caught.value.span.get_location().line == 2


def test_a_quote_that_is_never_closed_is_found_at_once():
    """xDSL's lexer needs time for it that doubles with every letter."""
    text = f'"test.op{"x" * 60}() : () -> ()'
    for before in ("", "builtin.module {} "):
        with pytest.raises(ParseError, match="closing string literal"):
            LocatedParser(tamale_context(), before + text, "f").parse_module()


@pytest.mark.parametrize("text", [r'"a\n\22\""', '""', '"é λ"', '"a b"'])
def test_string_literals_are_read_as_xdsl_reads_them(text: str):
    ours = LocatedParser(tamale_context(), text, "f").parse_str_literal()
    assert ours == Parser(tamale_context(), text).parse_str_literal()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"test.op"() : ' + "(" * 3000 + "i32" + ")" * 3000 + " -> ()", "too much is nested"),
        (f"cin.forall i in {'~' * 3000}A.i {{}}", "more than 100 sets are nested"),
        (f"cin.forall i in {'(' * 3000}A.i{')' * 3000} {{}}", "more than 100 sets are nested"),
    ],
)
def test_deep_texts_are_refused(text: str, message: str):
    with pytest.raises(ParseError, match=message):
        LocatedParser(tamale_context(), text, "f").parse_module()
