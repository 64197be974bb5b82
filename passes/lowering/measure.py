"""
The work of a partitioned kernel before a place in its loops: how many coordinates they visit.

What each loop of the partition walks, `passes/algebra/ranks.py` says. All of that is counted by
level functions, `rank` along the loop of a place and `below` for the loops inside, and by
multiplication where a loop begins anew for each coordinate outside. What a loop visits that is
`counted` is told by sums, made before (`visit_sums.py`), and so is what lies inside of loops where
operands meet (`meetings.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from xdsl.ir import SSAValue

from tamale.dialects.cfir.ranks import BelowOp, RankOp
from tamale.dialects.cfir.storage import CountOp
from tamale.dialects.cin.partition import Partition
from tamale.dialects.level_variables import level_variables
from tamale.passes.algebra.ranks import walked
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.scope import KernelContext, Scope
from tamale.passes.lowering.universes import universe_bounds

Run = tuple[SSAValue, SSAValue]
"""Positions [begin, end) of one level, or coordinates."""
Ranks = Mapping[str, SSAValue]


@dataclass(frozen=True)
class Prefix:
    """Coordinates of the outermost loops, and the positions of operands there."""

    scope: Scope
    depth: int
    runs: Mapping[str, Run] = field(default_factory=dict[str, Run])


@dataclass(frozen=True)
class Met:
    """
    What lies inside of loops where operands meet: a number before each position of an operand.
    """

    along: str
    """The access whose positions these are."""
    work: Mapping[int, SSAValue]
    """Loop -> an array: the visits of the next loop in, of all loops inside of the last of them."""
    found: SSAValue
    """Whether there was enough inside to find it out."""

    def release(self, emit: Emitter) -> None:
        """Frees the numbers."""
        for array in self.work.values():
            emit.free(array)


@dataclass(frozen=True)
class Measure:
    """Counts the visits of the loops of a partition."""

    kernel: KernelContext
    partition: Partition
    sums: SSAValue | None = None
    """For each coordinate of the first loop: the visits before it that are counted."""
    met: Met | None = None
    """What lies inside of loops where operands meet, if that has been found."""

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(loop.variable for loop in self.partition.measured)

    @property
    def outermost(self) -> Prefix:
        return Prefix(Scope(self.kernel), 0)

    @cached_property
    def walkers(self) -> Sequence[Mapping[str, int]]:
        """Per loop: the accesses with a level there, and the loop of their first level."""
        variables = self.variables
        walkers: list[dict[str, int]] = [{} for _ in variables]
        for loop in self.partition.measured:
            for leaf in walked(loop.domain, loop.variable).leaves:
                format = self.kernel.formats[leaf.access]
                own = level_variables(self.kernel.accesses[leaf.access], format)
                first = variables.index(own[0])
                for k in range(first, variables.index(leaf.variable) + 1):
                    walkers[k][leaf.access] = first
        return walkers

    @property
    def cut(self) -> Sequence[Run]:
        """The coordinates [low, high) that each loop that is cut can have at all."""
        return self.universes[: len(self.partition.loops)]

    @cached_property
    def universes(self) -> Sequence[Run]:
        """The coordinates [low, high) that each loop can have at all."""
        return [universe_bounds(self.kernel, v) for v in self.variables]

    @property
    def total(self) -> SSAValue:
        """The work of the whole kernel."""
        everything, high = self.below(self.outermost), self.universes[0][1]
        return everything.before(high, everything.ranks(high))

    def release(self) -> None:
        """Gives back what was counted and found before."""
        if self.sums is not None:
            self.kernel.emit.free(self.sums)
        if self.met is not None:
            self.met.release(self.kernel.emit)

    def below(self, prefix: Prefix) -> Measured:
        """The work inside of a prefix, as a function of the coordinate of the next loop."""
        return Measured(self, prefix, self._positions(prefix))

    def _positions(self, prefix: Prefix) -> Mapping[str, tuple[SSAValue, Run]]:
        """Access -> its parent position at the prefix, and its positions in the next loop."""
        emit, positions = self.kernel.emit, dict[str, tuple[SSAValue, Run]]()
        for access, first in self.walkers[prefix.depth].items():
            level = prefix.depth - first
            begin, end = emit.constant(0), emit.constant(1)
            if level:
                begin, end = prefix.runs[access]
            edges = self.inside(access, level, begin), self.inside(access, level, end)
            positions[access] = (begin, edges)
        return positions

    def inside(self, access: str, level: int, parents: SSAValue) -> SSAValue:
        """How many positions a level has below the first positions of the level above."""
        tensor = self.kernel.tensors[access]
        return self.kernel.emit.insert(BelowOp(tensor, level, parents)).count


@dataclass(frozen=True)
class Visits:
    """What a loop does before some coordinate."""

    work: SSAValue
    """How many steps along all that it walks."""
    coordinates: SSAValue
    """How many coordinates it comes to, at most."""


@dataclass(frozen=True)
class Measured:
    """The work inside of a prefix."""

    measure: Measure
    prefix: Prefix
    positions: Mapping[str, tuple[SSAValue, Run]]

    @property
    def depth(self) -> int:
        return self.prefix.depth

    def ranks(self, coordinate: SSAValue) -> Ranks:
        """Access -> the position in the loop's level that a walk has before a coordinate."""
        return {access: self.rank(access, coordinate) for access in self.positions}

    def rank(self, access: str, coordinate: SSAValue) -> SSAValue:
        """Likewise, of one access."""
        parent, run = self.positions[access]
        level, ancestors = self.level(access)
        tensor = self.measure.kernel.tensors[access]
        rank = RankOp(tensor, level, parent, run, coordinate, ancestors)
        return self.measure.kernel.emit.insert(rank).position

    def level(self, access: str) -> tuple[int, tuple[SSAValue, ...]]:
        """Which level of an access the loop walks; the coordinates above, if its kind asks."""
        level = self.depth - self.measure.walkers[self.depth][access]
        return level, self.prefix.scope.ancestors(access, level)

    def before(self, coordinate: SSAValue, ranks: Ranks) -> SSAValue:
        """All visits before a coordinate of the loop, by it and the loops inside."""
        emit, loops = self.measure.kernel.emit, self.measure.partition.measured
        visits = self._visits(coordinate, ranks)
        total, above = visits.work, [visits.coordinates]
        if self.measure.sums is not None:
            total = emit.add(total, emit.load(self.measure.sums, coordinate))
        edges = {access: (run[0], ranks[access]) for access, (_, run) in self.positions.items()}
        for k in range(self.depth + 1, len(loops)):
            met = self._met_inside(k, edges)
            edges = self._descend(edges, k)
            visits = self._visits_inside(k, edges, above)
            if met is not None:
                visits = self._chosen(met, visits)
            above.append(visits.coordinates)
            total = emit.add(total, visits.work)
        return total

    def _met_inside(self, k: int, edges: Mapping[str, Run]) -> SSAValue | None:
        """The visits of the loop k where operands meet, given positions of the loop around."""
        met, emit = self.measure.met, self.measure.kernel.emit
        if met is None or self.depth > max(met.work) or k <= min(met.work):
            return None
        if k - 1 not in met.work:
            return emit.constant(0)  # Among those of the loop around.
        begin, end = edges[met.along]
        return emit.sub(emit.load(met.work[k - 1], end), emit.load(met.work[k - 1], begin))

    def _chosen(self, met: SSAValue, visits: Visits) -> Visits:
        """The visits where operands meet if that has been found, else all."""
        assert self.measure.met is not None
        emit, found = self.measure.kernel.emit, self.measure.met.found
        return Visits(
            emit.select(found, met, visits.work), emit.select(found, met, visits.coordinates)
        )

    def visits(self, coordinate: SSAValue, ranks: Ranks) -> SSAValue:
        """The visits of the loop itself before a coordinate."""
        return self._visits(coordinate, ranks).work

    def _visits(self, coordinate: SSAValue, ranks: Ranks) -> Visits:
        low, _ = self.measure.universes[self.depth]
        begins = {access: run[0] for access, (_, run) in self.positions.items()}
        emit = self.measure.kernel.emit
        return self._of_walk(
            self.depth,
            lambda: emit.sub(coordinate, low),
            lambda access: emit.sub(ranks[access], begins[access]),
        )

    def _of_walk(
        self, k: int, universe: Callable[[], SSAValue], entries: Callable[[str], SSAValue]
    ) -> Visits:
        """The visits of the loop k, given how much of the universe and of an access it walks."""
        emit, loop = self.measure.kernel.emit, self.measure.partition.measured[k]
        moved = walked(loop.domain, loop.variable)
        every = universe() if moved.universe else None
        total = emit.constant(0) if every is None else every
        for leaf in moved.leaves:
            total = emit.add(total, entries(leaf.access))
        return Visits(total, total if every is None else every)

    def _descend(self, edges: Mapping[str, Run], k: int) -> dict[str, Run]:
        """Positions of levels in the loop k inside of positions in the loop around it."""
        walkers, inside = self.measure.walkers[k], self.measure.inside
        return {
            access: (
                inside(access, k - walkers[access], begin),
                inside(access, k - walkers[access], end),
            )
            for access, (begin, end) in edges.items()
            if access in walkers
        }

    def _visits_inside(
        self, k: int, edges: Mapping[str, Run], above: Sequence[SSAValue]
    ) -> Visits:
        """The visits of the loop k, inside of the coordinates of the loop of the prefix."""
        emit, (low, high) = self.measure.kernel.emit, self.measure.universes[k]
        return self._of_walk(
            k,
            lambda: emit.mul(above[-1], emit.sub(high, low)),
            lambda access: self._entries(access, k, edges, above),
        )

    def _entries(
        self, access: str, k: int, edges: Mapping[str, Run], above: Sequence[SSAValue]
    ) -> SSAValue:
        emit = self.measure.kernel.emit
        if access in edges:
            begin, end = edges[access]
            return emit.sub(end, begin)
        first = self.measure.walkers[k][access]
        count = CountOp(self.measure.kernel.tensors[access], k - first)
        times = above[first - 1 - self.depth]
        return emit.mul(times, emit.insert(count).count)

    def at(self, coordinate: SSAValue, begin: Ranks, end: Ranks) -> Prefix:
        """The prefix with one coordinate more, given the ranks of it and of the next."""
        variable = self.measure.variables[self.depth]
        runs = {access: (begin[access], end[access]) for access in self.positions}
        scope = self.prefix.scope.at(variable, coordinate, nonnegative=False)
        return replace(self.prefix, scope=scope, depth=self.depth + 1, runs=runs)
