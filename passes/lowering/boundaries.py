"""
Where the workers of a partitioned kernel begin: places in its loops, found by bisection.

The place of worker w is the last one that at most w / parts of all work comes before: first the
last coordinate of the outermost loop of which this is so, then, inside of that, the last one of
the next loop, and so on. All copies of a coordinate are on the same side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import memref
from xdsl.ir import SSAValue

from tamale.dialects.cin.partition import Partition
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.measure import Measure, Measured
from tamale.passes.lowering.spans import Boundary


@dataclass(frozen=True)
class Boundaries:
    """The places where workers begin, and where the last one ends."""

    emit: Emitter
    variables: Sequence[str]
    coordinates: Sequence[SSAValue]
    """Per loop an array: a coordinate for each boundary."""
    inside: Sequence[SSAValue]

    def read(self, worker: SSAValue, name: str) -> Boundary:
        """Where a worker begins; `name` is part of what the coordinates are called."""
        emit, variables = self.emit, self.variables
        pairs = zip(self.coordinates, variables, strict=True)
        coordinates = [emit.load(array, worker, f"{v}_{name}") for array, v in pairs]
        flags = zip(self.inside, variables, strict=False)
        return Boundary(
            coordinates, [emit.load(array, worker, f"{v}_{name}_inside") for array, v in flags]
        )

    def write(self, worker: SSAValue, boundary: Boundary) -> None:
        pairs = [
            *zip(self.coordinates, boundary.coordinates, strict=True),
            *zip(self.inside, boundary.inside, strict=True),
        ]
        for array, value in pairs:
            self.emit.store(value, array, worker)


def find_boundaries(measure: Measure) -> Boundaries:
    """Emits the search for the places of all workers."""
    emit, partition = measure.kernel.emit, measure.partition
    boundaries = _arrays(emit, partition)
    lows = [low for low, _ in measure.cut]
    zeros = [emit.constant(0)] * (len(lows) - 1)
    boundaries.write(emit.constant(0), Boundary(lows, zeros))
    end = Boundary([measure.cut[0][1], *lows[1:]], zeros)
    boundaries.write(emit.constant(partition.parts), end)
    total = emit.named(measure.total, "work")
    parts = emit.constant(partition.parts)
    with emit.loop(emit.constant(1), parts, "worker") as worker:
        wanted = emit.div(emit.mul(total, worker), parts)
        boundaries.write(worker, _search(emit, measure, emit.named(wanted, "wanted")))
    return boundaries


def _arrays(emit: Emitter, partition: Partition) -> Boundaries:
    def array(hint: str) -> SSAValue:
        op = memref.AllocaOp.get(INDEX, shape=[partition.parts + 1])
        return emit.named(emit.insert(op).memref, hint)

    variables = partition.variables
    return Boundaries(
        emit,
        variables,
        [array(f"{variable}_begin") for variable in variables],
        [array(f"{variable}_inside") for variable in variables[:-1]],
    )


def _search(emit: Emitter, measure: Measure, wanted: SSAValue) -> Boundary:
    """The last place that at most `wanted` work comes before."""
    coordinates: list[SSAValue] = []
    inside: list[SSAValue] = []
    prefix = measure.outermost
    for depth, (_, high) in enumerate(measure.cut):
        here = measure.below(prefix)
        coordinate = _last(emit, here, wanted, measure.partition.variables[depth])
        ranks = here.ranks(coordinate)
        before = here.before(coordinate, ranks)
        if depth:
            zero = emit.constant(0)
            cut = emit.select(emit.compare("sgt", before, zero), emit.constant(1), zero)
            inside.append(cut)
        coordinates.append(coordinate)
        if depth + 1 < len(measure.cut):
            after = emit.min(emit.add(coordinate, emit.constant(1)), high)
            behind = here.ranks(after)
            prefix = here.at(coordinate, ranks, behind)
            own = emit.sub(here.visits(after, behind), here.visits(coordinate, ranks))
            left = emit.sub(emit.sub(wanted, before), own)
            # Behind all, as every place is if there is no work, no coordinate is inside.
            behind_all = emit.compare("eq", coordinate, high)
            wanted = emit.select(behind_all, emit.constant(-1), left)
            emit.named(wanted, f"wanted_{depth + 2}")
    for k in reversed(range(len(inside) - 1)):
        # In front of all of a row's first fiber, but inside of that.
        inside[k] = emit.max(inside[k], inside[k + 1])
    return Boundary(coordinates, inside)


def _last(emit: Emitter, here: Measured, wanted: SSAValue, variable: str) -> SSAValue:
    """The last coordinate of a loop before which there is at most `wanted` work; or the first."""
    low, high = here.measure.universes[here.depth]
    one = emit.constant(1)
    first = emit.variable(INDEX, f"{variable}_low", low)
    last = emit.variable(INDEX, f"{variable}_high", high)
    with emit.loop_while(lambda: emit.compare("slt", emit.load(first), emit.load(last))):
        begin, end = emit.load(first), emit.load(last)
        middle = emit.sub(end, emit.binary("shr", emit.sub(end, begin), one))
        emit.named(middle, f"{variable}_middle")
        before = here.before(middle, here.ranks(middle))
        fits = emit.named(emit.compare("sle", before, wanted), "fits")
        emit.store(emit.select(fits, middle, begin), first)
        emit.store(emit.select(fits, end, emit.sub(middle, one)), last)
    return emit.load(first)
