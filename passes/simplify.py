"""
`simplify`: the last form -> the last form.

Folds constants and identities, shares equal pure values, and drops what no one needs.
Before / after:

    %5 = arith.muli %c0, %A_dim1 : index
    %pA1 = arith.addi %5, %i : index
    %n = memref.load %A2_pos[%pA1] : memref<?xi32>

    %n = memref.load %A2_pos[%i] : memref<?xi32>

The work is xDSL's own canonicalisation and common subexpression elimination.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker
from xdsl.transforms.canonicalize import CanonicalizationRewritePattern
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination
from xdsl.transforms.dead_code_elimination import region_dce


class SimplifyPass(ModulePass):
    """Folds, shares and drops."""

    name = "simplify"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # xDSL's canonicalisation looks for dead code at every step; once at the end is enough.
        folding = GreedyRewritePatternApplier(
            [CanonicalizationRewritePattern()], ctx=ctx, folding_enabled=True, dce_enabled=False
        )
        PatternRewriteWalker(folding).rewrite_module(op)
        CommonSubexpressionElimination().apply(ctx, op)
        region_dce(op.body)
