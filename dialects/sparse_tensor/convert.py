"""`sparse_tensor.convert`: the same tensor with another encoding."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure


@irdl_op_definition
class ConvertOp(IRDLOperation):
    """
    The same tensor, stored as the result's type says.

        %B = sparse_tensor.convert %A : tensor<?x?xf64, #coo> to tensor<?x?xf64, #csr>

    See external [documentation](https://mlir.llvm.org/docs/Dialects/SparseTensorOps/#sparse_tensorconvert-sparse_tensorconvertop).
    """

    name = "sparse_tensor.convert"
    source = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"
