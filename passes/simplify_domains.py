"""
`simplify-domains`: cin -> cin.

Brings every loop's domain to canonical form: a universe that an intersection makes redundant goes,
so that the loop visits only stored coordinates. Before / after:

    cin.forall i in A.i & U.i { ... }
    cin.forall i in A.i { ... }
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)

from tamale.dialects import cin
from tamale.dialects.cin.sets import set_text
from tamale.dialects.debug import debug
from tamale.passes.algebra.simplification import simplify


class SimplifyDomain(RewritePattern):
    """`forall i in S`  ->  `forall i in simplify(S)`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: cin.ForallOp, rewriter: PatternRewriter, /) -> None:
        simplified = simplify(op.domain.data, op.index_var.data)
        if simplified == op.domain.data:
            return
        before = op.domain.data
        debug("domains", lambda: f"simplified: {set_text(before)}  ->  {set_text(simplified)}")
        op.domain = cin.SetAttr(simplified)
        rewriter.notify_op_modified(op)


class SimplifyDomainsPass(ModulePass):
    """Drops universes and duplicates from the domains of loops."""

    name = "simplify-domains"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(SimplifyDomain()).rewrite_module(op)
