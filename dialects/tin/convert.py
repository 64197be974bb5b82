"""`tin.convert`: the same tensor in another format."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.format.attribute import verify_tensor_type


@irdl_op_definition
class ConvertOp(IRDLOperation):
    """
    The same tensor, stored as the result's type says.

        %B = tin.convert %A : tensor<?x?xf64, #csr> -> tensor<?x?xf64, #ell>

    Where the source is padded, only values other than zero are converted; where the target holds
    every coordinate once, duplicates are added up.
    """

    name = "tin.convert"
    source = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue, result_type: Attribute) -> None:
        super().__init__(operands=[source], result_types=[result_type])

    def verify_(self) -> None:
        source, result = self.source.type, self.result.type
        assert isinstance(source, TensorType)
        verify_tensor_type(source)
        verify_tensor_type(result)
        if source.get_shape() != result.get_shape():
            raise VerifyException(f"tin.convert: {source} and {result} have different sizes")
        if source.element_type != result.element_type:
            raise VerifyException(f"tin.convert: {source} and {result} hold different elements")
