"""
`insert-temporaries`: tin -> tin.

Computes parts of a statement first, in kernels of their own, where one nest of loops for all of it
would do the same work again and again, or be too much code. Before / after:

    %Z = tin.kernel %i, %j { sum %k, %l { A(i,k) * B(k,l) * C(l,j) } }

    %T = tin.kernel %i, %l { sum %k { A(i,k) * B(k,l) } }
    %Z = tin.kernel %i, %j { sum %l { T(i,l) * C(l,j) } }

`passes/algebra/temporaries.py` decides.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)

from tamale.dialects import tin
from tamale.dialects.format.attribute import FormatAttr, StatisticsAttr, format_of
from tamale.dialects.locations import succeed
from tamale.passes.algebra.reading import TinReader
from tamale.passes.algebra.temporaries import Splitter
from tamale.passes.emit.tin_kernels import build_kernel
from tamale.passes.levels import first_unappendable


class InsertTemporaries(RewritePattern):
    """`Z = kernel { .. part .. }`  ->  `T = kernel { part }`, `Z = kernel { .. T .. }`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tin.KernelOp, rewriter: PatternRewriter, /) -> None:
        if op.loops is not None:
            return
        reader = TinReader(op)
        statement = reader.read()
        formats = {name: format_of(tensor) for name, tensor in reader.tensors.items()}
        formats[statement.result.tensor] = format_of(op.result)
        name = statement.result.tensor
        unappendable = None if first_unappendable(formats[name]) is None else name
        plan = Splitter(formats, reader.statistics, unappendable).plan(statement)
        if plan is None or len(plan.statements) == 1:
            return
        tensors, kernels = dict(reader.tensors), list[tin.KernelOp]()
        for part in plan.statements:
            name = part.result.tensor
            type = op.result.type
            if part is not plan.statements[-1]:
                format = FormatAttr(plan.formats[name])
                shape = [DYNAMIC_INDEX] * len(part.result.indices)
                type = TensorType(type.element_type, shape, format)
            kernels.append(build_kernel(part, tensors, type))
            if name in plan.statistics and not plan.statistics[name].is_empty:
                kernels[-1].statistics = StatisticsAttr(plan.statistics[name])
            tensors[name] = kernels[-1].result
        succeed(kernels, op)
        rewriter.replace(op, kernels, [kernels[-1].result])


class InsertTemporariesPass(ModulePass):
    """Computes parts of statements first, in kernels of their own."""

    name = "insert-temporaries"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(InsertTemporaries(), apply_recursively=False).rewrite_module(op)
