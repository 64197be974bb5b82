"""
`lower-lattices`: cfir -> cfir level functions in scf, arith, memref.

Makes the loops of every lattice explicit; tensors are still asked by level functions. Before /
after:

    cfir.lattice j over A.j with x.j = j
    case A.j { cfir.assign t += A(i,j) * x(j) }

    %begin, %end = cfir.pos_bounds %A 1 (%i)
    scf.for %pA2 = %begin to %end step %c1 {
      %j = cfir.pos_access %A 1 (%pA2)
      ...
    }

`passes/lowering/` has the parts: `kernel_loops.py` the statements, `merging.py` their loops,
`iterators.py` what they walk, `lets.py` bound variables and counters, `blocks.py` loops that need
no tests, `assembling.py` the results.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import assembly, cfir
from tamale.dialects.cfir.storage import AssembleOp, FinishOp, LoadOp
from tamale.dialects.cin.partition import Partition
from tamale.dialects.locations import locate
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.assembling import Assembler, Group
from tamale.passes.lowering.filling import Filler
from tamale.passes.lowering.in_place import lists_in_place
from tamale.passes.lowering.joining import join
from tamale.passes.lowering.kernel_loops import KernelLowering
from tamale.passes.lowering.lets import Counters
from tamale.passes.lowering.measure import Measure
from tamale.passes.lowering.meetings import with_meetings
from tamale.passes.lowering.partials import Partials
from tamale.passes.lowering.partitioned import share_loops, share_spans
from tamale.passes.lowering.parts import PartAssembler, open_parts
from tamale.passes.lowering.result_sizes import enclosing_block, own_sizes
from tamale.passes.lowering.rooms import emit_rooms
from tamale.passes.lowering.scope import KernelContext, Scope
from tamale.passes.lowering.spans import Span
from tamale.passes.lowering.statements import initial_value, skips_parents
from tamale.passes.lowering.visit_sums import sum_up, visits_of_counted
from tamale.passes.lowering.visits import visits_kernel
from tamale.passes.lowering.workspace_vectors import with_workspaces


def lower_kernel(op: cfir.KernelOp) -> None:
    """Replaces one kernel by loops."""
    emit = Emitter(InsertPoint.before(op), enclosing_block(op), op)
    element = op.result_type.element_type
    tensors = {name: tensor for name, (_, tensor) in op.operands_by_name.items()}
    name = op.target.data.tensor
    kernel = KernelContext(emit, op, tensors, op.read_accesses, op.formats, element)
    if op.partition is not None and kernel.appends and op.into is None:
        finish(op, emit, lower_in_parts(kernel, op, op.partition.data))
        return
    result, grown = open_result(kernel, op)
    result.name_hint = name
    kernel = replace(kernel, tensors={**tensors, name: result})
    assembler = Assembler(kernel, result) if op.into is None else Filler(kernel, result)
    if op.partition is not None:
        measure = measure_of(kernel, op.partition.data)
        share_loops(measure, assembler, part_of(op, assembler))
        measure.release()
        finish(op, emit, result)
        return
    in_place = lists_in_place(op, assembler)
    kernel = with_workspaces(kernel, op, in_place)
    assembler = replace(assembler, kernel=kernel)
    counters = Counters.of(kernel, op.body.block)
    lowering = KernelLowering(kernel, assembler, grown, counters, in_place)
    scope = assembler.open_fiber(Scope(kernel), None)
    lowering.block(op.body.block, scope)
    assembler.close_fiber(scope, None)
    counters.release()
    finish(op, emit, result)


def part_of(op: cfir.KernelOp, shared: Assembler) -> Callable[[Scope, Partials | None], None]:
    """What emits a worker's part of the loops of a kernel, into a result that has all places."""
    block = op.body.block

    def work(scope: Scope, partials: Partials | None) -> None:
        nowhere = frozenset[str]()
        own = with_workspaces(shared.kernel, op, nowhere)
        counters, assembler = Counters.of(own, block), replace(shared, kernel=own)
        lowering = KernelLowering(own, assembler, (), counters, nowhere, partials=partials)
        lowering.divided(block, replace(scope, kernel=own))

    return work


