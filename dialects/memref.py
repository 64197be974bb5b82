"""
The memref dialect: xDSL's, and the two upstream ops of it that xDSL lacks.

Growing an output buffer needs `memref.realloc`, telling the processor what comes next
`memref.prefetch`. Both are spelt exactly as upstream, so that the last form stays readable by
`mlir-opt`.
"""

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I32,
    BoolAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    i32,
)
from xdsl.dialects.memref import CastOp, MemRef
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryAllocEffect, MemoryFreeEffect
from xdsl.utils.exceptions import VerifyException

ASCENDING = "ascending"
"""An attribute of a load whose value never falls as its place grows: a sorted array's."""


@irdl_op_definition
class ReallocOp(IRDLOperation):
    """
    Changes the size of a heap buffer, keeping its elements up to the smaller of the two sizes.

        %grown = memref.realloc %buffer(%size) : memref<?xf64> to memref<?xf64>

    `source` must not be used afterwards. The size operand is there exactly when the result type is
    dynamic.

    See external [documentation](https://mlir.llvm.org/docs/Dialects/MemRef/#memrefrealloc-memrefreallocop).
    """

    name = "memref.realloc"

    source = operand_def(base(MemRefType))
    dynamic_size = opt_operand_def(IndexType())
    result = result_def(base(MemRefType))

    traits = traits_def(MemoryAllocEffect(), MemoryFreeEffect())

    assembly_format = (
        "$source (`(` $dynamic_size^ `)`)? attr-dict `:` type($source) `to` type($result)"
    )

    def __init__(
        self,
        source: SSAValue | Operation,
        dynamic_size: SSAValue | Operation | None,
        result_type: MemRefType,
    ):
        super().__init__(
            operands=[source, [] if dynamic_size is None else [dynamic_size]],
            result_types=[result_type],
        )

    def verify_(self) -> None:
        source, result = (cast(MemRefType[Attribute], v.type) for v in (self.source, self.result))
        if source.get_num_dims() != 1 or result.get_num_dims() != 1:
            raise VerifyException(
                f"memref.realloc: one-dimensional memrefs only, got {source} to {result}."
            )
        if source.element_type != result.element_type:
            raise VerifyException(
                f"memref.realloc: the element type must stay the same, got {source} to {result}."
            )
        is_dynamic = result.get_shape()[0] == DYNAMIC_INDEX
        if is_dynamic != (self.dynamic_size is not None):
            raise VerifyException(
                f"memref.realloc: a result of type {result} needs "
                f"{'a' if is_dynamic else 'no'} size operand."
            )


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """
    Asks for an element to be brought near before it is read or written; changes nothing.

        memref.prefetch %array[%i], read, locality<3>, data : memref<?xf64>

    See external [documentation](https://mlir.llvm.org/docs/Dialects/MemRef/#memrefprefetch-memrefprefetchop).
    """

    name = "memref.prefetch"

    memref = operand_def(base(MemRefType))
    indices = var_operand_def(IndexType())
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality = prop_def(IntegerAttr[I32], prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")

    MOST: ClassVar = 3
    """The locality of what stays in all caches."""

    def __init__(
        self,
        memref: SSAValue,
        indices: Sequence[SSAValue],
        *,
        is_write: bool = False,
        locality: int = MOST,
        is_data_cache: bool = True,
    ):
        super().__init__(
            operands=[memref, indices],
            properties={
                "isWrite": BoolAttr.from_bool(is_write),
                "localityHint": IntegerAttr(locality, i32),
                "isDataCache": BoolAttr.from_bool(is_data_cache),
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> "PrefetchOp":
        array = parser.parse_unresolved_operand()
        square = parser.Delimiter.SQUARE
        places = parser.parse_comma_separated_list(square, parser.parse_unresolved_operand)
        parser.parse_punctuation(",")
        is_write = parser.expect(lambda: _choice(parser, "read", "write"), "'read' or 'write'")
        parser.parse_punctuation(",")
        parser.parse_keyword("locality")
        with parser.in_angle_brackets():
            locality = parser.parse_integer(allow_boolean=False, allow_negative=False)
        parser.parse_punctuation(",")
        is_data = parser.expect(lambda: _choice(parser, "instr", "data"), "'data' or 'instr'")
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        memref = parser.resolve_operand(array, parser.parse_type())
        indices = [parser.resolve_operand(place, IndexType()) for place in places]
        op = cls(memref, indices, is_write=is_write, locality=locality, is_data_cache=is_data)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.memref)
        with printer.in_square_brackets():
            printer.print_list(self.indices, printer.print_ssa_value)
        kind = "write" if self.is_write else "read"
        cache = "data" if self.is_data_cache else "instr"
        printer.print_string(f", {kind}, locality<{self.locality.value.data}>, {cache}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.memref.type)

    def verify_(self) -> None:
        type = cast(MemRefType[Attribute], self.memref.type)
        if type.get_num_dims() != len(self.indices):
            raise VerifyException(
                f"memref.prefetch: {len(self.indices)} indices into an array of type {type}."
            )
        if self.locality.value.data > self.MOST:
            raise VerifyException(
                f"memref.prefetch: a locality is 0 to {self.MOST}, not {self.locality.value.data}."
            )


def _choice(parser: Parser, no: str, yes: str) -> bool | None:
    """Which of two keywords comes next; None if neither."""
    if parser.parse_optional_keyword(no) is not None:
        return False
    return True if parser.parse_optional_keyword(yes) is not None else None


MEMREF = Dialect("memref", [*MemRef.operations, ReallocOp, PrefetchOp], [*MemRef.attributes])


def root_of(array: SSAValue) -> SSAValue:
    """The memref that `array` is another type of."""
    while type(cast := array.owner) is CastOp:
        array = cast.source
    return array
