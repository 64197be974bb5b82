"""`#format.spec` in IR: syntax, places of errors, and what tensor types say."""

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, StringAttr, TensorType, f64
from xdsl.dialects.test import Test
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

from tamale.dialects.errors import FormatError
from tamale.dialects.format.attribute import FORMAT, FormatAttr, tensor_format, verify_tensor_type
from tamale.dialects.format.expressions import Var
from tamale.dialects.format.level import Level
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.spec import Format


def parser_of(text: str) -> Parser:
    context = Context()
    for dialect in (Builtin, Test, FORMAT):
        context.load_dialect(dialect)
    return Parser(context, text, "input.mlir")


def parse(text: str) -> Attribute:
    return parser_of(text).parse_attribute()


CSR = "(i, j) -> (i : dense, j : compressed)"


@pytest.mark.parametrize(
    "line",
    [
        CSR,
        "() -> ()",
        "(i, j) -> (i / 2 : dense, i % 2 : dense, j & 3 << 1 : dense, j >> 2 : dense), pos = i64",
        "(i, j) -> (k = #i in k : dense, # : dense, i : dense, j : singleton(nonunique))",
    ],
)
def test_syntax(line: str):
    text = f"#format.spec<{line}>"
    attribute = parse(text)
    assert isinstance(attribute, FormatAttr)
    assert str(attribute) == text
    assert parse(f"#format<spec<{line}>>") == attribute
    tensor = f"tensor<?x?xf64, {text}>"
    assert str(parser_of(tensor).parse_type()) == tensor


def test_aliases_comments_and_line_breaks():
    module = parser_of(f"""
#csr = #format.spec<{CSR}>
#blocks = #format.spec<(i) -> ( // levels > 1, see "i >> 1
  i >> 1 : dense,  // halves
  i & 1 : dense)>
"test.op"() {{a = tensor<?x?xf64, #csr>, b = tensor<?xf64, #blocks>}} : () -> ()
""").parse_module()
    (op,) = module.body.block.ops
    formats = [tensor_format(op.attributes[name]) for name in "ab"]  # pyright: ignore
    assert list(map(str, formats)) == [CSR, "(i) -> (i >> 1 : dense, i & 1 : dense)"]


@pytest.mark.parametrize(
    "text, place, message",
    [
        (
            "#format.spec<(i) -> (i : dens)>",
            "1:26",
            "format: level 1 ('i : dens') has an unknown kind",
        ),
        ("#format.spec<(i)\n  -> (i dense)>", "2:9", "format: expected ':' and a level kind"),
        ("#format.spec<(i) -> (i : dense)", "1:13", "this '<' is never closed"),
        ("#format.spec<(i) -> (i : dense>", "1:21", "this '(' is never closed"),
        ("#format.spec<(i) -> (i : dense])>", "1:21", "this '(' is never closed"),
        ("#format.spec (i)", "1:14", "'<' expected"),
        ("#format.spec<csr>", "1:14", "a format line starts with the modes in parentheses"),
        ("#format.spec<>", "1:14", "got the end"),
    ],
)
def test_errors_have_their_place_in_the_file(text: str, place: str, message: str):
    with pytest.raises(ParseError) as error:
        parse(text)
    assert message in error.value.msg
    location = error.value.span.get_location()
    assert f"{location.line}:{location.col}" == place


def test_a_format_made_by_hand_is_verified():
    with pytest.raises(VerifyException, match="level 1 \\('i : dens'\\) has an unknown kind"):
        FormatAttr(Format(("i",), (Level(Var("i"), "dens"),)))


def test_tensor_types_without_encoding_are_dense():
    assert tensor_format(TensorType(f64, [2, 3])) == resolve_format("dense", 2)
    assert tensor_format(TensorType(f64, [])) == resolve_format("dense", 0)


def test_orders_must_agree():
    csr = FormatAttr(resolve_format("csr"))
    verify_tensor_type(TensorType(f64, [2, 3], csr))
    cube = TensorType(f64, [2, 3, 4], csr)
    message = r"format: 'tensor<2x3x4xf64, .*>' has order 3, but its format has 2 modes \(i, j\)\."
    with pytest.raises(FormatError, match=message):
        tensor_format(cube)
    with pytest.raises(VerifyException, match=message):
        verify_tensor_type(cube)
    vector = FormatAttr(resolve_format("dense", 1))
    with pytest.raises(FormatError, match=r"has order 0, but its format has 1 mode \(i\)"):
        tensor_format(TensorType(f64, [], vector))


def test_other_encodings_are_refused():
    with pytest.raises(FormatError, match='xf64, "csr">\' has an encoding that is no #format.spec'):
        tensor_format(TensorType(f64, [2, 3], StringAttr("csr")))
