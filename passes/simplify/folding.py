"""
Constants and identities: xDSL's folders and canonicalisation patterns, until none applies.

    %5 = arith.muli %c0, %A_dim1
    %6 = arith.addi %5, %i          ->    %i
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.folder import Folder
from xdsl.ir import Block, Operation, Region
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern

from tamale.dialects.effects import facts_of
from tamale.dialects.walking import walk_ops


def fold(region: Region, context: Context) -> None:
    """Folds what can be folded in `region`; dead ops stay."""
    _Walker(_FoldOrCanonicalize(Folder(context))).rewrite_region(region)


class _FoldOrCanonicalize(RewritePattern):
    """`op`  ->  what its folder or the first of its patterns that applies makes of it."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        facts = facts_of(type(op))
        if facts.can_fold and self._folder.replace_with_fold(op, rewriter) is not None:
            return
        for pattern in facts.patterns:
            pattern.match_and_rewrite(op, rewriter)
            if rewriter.has_done_action:
                return


class _Walker(PatternRewriteWalker):
    """xDSL's walker, which would try every op, on those that have a folder or a pattern."""

    def _populate_worklist(self, op: Operation | Region | Block) -> None:
        assert not isinstance(op, Block)
        # Backwards, since the worklist is a stack.
        for inner in reversed(list(walk_ops(op))):
            facts = facts_of(type(inner))
            if facts.can_fold or facts.patterns:
                self._worklist.push(inner)
