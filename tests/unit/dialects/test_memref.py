"""`memref.realloc` and `memref.prefetch`, the ops that xDSL lacks."""

import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

from tamale.dialects import tamale_context
from tamale.dialects.memref import MEMREF, PrefetchOp, ReallocOp


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


def prefetch(line: str) -> str:
    """A function that asks for an element of its argument."""
    return f"func.func @f(%a: memref<?x?xf64>, %i: index) {{\n  {line}\n  func.return\n}}"


@pytest.mark.parametrize(
    "line",
    [
        "memref.prefetch %a[%i, %i], read, locality<3>, data : memref<?x?xf64>",
        "memref.prefetch %a[%i, %i], write, locality<0>, instr {x = 1 : i64} : memref<?x?xf64>",
    ],
)
def test_upstream_syntax_of_prefetches(line: str):
    module = Parser(tamale_context(), prefetch(line)).parse_module()
    module.verify()
    assert line in str(module)


@pytest.mark.parametrize(
    "line, message",
    [
        ("memref.prefetch %a[%i], read, locality<3>, data : memref<?x?xf64>", "1 indices into"),
        ("memref.prefetch %a[%i, %i], read, locality<4>, data : memref<?x?xf64>", "0 to 3, not 4"),
    ],
)
def test_what_prefetches_it_refuses(line: str, message: str):
    module = Parser(tamale_context(), prefetch(line)).parse_module()
    with pytest.raises(VerifyException, match=message):
        module.verify()


@pytest.mark.parametrize(
    "kind, cache, missing", [("reads", "data", "read"), ("read", "x", "instr")]
)
def test_misspelt_prefetches(kind: str, cache: str, missing: str):
    line = f"memref.prefetch %a[%i, %i], {kind}, locality<3>, {cache} : memref<?x?xf64>"
    with pytest.raises(ParseError, match=missing):
        Parser(tamale_context(), prefetch(line)).parse_module()


def test_the_dialect_has_the_rest_as_well():
    names = {op.name for op in MEMREF.operations}
    assert {ReallocOp.name, PrefetchOp.name, "memref.load", "memref.alloca"} <= names
