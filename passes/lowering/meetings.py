"""
Where operands meet, found before a kernel is cut: what lies inside of the coordinates at which they
do is work, and nothing else is.

The loops outside are run without what is inside of them, and each position of the operand along
which they run gets its number of visits. Several workers do that, cut by what these loops alone
walk. The sums before each position are the measure that the kernel is cut by. If there is little
inside, as the kernel sees when it runs, all entries stay the measure.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects.cfir.storage import CountOp, PosAccessOp
from tamale.dialects.cin.partition import Partition
from tamale.dialects.cin.sets import Complement, Intersection, SetExpr, Stored, Union, set_text
from tamale.dialects.level_variables import level_variables
from tamale.passes.algebra.meetings import loops_along, met_sets
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.levels import storage_kind
from tamale.passes.lowering.boundaries import find_boundaries
from tamale.passes.lowering.measure import Measure, Measured, Met
from tamale.passes.lowering.prefix_sums import sum_before
from tamale.passes.lowering.scope import KernelContext

INSIDE_PER_OUTSIDE = 4
"""So many visits inside for each outside make it worth while to run the loops outside twice."""

BEHIND_ALL = 1 << 62
"""What no coordinate comes to."""


def with_meetings(measure: Measure) -> Measure:
    """
    The measure with where operands meet, if the partition asks for that.

    Raises:
        PassFailedException: operands are not met along the access that it names.
    """
    kernel, partition = measure.kernel, measure.partition
    if partition.along is None:
        return measure
    along, emit = partition.along, kernel.emit

    def levels_of(access: str) -> Sequence[str]:
        return level_variables(kernel.accesses[access], kernel.formats[access])

    found = loops_along(along, partition.measured, levels_of)
    if not found:
        sets = ", ".join(set_text(loop.domain) for loop in partition.measured)
        raise PassFailedException(
            f"lower-lattices: no loop over {sets} has all that it asks for in {along}\n"
            f"  help: leave out 'met along {along}'"
        )
    outside = _outside(partition, found)
    worth = _is_worth_finding(kernel, partition, outside)
    counts = {k: emit.insert(CountOp(kernel.tensors[along], k)).count for k in found}
    work = {k: _zeros(emit, count, f"{along}{k + 1}_inside") for k, count in counts.items()}
    met = Met(along, work, worth)
    with emit.when(worth):
        mets = met_sets(partition.measured, levels_of)
        _Finding(measure, mets, met).run(Measure(kernel, outside))
        for k, array in work.items():
            sum_before(emit, array, counts[k], partition.parts)
    return replace(measure, met=met)


def _outside(partition: Partition, found: range) -> Partition:
    """The loops that are run to find out where operands meet, shared by whole coordinates."""
    first, *inner = partition.measured[: found.stop]
    return Partition(partition.parts, (first,), weighed=tuple(inner))


def _is_worth_finding(kernel: KernelContext, partition: Partition, outside: Partition) -> SSAValue:
    """Whether the loops inside have much more to visit than those outside."""
    emit = kernel.emit
    least = emit.mul(Measure(kernel, outside).total, emit.constant(1 + INSIDE_PER_OUTSIDE))
    return emit.named(emit.compare("sge", Measure(kernel, partition).total, least), "worth")


def _zeros(emit: Emitter, count: SSAValue, hint: str) -> SSAValue:
    """A zero for each position, and one more."""
    room = emit.add(count, emit.constant(1))
    array = emit.allocate(INDEX, room, hint)
    with emit.loop(emit.constant(0), room, "p") as p:
        emit.store(emit.constant(0), array, p)
    return array


@dataclass(frozen=True)
class _Finding:
    """Runs the loops outside, and counts what lies inside."""

    measure: Measure
    mets: Sequence[SetExpr]
    met: Met
    """Each position gets the number of its own here."""

    @property
    def emit(self) -> Emitter:
        return self.measure.kernel.emit

    def run(self, outside: Measure) -> None:
        emit, parts, boundaries = self.emit, outside.partition.parts, find_boundaries(outside)
        with emit.workers(parts, "worker") as worker:
            following = emit.add(worker, emit.constant(1))
            (low,) = boundaries.read(worker, "first").coordinates
            (high,) = boundaries.read(following, "last").coordinates
            self._loop(self.measure.below(self.measure.outermost), (low, high))

    def _loop(self, here: Measured, bounds: tuple[SSAValue, SSAValue]) -> None:
        """The loop inside of a prefix, over coordinates in [low, high)."""
        emit, measure = self.emit, here.measure
        starts = here.ranks(bounds[0])
        walks = {access: _walk_of(here, access, start) for access, start in starts.items()}
        with walks[self.met.along].loop(bounds) as coordinate:
            after = emit.add(coordinate, emit.constant(1))
            begins = {access: walk.reach(coordinate) for access, walk in walks.items()}
            ends = {access: walk.reach(after) for access, walk in walks.items()}
            present = {x: emit.compare("slt", begins[x], ends[x]) for x in walks}
            with emit.when(self._meets(self.mets[here.depth], present)):
                inside = measure.below(here.at(coordinate, begins, ends))
                self._count(inside, begins[self.met.along])
                if inside.depth <= max(self.met.work):
                    self._loop(inside, measure.universes[inside.depth])

    def _count(self, inside: Measured, position: SSAValue) -> None:
        """Writes down what lies inside of a position, if it is one of a loop that asks for it."""
        outer = inside.depth - 1
        if outer not in self.met.work:
            return
        _, high = inside.measure.universes[inside.depth]
        everything = {access: run[1] for access, (_, run) in inside.positions.items()}
        count = inside.visits if outer < max(self.met.work) else inside.before
        self.emit.store(count(high, everything), self.met.work[outer], position)

    def _meets(self, met: SetExpr, present: Mapping[str, SSAValue]) -> SSAValue:
        """Whether a coordinate is one of a set, told of which accesses it is one."""
        emit = self.emit
        match met:
            case Stored(access=access):
                return present[access]
            case Complement(inner):
                return emit.xor(self._meets(inner, present), emit.true())
            case Union(sets) | Intersection(sets):
                combine = emit.or_ if isinstance(met, Union) else emit.and_
                meets = self._meets(sets[0], present)
                for other in sets[1:]:
                    meets = combine(meets, self._meets(other, present))
                return meets
            case _:
                return emit.true()


@dataclass(frozen=True)
class _Walk:
    """Moves along the coordinates of a level below a parent, in ascending order."""

    here: Measured
    access: str

    @contextmanager
    def loop(self, bounds: tuple[SSAValue, SSAValue]) -> Generator[SSAValue]:
        """A loop over the coordinates in [low, high)."""
        emit = self.here.measure.kernel.emit
        with emit.loop(*bounds, self.here.measure.variables[self.here.depth]) as coordinate:
            yield coordinate

    def reach(self, bound: SSAValue) -> SSAValue:
        """The first position whose coordinate is not below a bound; bounds ascend."""
        return self.here.rank(self.access, bound)


@dataclass(frozen=True)
class _PositionWalk(_Walk):
    """One that goes from position to position."""

    position: SSAValue
    coordinate: SSAValue
    """Of the position; behind all if there is none."""

    @contextmanager
    def loop(self, bounds: tuple[SSAValue, SSAValue]) -> Generator[SSAValue]:
        emit = self.here.measure.kernel.emit
        with emit.loop_while(lambda: emit.compare("slt", emit.load(self.coordinate), bounds[1])):
            yield emit.load(self.coordinate, hint=self.here.measure.variables[self.here.depth])

    def reach(self, bound: SSAValue) -> SSAValue:
        emit = self.here.measure.kernel.emit
        with emit.loop_while(lambda: emit.compare("slt", emit.load(self.coordinate), bound)):
            emit.store(emit.add(emit.load(self.position), emit.constant(1)), self.position)
            self.read()
        return emit.load(self.position)

    def read(self) -> None:
        """Takes the coordinate of the position."""
        emit, here = self.here.measure.kernel.emit, self.here
        position = emit.load(self.position)
        emit.store(emit.constant(BEHIND_ALL), self.coordinate)
        level, ancestors = here.level(self.access)
        with emit.when(emit.compare("slt", position, here.positions[self.access][1][1])):
            tensor = here.measure.kernel.tensors[self.access]
            access = PosAccessOp(tensor, level, position, ancestors)
            emit.store(emit.insert(access).coordinate, self.coordinate)


def _walk_of(here: Measured, access: str, start: SSAValue) -> _Walk:
    """The walk of an access's level inside of a prefix, from a position on."""
    kernel, (level, _) = here.measure.kernel, here.level(access)
    kind = storage_kind(kernel.formats[access].levels[level].kind)
    if kind.iterates == "coordinates":
        return _Walk(here, access)
    emit, name = kernel.emit, f"{access}{level + 1}"
    position = emit.variable(INDEX, f"p{name}", start)
    coordinate = emit.variable(INDEX, f"{name}_next", emit.constant(BEHIND_ALL))
    walk = _PositionWalk(here, access, position, coordinate)
    walk.read()
    return walk
