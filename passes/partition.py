"""
`partition`: cin -> cin, optimised.

Cuts the outermost loops of a kernel into parts of nearly equal work, one for each of `threads`
workers; the statements stay as they are. Before / after, with A in CSR, x and y dense:

    %y = cin.kernel y(i) of (A(i,j) = %A, x(j) = %x) : tensor<?xf64> optimised {
      cin.forall i in U.i with A.i = i { ... cin.forall j in A.j with x.j = j { ... } }
    }

    %y = cin.kernel y(i) of (A(i,j) = %A, x(j) = %x) : tensor<?xf64> optimised
        partitioned into 8 over i in U.i, j in A.j combined by add {
      ...
    }

The loops that are cut are the measure of work, too: the rows and the entries before a place, here.
A row may be cut: its parts are combined. What a product of sparse matrices multiplies is
`counting k in B.k`: work that no level tells, counted before (`passes/lowering/visit_sums.py`).
Without the option, and where no loop can be cut, nothing changes. `passes/algebra/cuts.py` has the
rules, `passes/lowering/partitioned.py` the search for the places.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import cin
from tamale.dialects.cin.partition import PartitionAttr
from tamale.dialects.locations import locate
from tamale.passes.algebra.cuts import Cut, Cutting
from tamale.passes.levels import storage_kind
from tamale.passes.levels.ranks import has_rank


def cut_of(kernel: cin.KernelOp) -> Cut:
    """The loops of a kernel that workers can share, and why no more."""
    formats = kernel.formats

    def ranked(access: str, level: int) -> bool:
        return has_rank(storage_kind(formats[access].levels[level].kind))

    return Cutting(kernel, ranked).decide()


@dataclass
class PartitionKernel(RewritePattern):
    """`cin.kernel ... optimised`  ->  `... optimised partitioned into N over ...`."""

    threads: int

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: cin.KernelOp, rewriter: PatternRewriter, /) -> None:
        if op.partition is not None:
            return
        if op.optimised is None:
            message = (
                f"partition: the kernel of {op.target.data.tensor} is not optimised; "
                "run iterate-locate first"
            )
            raise locate(PassFailedException(message), op)
        cut = cut_of(op)
        if cut.loops:
            op.partition = PartitionAttr(cut.into(self.threads))
            rewriter.notify_op_modified(op)


@dataclass(frozen=True)
class PartitionPass(ModulePass):
    """Cuts the outermost loops of kernels into parts of nearly equal work."""

    name = "partition"
    threads: int = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.threads > 1:
            PatternRewriteWalker(PartitionKernel(self.threads)).rewrite_module(op)
