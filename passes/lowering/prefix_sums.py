"""Sums of all numbers before each, which several workers compute."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.dialects import memref
from xdsl.ir import SSAValue

from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter


def sum_before(emit: Emitter, numbers: SSAValue, count: SSAValue, workers: int) -> None:
    """
    Puts the sum of all numbers before it into the place of each.

    Args:
        emit: where.
        numbers: an array with a place more than there are numbers, which gets the sum of all.
        count: how many there are.
        workers: how many share them: each sums up its own, and then numbers on from what those
            before it have.
    """
    array = memref.AllocaOp.get(INDEX, shape=[workers + 1])
    sums = emit.named(emit.insert(array).memref, "sums")
    zero, one = emit.constant(0), emit.constant(1)
    with _shares(emit, count, workers) as (worker, begin, end):
        total = emit.variable(INDEX, "total", zero)
        with emit.loop(begin, end, "p") as p:
            emit.store(emit.add(emit.load(total), emit.load(numbers, p)), total)
        emit.store(emit.load(total), sums, emit.add(worker, one))
    emit.store(zero, sums, zero)
    with emit.loop(zero, emit.constant(workers), "worker") as worker:
        following = emit.add(worker, one)
        total = emit.add(emit.load(sums, worker), emit.load(sums, following))
        emit.store(total, sums, following)
    with _shares(emit, count, workers) as (worker, begin, end):
        before = emit.variable(INDEX, "before", emit.load(sums, worker))
        with emit.loop(begin, end, "p") as p:
            own = emit.load(numbers, p)
            emit.store(emit.load(before), numbers, p)
            emit.store(emit.add(emit.load(before), own), before)
    emit.store(emit.load(sums, emit.constant(workers)), numbers, count)


@contextmanager
def _shares(
    emit: Emitter, count: SSAValue, workers: int
) -> Generator[tuple[SSAValue, SSAValue, SSAValue]]:
    """A parallel loop: a worker, and its part of [0, count)."""
    with emit.workers(workers, "worker") as worker:
        following = emit.add(worker, emit.constant(1))
        parts = emit.constant(workers)
        begin, end = (emit.div(emit.mul(count, share), parts) for share in (worker, following))
        yield worker, begin, end
