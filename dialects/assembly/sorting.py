"""Sorting a list of coordinates or segments of it, for orders that the source does not have."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import TensorType, UnitAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_prop_def, result_def
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.cfir.level_function import LevelFunction, level_number
from tamale.dialects.format.attribute import tensor_format


@irdl_op_definition
class SortOp(IRDLOperation):
    """
    The entries of a coordinate list in the lexicographic order of its levels; equal ones keep
    their order.

        %T = assembly.sort %S : tensor<S> -> tensor<T>

    S and T have the same levels, a compressed one and singletons below it, and T's are ordered.
    """

    name = "assembly.sort"
    source = operand_def(TensorType)
    result = result_def(TensorType)
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue, result_type: Attribute) -> None:
        super().__init__(operands=[source], result_types=[result_type])

    def verify_(self) -> None:
        source = tensor_format(cast(TensorType[Attribute], self.source.type))
        result = tensor_format(self.result.type)
        for format in (source, result):
            kinds = [level.kind for level in format.levels]
            if kinds != ["compressed"] + ["singleton"] * (len(kinds) - 1):
                raise VerifyException(f"assembly.sort: '{format}' is no list of coordinates")
        expressions = [level.expression for level in source.levels]
        if expressions != [level.expression for level in result.levels]:
            raise VerifyException(f"assembly.sort: '{source}' and '{result}' have other levels")


@irdl_op_definition
class SortSegmentsOp(LevelFunction):
    """
    Puts the coordinates below each parent position of a level in ascending order; equal ones keep
    their order.

        assembly.sort_segments %B 1 with_values : tensor<B>

    With values, the branchless levels below share the positions: their coordinates decide between
    equal ones, and they and the values move along. Without, no position has been used yet, and
    nothing is below the level.
    """

    name = "assembly.sort_segments"
    tensor = operand_def(TensorType)
    with_values = opt_prop_def(UnitAttr)
    assembly_format = "$tensor $level (`with_values` $with_values^)? attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int, *, with_values: bool) -> None:
        properties = level_number(level)
        if with_values:
            properties["with_values"] = UnitAttr()
        super().__init__(operands=[tensor], properties=properties)

    def verify_(self) -> None:
        super().verify_()
        format = tensor_format(self.tensor_type)
        below = range(self.level_index + 1, len(format.levels))
        if self.with_values is not None and not all(format.properties(k).branchless for k in below):
            raise VerifyException(
                f"assembly.sort_segments: values of '{format}' are not at the positions of level "
                f"{self.level_index}"
            )
