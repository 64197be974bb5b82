"""
`narrow-queries`: cin -> cin.

Gives the local results of queries the narrowest integers that surely hold them: marks 8 bits, and
counts of entries those of the source's positions, which count all of its entries. Before / after,
for a csc matrix with positions of 32 bits:

    %W = cin.kernel W(i) of (A(i,j) = %A) : tensor<?xi64> zeroed {
      cin.forall j in A.j { cin.forall i in A.i { cin.assign W(i) += map(A(i,j), 1) } }
    }

    %W = cin.kernel W(i) of (A(i,j) = %A) : tensor<?xi32> zeroed { ... }

Half the memory is half the misses where entries come in another order than they are counted in.
"""

from __future__ import annotations

from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, ModuleOp, TensorType
from xdsl.ir import Attribute, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from tamale.dialects import assembly, cin
from tamale.dialects.format.attribute import tensor_format
from tamale.passes.algebra.queries_bounds import Sizes, result_sizes
from tamale.passes.algebra.query_kernels import read_query
from tamale.passes.levels.counting import entry_width, query_operand


def narrow(kernel: cin.KernelOp, known: dict[SSAValue, Sizes]) -> None:
    """Narrows the result of a query; `known` has those of the queries before, and gains its own."""
    chain = read_query(kernel, query_operand)
    if chain is None or len(kernel.tensors) != 1:
        return
    tensor = kernel.tensors[0]
    sizes = result_sizes(chain, known.get(tensor) or source_sizes(tensor))
    result = kernel.result
    if is_local_array(result):
        type = TensorType(IntegerType(sizes.value), kernel.result_type.get_shape())
        result = Rewriter.replace_value_with_new_type(result, type)
    known[result] = sizes


def is_local_array(result: OpResult) -> bool:
    """Whether it is more than a number, and nothing but queries and assembly read it."""
    readers = (use.operation for use in result.uses)
    type = cast(TensorType[Attribute], result.type)
    return bool(type.get_num_dims()) and all(
        isinstance(reader, cin.KernelOp | assembly.OpenOp) for reader in readers
    )


def source_sizes(tensor: SSAValue) -> Sizes:
    """Of a tensor that no query made."""
    format = tensor_format(cast(TensorType[Attribute], tensor.type))
    return Sizes(count=32 if entry_width(format) == "i32" else 64)


class NarrowQueriesPass(ModulePass):
    """Gives the results of queries the narrowest integers that surely hold them."""

    name = "narrow-queries"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        known: dict[SSAValue, Sizes] = {}
        for kernel in op.walk():
            if isinstance(kernel, cin.KernelOp):
                narrow(kernel, known)
