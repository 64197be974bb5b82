"""Locations: of ops, and of errors that xDSL reports without one."""

import re
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
    line, _ = LineTable(text).line_and_column(caught.value.span.start)
    assert line == 2


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


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("dense<0x3FF0000000000000> : tensor<2xf64>", "dense<1.000000e+00> : tensor<2xf64>"),
        ("dense<[0xC0000000, 2.5]> : tensor<2xf32>", "dense<[-2.000000e+00, 2.500000e+00]>"),
        ("dense<0x3C00> : tensor<1xf16>", "dense<1.000000e+00> : tensor<1xf16>"),
        ("dense<[0x7FF0000000000000, 1.0]> : tensor<2xf64>", "dense<[0x7ff0000000000000, 1.0"),
        ("dense<0x10> : tensor<2xi32>", "dense<16> : tensor<2xi32>"),
    ],
)
def test_hexadecimal_elements_are_the_bits_of_floats(written: str, read: str):
    text = f'"test.op"() {{a = {written}}} : () -> ()'
    module = LocatedParser(tamale_context(), text, "f").parse_module()
    assert read in str(module)
    again = LocatedParser(tamale_context(), str(module), "f").parse_module()
    assert str(again) == str(module)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("dense<0x3FF00000000000001> : tensor<1xf64>", "float of f64 has 64 bits at most"),
        ("dense<-0x3F> : tensor<1xf64>", "hexadecimal floats have no sign"),
        ("dense<0x3F> : tensor<1xf128>", "literals of this type are not read"),
        ("dense<(0x3F, 0x3F)> : tensor<1xcomplex<f64>>", "hexadecimal parts of complex numbers"),
    ],
)
def test_hexadecimal_elements_that_are_no_bits(written: str, message: str):
    text = f'"test.op"() {{a = {written}}} : () -> ()'
    with pytest.raises(ParseError, match=message):
        LocatedParser(tamale_context(), text, "f").parse_module()


@pytest.mark.parametrize("text", ["", "\n\n", "// a comment\n"])
def test_an_empty_file_is_an_empty_module(text: str):
    assert not LocatedParser(tamale_context(), text, "f").parse_module().ops.first


@pytest.mark.parametrize("letter", "%#!^")
def test_a_letter_that_begins_no_name(letter: str):
    with pytest.raises(ParseError, match=re.escape(f"expected a name after '{letter}'")):
        LocatedParser(tamale_context(), f"{letter}{letter}", "f").parse_module()


@pytest.mark.parametrize("written", ["1.0 : f128", "1 : f80", "[{b = -1.0 : f128}]"])
def test_floats_that_xdsl_could_not_print(written: str):
    text = f'"test.op"() {{a = {written}}} : () -> ()'
    with pytest.raises(ParseError, match="literals of this type are not read"):
        LocatedParser(tamale_context(), text, "f").parse_module()


def test_operands_that_are_missing_are_said_at_the_op():
    """xDSL makes the body of a named op from its operands."""
    text = "func.func @f() {\n  linalg.fill\n  func.return\n}"
    with pytest.raises(ParseError, match="operands of this op are missing") as caught:
        LocatedParser(tamale_context(), text, "in.mlir").parse_module()
    line, _ = LineTable(text).line_and_column(caught.value.span.start)
    assert line == 2
