"""
`plan-assembly`: cfir -> cfir, assembly.

Says how sparse results are assembled. With `by=append` their entries are appended in one pass, to
arrays that grow or have room enough. With `by=count` they are counted by the kernel's own loops,
the counts are summed up to positions, and then the kernel fills in what there is exact room for.
`by=rule`, the default, counts where nothing bounds the room but positions of operands tell all
counts, as in `Z(i,j) = x(i) * y(j)`; else it appends. Before / after, by count:

    %Z = cfir.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : tensor<?x?xf64, #csr> { .. }

    %n = cfir.kernel Z2_nir(i) of (A(i,j) = %A, B(i,j) = %B) : tensor<?xi64> { .. }
    %Z0 = assembly.scan %n : tensor<?xi64> -> tensor<?x?xf64, #csr>
    %Z = cfir.kernel Z(i,j) of (A(i,j) = %A, B(i,j) = %B) : tensor<?x?xf64, #csr> into %Z0 { .. }

Where several groups of levels are appended to, as in dcsr, the counts are a sparse result, too, and
are assembled the same way: their levels become the first ones of the result. Workers share both
kernels where all levels above the entries are dense, each the parents of its own.
Source: Gustavson, TOMS 1978 (a symbolic phase before the numeric one); Chou et al., PLDI 2020.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal, TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import assembly, cfir
from tamale.dialects.cin.partition import Partition, PartitionAttr
from tamale.dialects.cin.sets import Universe, walk
from tamale.dialects.format.expressions import free_variables
from tamale.dialects.format.folding import DIMENSION
from tamale.dialects.level_variables import level_variables
from tamale.dialects.locations import locate
from tamale.dialects.notation.ast import Call, to_text
from tamale.dialects.operators import WIDTH
from tamale.passes.algebra.meetings import access_to_meet_along
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.assembling import Assembler, result_groups
from tamale.passes.lowering.counting import counting_kernel
from tamale.passes.lowering.result_sizes import enclosing_block, own_sizes
from tamale.passes.lowering.rooms import group_bound
from tamale.passes.lowering.scanning import count_label
from tamale.passes.lowering.scope import KernelContext
from tamale.passes.lowering.widths import measure_widths

By: TypeAlias = Literal["rule", "append", "count"]


def assemble_by_count(kernel: cfir.KernelOp) -> None:
    """Puts a kernel that counts and a scan before `kernel`, which then fills in."""
    emit = Emitter(InsertPoint.before(kernel), enclosing_block(kernel))
    filled = fill_into(kernel, make_room_for(emit, kernel, kernel.target.data.tensor))
    Rewriter.replace_op(kernel, filled)


def make_room_for(emit: Emitter, kernel: cfir.KernelOp, stem: str) -> SSAValue:
    """The tensor that `kernel` fills in, with room as its counts, named after `stem`, tell."""
    counting = counting_kernel(kernel, stem)
    if not counting.formats[counting.target.data.tensor].all_dense:
        appending, counting = counting, fill_into(counting, make_room_for(emit, counting, stem))
        appending.erase()
    measure_widths(counting)
    counting.partition = shared_by_parents(kernel, counting)
    emit.insert(counting)
    counting.result.name_hint = counting.target.data.tensor
    sizes = own_sizes(context_of(emit, kernel), kernel)
    scan = assembly.ScanOp(counting.result, sizes, kernel.result_type)
    emit.insert(scan)
    scan.result.name_hint = kernel.target.data.tensor
    return scan.result


def context_of(emit: Emitter, kernel: cfir.KernelOp) -> KernelContext:
    tensors = {name: tensor for name, (_, tensor) in kernel.operands_by_name.items()}
    element = kernel.result_type.element_type
    return KernelContext(emit, kernel, tensors, kernel.read_accesses, kernel.formats, element)


def fill_into(kernel: cfir.KernelOp, room: SSAValue) -> cfir.KernelOp:
    """The same kernel, not yet in a block, whose entries go `into` what there is room for."""
    accesses = [attribute.data for attribute in kernel.accesses]
    partition = shared_by_parents(kernel, kernel)
    filling = cfir.KernelOp(
        kernel.target.data,
        accesses,
        list(kernel.tensors),
        kernel.result_type,
        kernel.detach_region(kernel.body),
        into=room,
    )
    filling.result.name_hint = kernel.result.name_hint
    filling.partition = partition
    return filling


def shared_by_parents(kernel: cfir.KernelOp, loops: cfir.KernelOp) -> PartitionAttr | None:
    """
    How workers share the `loops` that count or fill in what `kernel` appends: each has parents of
    its own, if all levels above the entries are dense.
    """
    if kernel.partition is None:
        return None
    *above, entries = result_groups(kernel.formats[kernel.target.data.tensor])
    partition = kernel.partition.data
    count = min(entries.first, len(partition.loops))
    if count == 0 or not all(group.dense for group in above):
        return None
    left = {op.index_var.data for op in loops.body.walk() if isinstance(op, cfir.LatticeOp)}
    inside = takewhile(lambda loop: loop.variable in left, partition.measured[count:])
    cut, weighed = partition.loops[:count], tuple(inside)

    def levels_of(access: str) -> Sequence[str]:
        return level_variables(kernel.read_accesses[access], kernel.formats[access])

    along = access_to_meet_along((*cut, *weighed), levels_of)
    return PartitionAttr(Partition(partition.parts, cut, weighed=weighed, along=along))


def check_countable(kernel: cfir.KernelOp) -> None:
    """
    Refuses a result that cannot be counted first.

    Raises:
        PassFailedException: with what stands in the way.
    """
    why = uncountable(kernel)
    if why is not None:
        target = kernel.target.data
        message = (
            f"plan-assembly: {to_text(target)} ({kernel.formats[target.tensor]}) cannot be "
            f"assembled by count, scan and fill: {why}\n  help: assemble it by append"
        )
        raise locate(PassFailedException(message), kernel)


def uncountable(kernel: cfir.KernelOp) -> str | None:
    """Why the entries of a kernel's result cannot be counted by parents before it runs, if so."""
    target = kernel.target.data
    format = kernel.formats[target.tensor]
    groups = [group for group in result_groups(format) if not group.dense]
    if format.has_tail:
        return f"below level {format.tail}, it has a block of values for each entry"
    for group in groups:
        if count_label(format.levels[group.first]) is None:
            level = format.levels[group.first]
            return f"level {group.first + 1} ('{level}') asks for more than counts"
    for k in range(groups[-1].first):
        if format.stored_modes[k] is None:
            return f"level {k + 1} ('{format.levels[k]}') stores no mode, but an expression"
    lone = lone_variable(kernel)
    if lone is not None:
        return f"no operand tells the size of '{lone}', which the loops that count need"
    return None


