"""
`rewrite-queries`: cin -> cin.

Simplifies the kernels of queries until nothing applies (Chou et al., PLDI 2020, table 1), so that
statistics which the source's arrays tell are read off them. Before / after, for a csr matrix:

    %W = cin.kernel W(i,j) of (A(i,j) = %A) {
      cin.forall i in A.i { cin.forall j in A.j { cin.assign W(i,j) |= map(A(i,j), 1) } }
    }
    %nir = cin.kernel nir(i) of (W(i,j) = %W) {
      cin.forall i in W.i { cin.forall j in W.j { cin.assign nir(i) += map(W(i,j), 1) } }
    }

    %nir = cin.kernel nir(i) of (A(i,j) = %A) {
      cin.forall i in A.i { cin.assign nir(i) = width(A(i,j)) }
    }
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)

from tamale.dialects import cin
from tamale.dialects.debug import debug
from tamale.dialects.locations import succeed
from tamale.passes.algebra import queries_rewriting as rules
from tamale.passes.algebra.queries import Chain, without_unused_lets
from tamale.passes.algebra.query_kernels import (
    computes_query,
    query_kernel,
    read_query,
    tensors_of,
)
from tamale.passes.levels.counting import query_operand


def replace_kernel(
    op: cin.KernelOp, kernels: Sequence[cin.KernelOp], rewriter: PatternRewriter
) -> None:
    """Puts kernels, the last of which gives the result, in the place of one."""
    succeed(kernels, op)
    rewriter.replace(op, kernels)


class ChainPattern(RewritePattern, ABC):
    """A rewrite of one kernel by itself."""

    @abstractmethod
    def rewritten(self, chain: Chain) -> Chain | None:
        """The kernel's chain after the rewrite; None if it does not apply."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: cin.KernelOp, rewriter: PatternRewriter, /) -> None:
        chain = read_query(op, query_operand)
        after = None if chain is None else self.rewritten(chain)
        if after is not None:
            debug("queries", lambda: f"{type(self).__name__}: {chain}  ->  {after}")
            replace_kernel(op, [query_kernel(after, tensors_of(op))], rewriter)


class ReductionToAssign(ChainPattern):
    """
    `forall i, j: W(i,j) |= e`  ->  `forall i, j: W(i,j) = e`

    No element of W is written twice, and W starts at 0.
    """

    def rewritten(self, chain: Chain) -> Chain | None:
        return rules.reduction_to_assign(chain)


class SimplifyWidthCount(ChainPattern):
    """
    `forall i, j: Q(i) += map(A(i,j), c)`  ->  `forall i: Q(i) += width(A(i,j)) * c`

    The loops that go are over A's innermost levels, reductions, and counted by positions.
    """

    def rewritten(self, chain: Chain) -> Chain | None:
        return rules.simplify_width_count(chain)


class MapFold(ChainPattern):
    """`Q(i) += map(map(A(i,j), 1), 1)`  ->  `Q(i) += map(A(i,j), 1)`"""

    def rewritten(self, chain: Chain) -> Chain | None:
        return rules.map_fold(chain)


class DropUnusedLets(ChainPattern):
    """`let k = j - i: Q(i) += map(A(i,j), 1)`  ->  `Q(i) += map(A(i,j), 1)`"""

    def rewritten(self, chain: Chain) -> Chain | None:
        after = without_unused_lets(chain)
        return None if after.steps == chain.steps else after


class CounterToHistogram(RewritePattern):
    """
    `forall i, j: let k = #i: Q max= map(A(i,j), k + 1)`  ->
    `forall i, j: W(i) += map(A(i,j), 1)`, `forall i: Q max= W(i)`

    The group of an entry is a function of what the counter counts per.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: cin.KernelOp, rewriter: PatternRewriter, /) -> None:
        chain = read_query(op, query_operand)
        histogram = None if chain is None else rules.counter_to_histogram(chain, "W")
        if histogram is None:
            return
        debug(
            "queries", lambda: f"CounterToHistogram: {chain}  ->  {histogram[0]};  {histogram[1]}"
        )
        producer = query_kernel(histogram[0], tensors_of(op))
        consumer = query_kernel(
            histogram[1], {histogram[0].statement.result.tensor: producer.result}
        )
        replace_kernel(op, [producer, consumer], rewriter)


class InlineTemporary(RewritePattern):
    """
    `forall i, j: W(i,j) = e`, `forall i, j: Q(i) += f(W(i,j))`  ->  `forall i, j: Q(i) += f(e)`

    W has no other use, f(0) is 0, and no element of W is written twice.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: cin.KernelOp, rewriter: PatternRewriter, /) -> None:
        consumer = read_query(op, query_operand)
        if consumer is None or len(op.tensors) != 1:
            return
        producer_op = op.tensors[0].owner
        if not isinstance(producer_op, cin.KernelOp) or not producer_op.result.has_one_use():
            return
        producer = read_query(producer_op, query_operand)
        after = None if producer is None else rules.inline_temporary(consumer, producer)
        if after is not None:
            debug("queries", lambda: f"InlineTemporary: {producer};  {consumer}  ->  {after}")
            replace_kernel(op, [query_kernel(after, tensors_of(producer_op))], rewriter)


class EraseUnusedQuery(RewritePattern):
    """A query whose result nothing reads goes."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: cin.KernelOp, rewriter: PatternRewriter, /) -> None:
        if computes_query(op) and not op.result.uses:
            rewriter.erase(op)


PATTERNS = (
    MapFold,
    DropUnusedLets,
    ReductionToAssign,
    InlineTemporary,
    CounterToHistogram,
    SimplifyWidthCount,
    EraseUnusedQuery,
)


class RewriteQueriesPass(ModulePass):
    """Simplifies the kernels of queries until nothing applies."""

    name = "rewrite-queries"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        patterns = GreedyRewritePatternApplier([pattern() for pattern in PATTERNS])
        PatternRewriteWalker(patterns).rewrite_module(op)
