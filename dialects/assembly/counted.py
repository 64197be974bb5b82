"""
Results by count, scan, fill: a kernel has counted, another one fills what was made room for.

`plan-assembly` writes these:

    %n = cfir.kernel Z2_nir(i) of (..) : tensor<?xi64> { .. }
    %Z0 = assembly.scan %n : tensor<?xi64> -> tensor<?x?xf64, #csr>
    %Z = cfir.kernel Z(i,j) of (..) : tensor<?x?xf64, #csr> into %Z0 { .. }
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.cfir.level_function import INDEX, LevelFunction, level_number
from tamale.dialects.format.attribute import tensor_format


@irdl_op_definition
class ScanOp(IRDLOperation):
    """
    A tensor with room for as many entries as were counted, and with the edges to them.

    The counts are the values of a tensor whose levels are the first ones of the result: how many
    children each of its positions has in the level below. Those levels become the result's; the
    sums of the counts become the edges of that level. `dims` gives the sizes of a tensor that the
    function keeps to itself.
    """

    name = "assembly.scan"
    counts = operand_def(TensorType)
    dims = var_operand_def(INDEX)
    result = result_def(TensorType)
    assembly_format = (
        "$counts (`dims` `(` $dims^ `)`)? attr-dict `:` type($counts) `->` type($result)"
    )

    def __init__(self, counts: SSAValue, dims: Sequence[SSAValue], result_type: Attribute) -> None:
        super().__init__(operands=[counts, dims], result_types=[result_type])

    @property
    def depth(self) -> int:
        """The level whose edges are made; those above it are the counts' own."""
        return len(tensor_format(cast(TensorType[Attribute], self.counts.type)).levels)

    def verify_(self) -> None:
        counts = cast(TensorType[Attribute], self.counts.type)
        if not isinstance(counts.element_type, IntegerType):
            raise VerifyException(f"assembly.scan: {counts} holds no counts")
        own, all_levels = tensor_format(counts).levels, tensor_format(self.result.type).levels
        if len(own) >= len(all_levels):
            raise VerifyException(
                f"assembly.scan: {counts} has a count for each position of {len(own)} levels, "
                f"but the result has only {len(all_levels)}"
            )
        for number, (given, wanted) in enumerate(zip(own, all_levels, strict=False)):
            if (given.kind, given.properties) != (wanted.kind, wanted.properties):
                raise VerifyException(
                    f"assembly.scan: level {number} of the counts is '{given}', that of the "
                    f"result '{wanted}'"
                )


@irdl_op_definition
class FirstPosOp(LevelFunction):
    """`first_pos(p) -> p'`: where the positions below parent position p begin."""

    name = "assembly.first_pos"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    position = result_def(INDEX)
    assembly_format = "$tensor $level `(` $parent_pos `)` attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int, parent: SSAValue) -> None:
        super().__init__(
            operands=[tensor, parent], properties=level_number(level), result_types=[INDEX]
        )


@irdl_op_definition
class EndEdgesOp(LevelFunction):
    """
    `end_edges(p, n)`: the children of all parent positions up to p, p included, are n.

    Several workers may say so at the same time, of other parents; `enlarge` has to follow.
    """

    name = "assembly.end_edges"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    end = operand_def(INDEX)
    assembly_format = "$tensor $level `(` $parent_pos `,` $end `)` attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int, parent: SSAValue, end: SSAValue) -> None:
        super().__init__(operands=[tensor, parent, end], properties=level_number(level))


@irdl_op_definition
class EnlargeOp(LevelFunction):
    """`enlarge(n)`: n more positions were counted, wherever they are."""

    name = "assembly.enlarge"
    tensor = operand_def(TensorType)
    count = operand_def(INDEX)
    assembly_format = "$tensor $level `(` $count `)` attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int, count: SSAValue) -> None:
        super().__init__(operands=[tensor, count], properties=level_number(level))


COUNTED: tuple[type[Operation], ...] = (ScanOp, FirstPosOp, EndEdgesOp, EnlargeOp)
