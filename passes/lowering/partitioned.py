"""Kernels whose loops several workers share: where each begins, what it runs, what is combined."""

from __future__ import annotations

from collections.abc import Callable

from tamale.dialects.cfir.level_function import number
from tamale.dialects.cfir.storage import AssembleOp
from tamale.dialects.cin.partition import Partition
from tamale.passes.lowering.assembling import Assembler
from tamale.passes.lowering.boundaries import Boundaries
from tamale.passes.lowering.meetings import find_boundaries
from tamale.passes.lowering.partials import Partials, open_partials
from tamale.passes.lowering.scope import KernelContext, Scope
from tamale.passes.lowering.spans import Span


def share_loops(
    kernel: KernelContext,
    partition: Partition,
    assembler: Assembler,
    body: Callable[[Scope, Partials | None], None],
) -> None:
    """A parallel loop over the workers; `body` emits the loops of the kernel for one of them."""
    emit, opened = kernel.emit, assembler.result.owner
    if isinstance(opened, AssembleOp) and opened.fill is not None:
        opened.workers = number(partition.parts)
    boundaries = find_boundaries(kernel, partition)
    partials = open_partials(kernel, partition)
    _share(kernel, partition, boundaries, lambda span: body(Scope(kernel, span=span), partials))
    if partials is not None:
        partials.combine(assembler, boundaries, partition.parts)
        emit.free(partials.values)


def share_spans(
    kernel: KernelContext, partition: Partition, body: Callable[[Span], None]
) -> None:
    """A parallel loop over the workers; `body` emits what one of them makes of its span."""
    _share(kernel, partition, find_boundaries(kernel, partition), body)


def _share(
    kernel: KernelContext,
    partition: Partition,
    boundaries: Boundaries,
    body: Callable[[Span], None],
) -> None:
    emit = kernel.emit
    with emit.workers(partition.parts, "worker") as worker:
        begin = boundaries.read(worker, "first")
        following = emit.named(emit.add(worker, emit.constant(1)), "following")
        end = boundaries.read(following, "last")
        body(Span(worker, partition.variables, begin, end))
