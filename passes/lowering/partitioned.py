"""Kernels whose loops several workers share: where each begins, what it runs, what is combined."""

from __future__ import annotations

from collections.abc import Callable

from tamale.dialects.cfir.level_function import number
from tamale.dialects.cfir.storage import AssembleOp
from tamale.passes.lowering.assembling import Assembler
from tamale.passes.lowering.boundaries import Boundaries, find_boundaries
from tamale.passes.lowering.measure import Measure
from tamale.passes.lowering.partials import Partials, open_partials
from tamale.passes.lowering.scope import Scope
from tamale.passes.lowering.spans import Span


def share_loops(
    measure: Measure,
    assembler: Assembler,
    body: Callable[[Scope, Partials | None], None],
) -> None:
    """A parallel loop over the workers; `body` emits the loops of the kernel for one of them."""
    kernel, partition, opened = measure.kernel, measure.partition, assembler.result.owner
    if isinstance(opened, AssembleOp) and opened.fill is not None:
        opened.workers = number(partition.parts)
    boundaries = find_boundaries(measure)
    partials = open_partials(kernel, partition)
    _share(measure, boundaries, lambda span: body(Scope(kernel, span=span), partials))
    if partials is not None:
        partials.combine(assembler, boundaries, partition.parts)
        kernel.emit.free(partials.values)


def share_spans(measure: Measure, body: Callable[[Span], None]) -> None:
    """A parallel loop over the workers; `body` emits what one of them makes of its span."""
    _share(measure, find_boundaries(measure), body)


def _share(measure: Measure, boundaries: Boundaries, body: Callable[[Span], None]) -> None:
    emit, partition = measure.kernel.emit, measure.partition
    with emit.workers(partition.parts, "worker") as worker:
        begin = boundaries.read(worker, "first")
        following = emit.named(emit.add(worker, emit.constant(1)), "following")
        end = boundaries.read(following, "last")
        body(Span(worker, partition.variables, begin, end))
