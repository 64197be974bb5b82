"""
`lower-queries`: query -> cin.

Writes each aggregation of a query as kernels in canonical form (Chou et al., PLDI 2020, sec. 5),
whatever format the tensor has; `rewrite-queries` makes them good. Before / after:

    %nir = query.select "select [i] -> count(j) as nir" of %A remapped (i, j) -> (i, j)

    %W = cin.kernel W(i,j) of (A(i,j) = %A) {
      cin.forall i in A.i { cin.forall j in A.j { cin.assign W(i,j) |= map(A(i,j), 1) } }
    }
    %nir = cin.kernel nir(i) of (W(i,j) = %W) {
      cin.forall i in W.i { cin.forall j in W.j { cin.assign nir(i) += map(W(i,j), 1) } }
    }

The results are dense arrays of i64 that start at 0 and live in the function.
"""

from __future__ import annotations

import re
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import cin
from tamale.dialects.errors import TamaleError
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.locations import locate, succeed
from tamale.dialects.notation.ast import Access
from tamale.dialects.query.ops import SelectOp
from tamale.passes.algebra.queries import fresh
from tamale.passes.algebra.queries_canonical import NOTATION, canonical
from tamale.passes.algebra.query_kernels import query_kernel
from tamale.passes.levels.counting import query_operand


class LowerSelect(RewritePattern):
    """`query.select`  ->  a `cin.kernel` or two per aggregation."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SelectOp, rewriter: PatternRewriter, /) -> None:
        kernels: list[cin.KernelOp] = []
        results: list[SSAValue] = []
        for number in range(len(op.values)):
            made = aggregate_kernels(op, number)
            kernels += made
            results.append(made[-1].result)
        succeed(kernels, op)
        rewriter.replace(op, kernels, results)


def aggregate_kernels(op: SelectOp, number: int) -> list[cin.KernelOp]:
    """The kernels of one aggregation of a query, the last one with its result."""
    query, remapping = op.query.data, op.remapping.data
    access = Access(access_name(op.tensor, remapping.modes), remapping.modes)
    format = tensor_format(cast(TensorType[Attribute], op.tensor.type))
    try:
        operand = query_operand(access, format)
        chains = canonical(query.group, query.aggregates[number], operand, remapping)
    except TamaleError as error:
        raise locate(PassFailedException(str(error)), op) from error
    tensors: dict[str, SSAValue] = {access.tensor: op.tensor}
    kernels: list[cin.KernelOp] = []
    for chain in chains:
        kernels.append(query_kernel(chain, tensors))
        tensors[chain.statement.result.tensor] = kernels[-1].result
    return kernels


def access_name(tensor: SSAValue, modes: tuple[str, ...]) -> str:
    """What the tensor is called in kernels: as in the IR, if that is a name."""
    hint = re.sub(r"\W", "_", tensor.name_hint or "A")
    name = hint if hint.isidentifier() else f"A{hint}"
    return fresh(name, NOTATION | set(modes))


class LowerQueriesPass(ModulePass):
    """Writes queries as kernels in canonical form."""

    name = "lower-queries"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(LowerSelect(), apply_recursively=False).rewrite_module(op)
