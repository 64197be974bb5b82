"""
The linalg dialect: xDSL's, whose `linalg.generic` also reads its trait from an alias, `#trait`, as
most MLIR that people write has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DictionaryAttr, StringAttr
from xdsl.dialects.linalg import Linalg, ops
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.parser import Parser

FillOp = ops.FillOp
YieldOp = ops.YieldOp


class GenericOp(ops.GenericOp):
    """
    Loops over tensors: indexing maps say which element of each operand the body gets.

        %y = linalg.generic #trait ins(%A, %x : ...) outs(%y0 : ...) { ... } -> tensor<?xf64>

    See external [documentation](https://mlir.llvm.org/docs/Dialects/Linalg/#linalggeneric-linalggenericop).
    """

    @classmethod
    def parse(cls, parser: Parser) -> GenericOp:
        start = parser.pos
        trait = parser.parse_attribute()
        if not isinstance(trait, DictionaryAttr):
            parser.raise_error("linalg.generic: a trait is a dictionary", start, parser.pos)
        maps, iterators = (trait.data.get(name) for name in ("indexing_maps", "iterator_types"))
        if not isinstance(maps, ArrayAttr) or not isinstance(iterators, ArrayAttr):
            message = "linalg.generic: a trait has 'indexing_maps' and 'iterator_types'"
            parser.raise_error(message, start, parser.pos)
        inputs, outputs = _parse_operands(parser, "ins"), _parse_operands(parser, "outs")
        attributes = dict[str, Attribute]()
        if parser.parse_optional_keyword("attrs") is not None:
            parser.parse_punctuation("=")
            attributes = dict(parser.parse_optional_attr_dict())
        body, types = parser.parse_region(), list[Attribute]()
        if parser.parse_optional_punctuation("->") is not None:
            types = _parse_types(parser)
        op = cls(
            inputs,
            outputs,
            body,
            cast("ArrayAttr[AffineMapAttr]", maps),
            [_iterator(parser, each, start) for each in cast("ArrayAttr[Attribute]", iterators)],
            types,
            _string(trait, "doc"),
            _string(trait, "library_call"),
        )
        op.attributes |= attributes
        return op


def _parse_operands(parser: Parser, keyword: str) -> Sequence[SSAValue]:
    """`ins(%a, %b : type, type)`, or nothing."""
    if parser.parse_optional_keyword(keyword) is None:
        return ()
    start = parser.pos
    with parser.in_parens():
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    return parser.resolve_operands(operands, types, start)


def _parse_types(parser: Parser) -> list[Attribute]:
    """One type, or several in parentheses."""
    several = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return list(several) if several is not None else [parser.parse_type()]


def _iterator(parser: Parser, given: Attribute, start: int) -> IteratorTypeAttr:
    if isinstance(given, IteratorTypeAttr):
        return given
    known = [str(kind) for kind in IteratorType]
    if not isinstance(given, StringAttr) or given.data not in known:
        parser.raise_error(f"linalg.generic: {given} is none of {known}", start, parser.pos)
    return IteratorTypeAttr(IteratorType(given.data))


def _string(trait: DictionaryAttr, name: str) -> StringAttr | None:
    value = trait.data.get(name)
    return value if isinstance(value, StringAttr) else None


LINALG = Dialect(
    "linalg",
    [GenericOp if op is ops.GenericOp else op for op in Linalg.operations],
    [*Linalg.attributes],
)