def lone_variable(kernel: cfir.KernelOp) -> str | None:
    """A variable whose size loops or counts need to know, but that no operand has."""
    target = kernel.target.data
    format = kernel.formats[target.tensor]
    asked = dict.fromkeys(level_variables(target, format)[: result_groups(format)[-1].first])
    for op in kernel.body.walk():
        if isinstance(op, cfir.LatticeOp):
            everywhere = (x.variable for x in walk(op.domain.data) if isinstance(x, Universe))
            asked |= dict.fromkeys(everywhere)
        elif isinstance(op, cfir.LetOp) and op.within is not None:
            names = sorted(free_variables(op.within.data))
            asked |= dict.fromkeys(name.removeprefix(DIMENSION) for name in names)
    indices = {v for attribute in kernel.accesses for v in attribute.data.indices}
    return next((v for v in asked if v in target.indices and v not in indices), None)


def counts_are_told(kernel: cfir.KernelOp) -> bool:
    """Whether room would have to grow, and what is counted can be read off positions instead."""
    if kernel.vectors or uncountable(kernel) is not None or not grows(kernel):
        return False
    counting = counting_kernel(kernel, kernel.target.data.tensor)
    measure_widths(counting)
    told = all(
        isinstance(call := op.statement.data.expression, Call) and call.operator == WIDTH
        for op in counting.body.walk()
        if isinstance(op, cfir.AssignOp) and op.statement.data.operator is not None
    )
    counting.erase()
    return told


def grows(kernel: cfir.KernelOp) -> bool:
    """Whether the operands' counts leave the room of some group of the result's levels open."""
    emit = Emitter(InsertPoint.before(kernel), enclosing_block(kernel))
    context = context_of(emit, kernel)
    assembler = Assembler(context, kernel.result)
    variables = [assembler.filling_loop(g) for g in assembler.groups if not g.dense]
    return any(group_bound(kernel, context, variable) is None for variable in variables)


def has_entries(op: Operation) -> bool:
    """Whether an op is a kernel with a sparse result."""
    return isinstance(op, cfir.KernelOp) and not op.formats[op.target.data.tensor].all_dense


@dataclass(frozen=True)
class PlanAssemblyPass(ModulePass):
    """Appends to sparse results, or counts them, scans and fills."""

    name = "plan-assembly"

    by: By = "rule"
    """How the entries of sparse results get their places: append, count, or whichever is faster."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.by == "append":
            return
        for kernel in [inner for inner in op.walk() if has_entries(inner)]:
            assert isinstance(kernel, cfir.KernelOp)
            if self.by == "count":
                check_countable(kernel)
            elif not counts_are_told(kernel):
                continue
            assemble_by_count(kernel)
