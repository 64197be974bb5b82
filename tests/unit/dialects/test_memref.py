"""`memref.realloc`, the op that xDSL lacks."""

import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from tamale.dialects import tamale_context
from tamale.dialects.memref import MEMREF, ReallocOp


def realloc(line: str) -> str:
    """A function that resizes its argument."""
    source = line.rsplit(" : ", 1)[1].split(" to ")[0]
    return f"func.func @f(%a: {source}, %n: index) {{\n  %b = {line}\n  func.return\n}}"


@pytest.mark.parametrize(
    "line",
    [
        "memref.realloc %a(%n) : memref<?xf64> to memref<?xf64>",
        "memref.realloc %a : memref<?xf64> to memref<4xf64>",
        "memref.realloc %a(%n) {alignment = 8 : i64} : memref<4xf64> to memref<?xf64>",
    ],
)
def test_upstream_syntax(line: str):
    module = Parser(tamale_context(), realloc(line)).parse_module()
    module.verify()
    assert line in str(module)


@pytest.mark.parametrize(
    "line, message",
    [
        ("memref.realloc %a : memref<?xf64> to memref<?xf64>", "needs a size operand"),
        ("memref.realloc %a(%n) : memref<?xf64> to memref<4xf64>", "needs no size operand"),
        ("memref.realloc %a(%n) : memref<?xf64> to memref<?xi64>", "must stay the same"),
        ("memref.realloc %a(%n) : memref<?x?xf64> to memref<?xf64>", "one-dimensional"),
    ],
)
def test_what_it_refuses(line: str, message: str):
    module = Parser(tamale_context(), realloc(line)).parse_module()
    with pytest.raises(VerifyException, match=message):
        module.verify()


def test_the_dialect_has_the_rest_as_well():
    names = {op.name for op in MEMREF.operations}
    assert {ReallocOp.name, "memref.load", "memref.alloca"} <= names
