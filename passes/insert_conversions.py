"""
`insert-conversions`: tin -> tin.

Converts operands that cannot be walked together with the others, the cheapest first, into a format
that can. Before / after, with A in csr and B in csc:

    %Z = tin.kernel %i, %j { A(i,j) * B(i,j) } : tensor<?x?xf64, #csr>

    %B_csr = tin.convert %B : tensor<?x?xf64, #csc> -> tensor<?x?xf64, #csr>
    %Z = tin.kernel %i, %j { A(i,j) * B_csr(i,j) } : tensor<?x?xf64, #csr>

With `forbid=true` such statements are refused instead, with the reason.
`passes/algebra/conversions_of_operands.py` decides.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
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
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import tin
from tamale.dialects.format.attribute import FormatAttr, format_of
from tamale.dialects.format.named import name_of
from tamale.dialects.format.spec import Format
from tamale.dialects.locations import locate, succeed
from tamale.dialects.notation.ast import Assignment
from tamale.passes.algebra.conversions_of_operands import Conversions, choose_conversions
from tamale.passes.algebra.reading import TinReader
from tamale.passes.levels import first_unappendable, mixes_padding


@dataclass(frozen=True)
class InsertConversions(RewritePattern):
    """
    `Z = kernel { .. A(i,j) .. }`  ->  `B = convert A`, `Y = kernel { .. B(i,j) .. }`,
    `Z = convert Y`
    """

    forbid: bool

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tin.KernelOp, rewriter: PatternRewriter, /) -> None:
        reader, statement, conversions = read_conversions(op)
        if conversions.search != "dense":
            op.search = StringAttr(conversions.search)
            rewriter.notify_op_modified(op)
        if not conversions.targets and conversions.order is None:
            return
        if self.forbid:
            if conversions.refusal is None:
                return
            message = reader.in_written_names(conversions.refusal)
            raise locate(PassFailedException(message), op)
        if conversions.order is not None and op.loops is None:
            op.order = tin.order_attribute(conversions.order)
        convert_operands(op, reader, conversions.targets, rewriter)
        computed = conversions.targets.get(statement.result.tensor)
        if computed is not None:
            convert_result(op, computed, rewriter)


def read_conversions(kernel: tin.KernelOp) -> tuple[TinReader, Assignment, Conversions]:
    """A kernel as it was read, and what has to be in other formats."""
    reader = TinReader(kernel)
    statement = reader.read()
    formats = {name: format_of(tensor) for name, tensor in reader.tensors.items()}
    formats[statement.result.tensor] = format_of(kernel.result)
    appendable = first_unappendable(format_of(kernel.result)) is None
    conversions = choose_conversions(
        statement,
        formats,
        kernel.loops,
        appendable=appendable,
        padded={name for name, format in formats.items() if mixes_padding(format)},
        statistics=reader.statistics,
    )
    return reader, statement, conversions


def convert_result(kernel: tin.KernelOp, computed: Format, rewriter: PatternRewriter) -> None:
    """Computes the result in another format, and converts it to its own after the kernel."""
    result = kernel.result
    body = rewriter.move_region_contents_to_new_regions(kernel.body)
    modes = None if kernel.modes is None else kernel.modes.get_values()
    type = _in_format(result, computed)
    other = tin.KernelOp(body, type, modes=modes, order=kernel.loops)
    other.search = kernel.search
    other.result.name_hint = _name_in(result, computed)
    back = tin.ConvertOp(other.result, result.type)
    back.result.name_hint = result.name_hint
    succeed([other, back], kernel)
    rewriter.replace(kernel, [other, back])


def convert_operands(
    kernel: tin.KernelOp,
    reader: TinReader,
    targets: Mapping[str, Format],
    rewriter: PatternRewriter,
) -> None:
    """Converts the tensors of some accesses, each once per format, before the kernel."""
    converted: dict[tuple[SSAValue, Format], SSAValue] = {}
    for access in list(kernel.body.walk()):
        if not isinstance(access, tin.AccessOp):
            continue
        target = targets.get(reader.access_of(access).tensor)
        if target is None:
            continue
        key = access.tensor, target
        if key not in converted:
            op = conversion_op(access.tensor, target)
            succeed([op], kernel)
            rewriter.insert(op, InsertPoint.before(kernel))
            converted[key] = op.result
        access.operands[0] = converted[key]
        rewriter.notify_op_modified(access)


def conversion_op(source: SSAValue, target: Format) -> tin.ConvertOp:
    """The conversion of a tensor; it is called after the tensor and the format."""
    op = tin.ConvertOp(source, _in_format(source, target))
    op.result.name_hint = _name_in(source, target)
    return op


def _in_format(tensor: SSAValue, format: Format) -> TensorType[Attribute]:
    type = cast(TensorType[Attribute], tensor.type)
    return TensorType(type.element_type, type.get_shape(), FormatAttr(format))


def _name_in(tensor: SSAValue, format: Format) -> str:
    """`B_csr`, `B_csf10`."""
    name = re.sub(r"\W+", "", name_of(format) or "ordered")
    return f"{tensor.name_hint or 'T'}_{name}"


def converts(module: Operation) -> bool:
    """Whether anything is converted in a module of tin."""
    return any(isinstance(op, tin.ConvertOp) for op in module.walk())


@dataclass(frozen=True)
class InsertConversionsPass(ModulePass):
    """Converts operands that cannot be walked together with the others."""

    name = "insert-conversions"

    forbid: bool = False
    """Refuse what needs a conversion."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pattern = InsertConversions(self.forbid)
        PatternRewriteWalker(pattern, apply_recursively=False).rewrite_module(op)
