"""
`export-formats`: tin -> tin.

Says how tensors are stored in MLIR's words: formats become encodings of its `sparse_tensor`
dialect. A format that MLIR cannot express is refused. Before / after:

    #format.spec<(i, j) -> (i : dense, j : compressed)>
    #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, ... }>
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects.errors import FormatError
from tamale.dialects.format.attribute import FormatAttr
from tamale.dialects.locations import locate
from tamale.dialects.sparse_tensor import EncodingAttr
from tamale.dialects.sparse_tensor.formats import encoding_of_format
from tamale.passes.emit.retyping import retype_tensors


def with_encoding(type: TensorType[Attribute], op: Operation) -> Attribute:
    """
    A tensor type with an encoding of MLIR in the place of a format.

    Raises:
        PassFailedException: located at `op`; MLIR cannot say it.
    """
    if not isinstance(type.encoding, FormatAttr):
        return type
    try:
        encoding = EncodingAttr(encoding_of_format(type.encoding.data))
    except FormatError as error:
        raise locate(PassFailedException(f"export-formats: {error}"), op) from None
    return TensorType(type.element_type, type.get_shape(), encoding)


class ExportFormatsPass(ModulePass):
    """Says how tensors are stored as MLIR does."""

    name = "export-formats"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        retype_tensors(op, with_encoding)
