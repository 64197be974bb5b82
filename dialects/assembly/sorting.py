"""Sorting a list of coordinates, for targets whose order the source does not have."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def
from xdsl.utils.exceptions import VerifyException

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
