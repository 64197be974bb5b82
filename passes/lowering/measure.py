"""
The work of a partitioned kernel before a place in its loops: how many coordinates they visit.

Each loop of the partition visits its universe, or the entries of every operand that it walks. All
of that is counted by level functions, `rank` along the loop of a place and `below` for the loops
inside, and by multiplication where a loop begins anew for each coordinate outside. What a loop
visits that is `counted` is told by sums, made before (`visit_sums.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from xdsl.ir import SSAValue

from tamale.dialects.cfir.ranks import BelowOp, RankOp
from tamale.dialects.cfir.storage import CountOp
from tamale.dialects.cin.partition import Partition
from tamale.dialects.cin.sets import leaves
from tamale.dialects.level_variables import level_variables
from tamale.passes.algebra.lattice import driven_by_universe
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
class Measure:
    """Counts the visits of the loops of a partition."""

    kernel: KernelContext
    partition: Partition
    sums: SSAValue | None = None
    """For each coordinate of the first loop: the visits before it that are counted."""

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
            for leaf in leaves(loop.domain):
                if leaf.variable == loop.variable:
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
        return {access: self._rank(access, coordinate) for access in self.positions}

    def _rank(self, access: str, coordinate: SSAValue) -> SSAValue:
        parent, run = self.positions[access]
        level = self.depth - self.measure.walkers[self.depth][access]
        ancestors = self.prefix.scope.ancestors(access, level)
        tensor = self.measure.kernel.tensors[access]
        rank = RankOp(tensor, level, parent, run, coordinate, ancestors)
        return self.measure.kernel.emit.insert(rank).position

    def before(self, coordinate: SSAValue, ranks: Ranks) -> SSAValue:
        """All visits before a coordinate of the loop, by it and the loops inside."""
        emit, loops = self.measure.kernel.emit, self.measure.partition.measured
        visits = self.visits(coordinate, ranks)
        total, above = visits, [visits]
        if self.measure.sums is not None:
            total = emit.add(total, emit.load(self.measure.sums, coordinate))
        edges = {access: (run[0], ranks[access]) for access, (_, run) in self.positions.items()}
        for k in range(self.depth + 1, len(loops)):
            edges = self._descend(edges, k)
            visits = self._visits_inside(k, edges, above)
            above.append(visits)
            total = emit.add(total, visits)
        return total

    def visits(self, coordinate: SSAValue, ranks: Ranks) -> SSAValue:
        """The visits of the loop itself before a coordinate."""
        emit, loop = self.measure.kernel.emit, self.measure.partition.measured[self.depth]
        if driven_by_universe(loop.domain):
            return emit.sub(coordinate, self.measure.universes[self.depth][0])
        total = emit.constant(0)
        for leaf in leaves(loop.domain):
            if leaf.variable == loop.variable:
                begin = self.positions[leaf.access][1][0]
                total = emit.add(total, emit.sub(ranks[leaf.access], begin))
        return total

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
    ) -> SSAValue:
        """The visits of the loop k, inside of the coordinates of the loop of the prefix."""
        emit, loop = self.measure.kernel.emit, self.measure.partition.measured[k]
        if driven_by_universe(loop.domain):
            low, high = self.measure.universes[k]
            return emit.mul(above[-1], emit.sub(high, low))
        total = emit.constant(0)
        for leaf in leaves(loop.domain):
            if leaf.variable == loop.variable:
                total = emit.add(total, self._entries(leaf.access, k, edges, above))
        return total

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
