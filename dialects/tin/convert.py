"""`tin.convert`: the same tensor in another format."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.format.attribute import (
    read_selection,
    tensor_format,
    verify_selection,
    verify_tensor_type,
)
from tamale.dialects.format.selection import Selection


@irdl_op_definition
class ConvertOp(IRDLOperation):
    """
    The same tensor, stored as the result's type says.

        %B = tin.convert %A : tensor<?x?xf64, #csr> -> tensor<?x?xf64, #ell>

    Where the source is padded, only values other than zero are converted; where the target holds
    every coordinate once, duplicates are added up.

        %B = tin.convert %A where "#i < 3 && j != i" : tensor<?x?xf64, #csr> -> tensor<?x?xf64>

    takes only the entries that are selected. Modes are called as in the source's format; `#i`
    counts all its entries in the order of its storage, or in that of their coordinates where
    duplicates have to be added up before they are counted.
    """

    name = "tin.convert"
    source = operand_def(TensorType)
    where = opt_prop_def(StringAttr)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$source (`where` $where^)? attr-dict `:` type($source) `->` type($result)"

    def __init__(
        self, source: SSAValue, result_type: Attribute, where: Selection | None = None
    ) -> None:
        super().__init__(
            operands=[source],
            properties={"where": None if where is None else StringAttr(str(where))},
            result_types=[result_type],
        )

    @property
    def selection(self) -> Selection | None:
        """Which entries are taken, over the source's modes; None: all."""
        return read_selection(self.where)

    def verify_(self) -> None:
        source, result = cast(TensorType[Attribute], self.source.type), self.result.type
        verify_tensor_type(source)
        verify_tensor_type(result)
        if source.get_shape() != result.get_shape():
            raise VerifyException(f"tin.convert: {source} and {result} have different sizes")
        if source.element_type != result.element_type:
            raise VerifyException(f"tin.convert: {source} and {result} hold different elements")
        verify_selection("tin.convert", self.where, tensor_format(source))