def finish(op: cfir.KernelOp, emit: Emitter, result: SSAValue) -> None:
    """Puts the result of a kernel, under assembly until now, in its place."""
    closing = FinishOp(result) if op.into is None else assembly.FinishOp(result)
    finished = emit.insert(closing).result
    finished.name_hint = op.target.data.tensor
    Rewriter.replace_op(op, [], [finished])


def lower_in_parts(kernel: KernelContext, op: cfir.KernelOp, partition: Partition) -> SSAValue:
    """The sparse result of loops that workers share: each assembles a part; these are joined."""
    name = op.target.data.tensor
    parts = open_parts(kernel, op.result_type, own_sizes(kernel, op), partition)
    kernel = parts.planned.kernel
    measure = measure_of(kernel, partition)

    def visits(variable: str) -> SSAValue | None:
        return counted_visits(measure, variable) or count_visits(op, kernel, variable)

    rooms, grown = emit_rooms(op, kernel, parts.planned, visits)
    counted = skips_parents(op, parts.planned)
    in_place = lists_in_place(op, parts.planned)

    def work(span: Span) -> None:
        sizes = [room.size(kernel.emit, parts.results_in(span)) for room in rooms]
        part, first = parts.open(span, sizes, counted=counted)
        own = replace(kernel, tensors={**kernel.tensors, name: part})
        own = with_workspaces(own, op, in_place)
        assembler = PartAssembler(own, part, first)
        counters = Counters.of(own, op.body.block)
        lowering = KernelLowering(own, assembler, grown, counters, in_place)
        scope = assembler.open_fiber(Scope(own, span=span), None)
        lowering.block(op.body.block, scope)
        assembler.close_fiber(scope, None)
        parts.close(assembler, span.worker)

    share_spans(measure, work)
    measure.release()
    return join(parts)


def measure_of(kernel: KernelContext, partition: Partition) -> Measure:
    """The measure of a kernel's work, with what has to be counted and found for it."""
    counting = visits_of_counted(kernel, partition)
    if counting is None:
        return with_meetings(Measure(kernel, partition))
    sums = sum_up(kernel, counting)
    lower_kernel(counting)
    return with_meetings(Measure(kernel, partition, sums))


def open_result(kernel: KernelContext, op: cfir.KernelOp) -> tuple[SSAValue, list[Group]]:
    """
    The result under assembly, in the state that its loops expect, and the groups that may grow.
    """
    emit = kernel.emit
    type = op.result_type
    if op.into is not None:
        return op.into, []
    if not kernel.appends:
        initial = initial_value(op)
        fill = None if initial is None else emit.constant(initial, kernel.element)
        return emit.insert(AssembleOp(type, fill, dims=own_sizes(kernel, op))).result, []
    planned = Assembler(kernel, op.result)
    rooms, grown = emit_rooms(op, kernel, planned, lambda v: count_visits(op, kernel, v))
    counted = skips_parents(op, planned)
    room, sizes = [room.size(emit) for room in rooms], own_sizes(kernel, op)
    return emit.insert(AssembleOp(type, None, room, dims=sizes, counted=counted)).result, grown


def count_visits(op: cfir.KernelOp, kernel: KernelContext, variable: str) -> SSAValue | None:
    """A bound on what lists of `variable` give to the result, from loops in front of the kernel."""
    counting, emit = visits_kernel(op, kernel, variable), kernel.emit
    if counting is None:
        return None
    emit.insert(counting)
    visits = emit.insert(LoadOp(counting.result, emit.constant(0))).value
    lower_kernel(counting)
    return emit.named(emit.as_index(visits), counting.target.data.tensor)


def counted_visits(measure: Measure, variable: str) -> SSAValue | None:
    """Likewise, if the visits were counted for the measure."""
    counted, kernel = measure.partition.counted, measure.kernel
    if measure.sums is None or counted is None or counted.variable != variable:
        return None
    _, size = measure.universes[0]
    return kernel.emit.load(measure.sums, size, f"{kernel.result.tensor}_visits")


class LowerLatticesPass(ModulePass):
    """Makes the loops of lattices explicit."""

    name = "lower-lattices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in [inner for inner in op.walk() if isinstance(inner, cfir.KernelOp)]:
            try:
                lower_kernel(kernel)
            except PassFailedException as error:
                raise locate(error, kernel) from None
