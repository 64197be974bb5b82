"""
`import-linalg`: linalg, sparse_tensor -> tin.

Takes kernels of MLIR: each `linalg.generic` becomes the `tin.kernel` of the statement that it
computes, `sparse_tensor.convert` a `tin.convert`, and tensors with an encoding of MLIR's
`sparse_tensor` dialect get the format that says the same. What the `outs` operand held is a further
operand, unless it is the identity of the reduction; a new sparse tensor is empty. Before / after:

    #csr = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
    %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]
    } ins(%A, %x : tensor<?x?xf64, #csr>, tensor<?xf64>) outs(%zeros : tensor<?xf64>) {
    ^bb0(%a: f64, %b: f64, %out: f64):
      %product = arith.mulf %a, %b : f64
      %sum = arith.addf %out, %product : f64
      linalg.yield %sum : f64
    } -> tensor<?xf64>

    %y = tin.kernel %i {
      %0 = tin.sum %j {
        %1 = tin.access %A[%i, %j] : tensor<?x?xf64, #csr> -> f64
        %2 = tin.access %x[%j] : tensor<?xf64> -> f64
        %3 = tin.mul %1, %2 : f64
        tin.yield %3 : f64
      } : f64
      tin.yield %0 : f64
    } : tensor<?xf64>
"""

from __future__ import annotations

from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import Rewriter
from xdsl.transforms.dead_code_elimination import region_dce
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import sparse_tensor, tin
from tamale.dialects.errors import FormatError
from tamale.dialects.format.attribute import FormatAttr
from tamale.dialects.linalg import GenericOp
from tamale.dialects.locations import locate
from tamale.passes.algebra.linalg_reading import LinalgReader
from tamale.passes.emit.retyping import retype_tensors
from tamale.passes.emit.tin_kernels import build_kernel

FOREIGN = frozenset({"linalg", "tensor", "bufferization", "sparse_tensor"})
"""Dialects of which nothing may be left."""


class ImportGeneric(RewritePattern):
    """`linalg.generic`  ->  `tin.kernel`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: GenericOp, rewriter: PatternRewriter, /) -> None:
        reader = LinalgReader(op)
        statement = reader.read()
        type = cast("TensorType[Attribute]", op.results[0].type)
        kernel = build_kernel(statement, reader.tensors, type)
        kernel.location = op.location
        rewriter.replace(op, kernel)


class ImportConversion(RewritePattern):
    """`sparse_tensor.convert`  ->  `tin.convert`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: sparse_tensor.ConvertOp, rewriter: PatternRewriter, /) -> None:
        conversion = tin.ConvertOp(op.source, op.result.type)
        conversion.location = op.location
        rewriter.replace(op, conversion)


def with_format(type: TensorType[Attribute], op: Operation) -> Attribute:
    """
    A tensor type with a format in the place of an encoding of MLIR.

    Raises:
        PassFailedException: located at `op`; no format says the same.
    """
    if not isinstance(type.encoding, sparse_tensor.EncodingAttr):
        return type
    try:
        format = FormatAttr(type.encoding.format)
    except FormatError as error:
        raise locate(PassFailedException(f"import-linalg: {error}"), op) from None
    return TensorType(type.element_type, type.get_shape(), format)


def erase_unused(module: ModuleOp) -> None:
    """Takes out what made and sized tensors that nothing reads any more."""
    for op in reversed(list(module.walk())):
        if op.dialect_name() in FOREIGN and all(result.first_use is None for result in op.results):
            Rewriter.erase_op(op)
    region_dce(module.body)


class ImportLinalgPass(ModulePass):
    """Takes kernels of MLIR's linalg and sparse_tensor dialects."""

    name = "import-linalg"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        patterns = GreedyRewritePatternApplier([ImportGeneric(), ImportConversion()])
        PatternRewriteWalker(patterns, apply_recursively=False).rewrite_module(op)
        erase_unused(op)
        for inner in op.walk():
            if inner.dialect_name() in FOREIGN:
                message = (
                    f"import-linalg: '{inner.name}' is no kernel\n"
                    "  help: mlir-opt --linalg-generalize-named-ops makes linalg.generic of others"
                )
                raise locate(PassFailedException(message), inner)
        retype_tensors(op, with_format)
