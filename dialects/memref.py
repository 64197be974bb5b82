"""
The memref dialect: xDSL's, and the one upstream op of it that xDSL lacks.

Growing an output buffer needs `memref.realloc`. It is spelt exactly as upstream, so that the last
form stays readable by `mlir-opt`.
"""

from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType
from xdsl.dialects.memref import MemRef
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryAllocEffect, MemoryFreeEffect
from xdsl.utils.exceptions import VerifyException


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


MEMREF = Dialect("memref", [*MemRef.operations, ReallocOp], [*MemRef.attributes])
