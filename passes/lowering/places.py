"""
The search for the places where workers begin, alone: what a partitioned kernel does before its
loops, for explanations, tests, and tensors that are cut into parts.
"""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tamale.dialects import cfir
from tamale.dialects.cfir.storage import AssembleOp, FinishOp
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.emit.upstream import array_type
from tamale.passes.lowering.assembling import result_groups
from tamale.passes.lowering.boundaries import find_boundaries
from tamale.passes.lowering.measure import Measure
from tamale.passes.lowering.meetings import with_meetings
from tamale.passes.lowering.scope import KernelContext
from tamale.passes.lowering.spans import Boundary
from tamale.passes.lowering.visit_sums import sum_up, visits_of_counted


def search_places(op: cfir.KernelOp, function: func.FuncOp) -> None:
    """
    Replaces a partitioned kernel by the search for places, and leaves its result unwritten.

    They go to a new first argument of the function, an array: for each boundary, those of the
    whole included, the coordinate in each loop, for each loop but the last whether the boundary is
    inside of the coordinate, and the work before.
    """
    assert op.partition is not None
    partition, block, name = op.partition.data, function.body.block, op.target.data.tensor
    emit = Emitter(InsertPoint.before(op), block)
    groups = [group for group in result_groups(op.formats[name]) if not group.dense]
    empty = [emit.constant(0)] * len(groups)
    opened = AssembleOp(op.result.type, room=empty, counted=bool(groups))
    result = emit.insert(opened).result
    result.name_hint = name
    tensors = {name: tensor for name, (_, tensor) in op.operands_by_name.items()}
    tensors[name] = result
    element = op.result_type.element_type
    kernel = KernelContext(emit, op, tensors, op.read_accesses, op.formats, element)
    counting = visits_of_counted(kernel, partition)
    sums = None if counting is None else sum_up(kernel, counting)
    measure = with_meetings(Measure(kernel, partition, sums))
    boundaries = find_boundaries(measure)
    places = block.insert_arg(array_type(INDEX), len(block.args))
    places.name_hint = "places"
    columns = emit.constant(2 * len(partition.loops))
    with emit.loop(emit.constant(0), emit.constant(partition.parts + 1), "worker") as worker:
        boundary = boundaries.read(worker, "first")
        values = [*boundary.coordinates, *boundary.inside, work_before(measure, boundary)]
        for k, value in enumerate(values):
            place = emit.add(emit.mul(worker, columns), emit.constant(k))
            emit.store(value, places, place)
    measure.release()
    finished = emit.insert(FinishOp(result)).result
    finished.name_hint = result.name_hint
    Rewriter.replace_op(op, [], [finished])


def work_before(measure: Measure, boundary: Boundary) -> SSAValue:
    """The work before a boundary."""
    emit, prefix = measure.kernel.emit, measure.outermost
    total, inside = emit.constant(0), emit.constant(1)
    for depth, (_, high) in enumerate(measure.cut):
        here, coordinate = measure.below(prefix), boundary.coordinates[depth]
        ranks = here.ranks(coordinate)
        total = emit.add(total, emit.mul(inside, here.before(coordinate, ranks)))
        if depth + 1 < len(measure.cut):
            after = emit.min(emit.add(coordinate, emit.constant(1)), high)
            behind = here.ranks(after)
            own = emit.sub(here.visits(after, behind), here.visits(coordinate, ranks))
            inside = emit.mul(inside, boundary.inside[depth])
            total = emit.add(total, emit.mul(inside, own))
            prefix = here.at(coordinate, ranks, behind)
    return total
