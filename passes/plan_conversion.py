"""
`plan-conversion`: tin.convert -> queries and assembly.

Decides how a tensor gets into another format: what must be known first, whether its entries arrive
in the order that the target needs, which levels are made in one pass. Before / after:

    %B = tin.convert %A : tensor<?x?xf64, #csr> -> tensor<?x?xf64, #ell>

    %max = query.select "select [] -> max(k) as max_crd" of %A remapped (i, j) -> (k = #i, i, j) ...
    %B0 = assembly.open of %A using ("0.max_crd" = %max : ...) : ...
    assembly.init_coords %B0 0
    ...
    assembly.for_nonzeros %A for %B0 (%k, %i, %j, %value) { ... }
    %B = assembly.finish %B0

With `where`, only selected entries: `for_nonzeros` into a list of coordinates, which is converted.
With `threads`, so many workers share the loops where `passes/conversion/sharing.py` allows it:
`assembly.for_nonzeros %A for %B0 (%k, %i, %j, %value) partitioned into 2 { ... }`.
`passes/conversion/plan.py` and `selecting.py` have the other rules.

Source: Chou et al., PLDI 2020, sec. 6.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import assembly, tin
from tamale.dialects.debug import debug
from tamale.dialects.errors import TamaleError
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.selection import Selection
from tamale.dialects.locations import locate, succeed
from tamale.passes.conversion.building import ConversionBuilder, unordered_list, with_encoding
from tamale.passes.conversion.plan import plan_conversion
from tamale.passes.conversion.plans import ConversionPlan
from tamale.passes.conversion.remarks import conversion_remarks
from tamale.passes.conversion.selecting import plan_selection


@dataclass
class PlanConversion(RewritePattern):
    """`tin.convert`  ->  `query.select`s and `assembly` ops, perhaps with a sorted list between."""

    threads: int

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tin.ConvertOp, rewriter: PatternRewriter, /) -> None:
        try:
            if op.selection is None:
                ops, result = conversion_ops(op.source, op.result.type, self.threads)
            else:
                ops, result = selection_ops(op.source, op.result.type, op.selection, self.threads)
        except TamaleError as error:
            raise locate(PassFailedException(str(error)), op) from error
        result.name_hint = op.result.name_hint
        succeed(ops, op)
        rewriter.replace(op, ops, [result])


def conversion_ops(
    source: SSAValue, type: TensorType[Attribute], threads: int
) -> tuple[list[Operation], SSAValue]:
    """All ops of a conversion to a tensor type, and its result."""
    plan = plan_conversion(
        tensor_format(cast(TensorType[Attribute], source.type)), tensor_format(type), threads
    )
    debug("plans", lambda: "\n".join(conversion_remarks(plan)))
    if plan.route == "direct":
        builder = ConversionBuilder(plan, source, type)
        result = builder.build()
        return builder.ops, result
    if plan.route in ("summed", "listed"):
        ops, between = conversion_ops(source, with_encoding(type, plan.list_format), threads)
    else:
        ops, unsorted = _listed(source, plan, type)
        sort = assembly.SortOp(unsorted, with_encoding(type, plan.list_format))
        ops, between = [*ops, sort], sort.result
    rest, result = conversion_ops(between, type, threads)
    return [*ops, *rest], result


def _listed(
    source: SSAValue, plan: ConversionPlan, type: TensorType[Attribute]
) -> tuple[list[Operation], SSAValue]:
    """The list of the target's coordinates: the source itself, if it is one."""
    if plan.is_list:
        return [], source
    return conversion_ops(source, with_encoding(type, unordered_list(plan)), plan.threads)


def selection_ops(
    source: SSAValue, type: TensorType[Attribute], selection: Selection, threads: int
) -> tuple[list[Operation], SSAValue]:
    """All ops of a conversion of selected entries, and its result."""
    source_format = tensor_format(cast(TensorType[Attribute], source.type))
    plan = plan_selection(source_format, tensor_format(type), selection)
    ops: list[Operation] = []
    if plan.summed:
        ops, source = conversion_ops(source, with_encoding(type, plan.between), threads)
    list_type = type if plan.is_done else with_encoding(type, plan.list_format)
    builder = ConversionBuilder(plan.listing, source, list_type, StringAttr(str(selection)))
    selected = builder.build()
    ops += builder.ops
    if plan.is_done:
        return ops, selected
    selected.name_hint = "selected"
    rest, result = conversion_ops(selected, type, threads)
    return [*ops, *rest], result


@dataclass(frozen=True)
class PlanConversionPass(ModulePass):
    """Decides how tensors get into other formats."""

    name = "plan-conversion"
    threads: int = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pattern = PlanConversion(self.threads)
        PatternRewriteWalker(pattern, apply_recursively=False).rewrite_module(op)
