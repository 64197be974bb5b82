"""
What tamale reads and writes of MLIR's `sparse_tensor` dialect: encodings, and conversions between
them.
"""

from xdsl.ir import Dialect

from tamale.dialects.sparse_tensor.attribute import EncodingAttr
from tamale.dialects.sparse_tensor.convert import ConvertOp

__all__ = ["SPARSE_TENSOR", "ConvertOp", "EncodingAttr"]

SPARSE_TENSOR = Dialect("sparse_tensor", [ConvertOp], [EncodingAttr])
