"""
The loops of a lattice.

One operand alone is a counted loop over its positions or coordinates, without a loop where it has
exactly one; the universe alone is one over its size; operands whose coordinates are the same, since
the levels above tell them, share one loop.
Otherwise there is one while loop per lattice point, in order: each step takes the smallest
coordinate among the operands (or the counter, where the universe drives), runs the first case
whose operands all stand there, and moves those on. What a case knows to stand there it moves by
itself: the next coordinates then depend on a branch, which processors predict, and not on
comparisons, for which they wait. Source: Kjolstad et al., OOPSLA 2017, sec. 6.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from tamale.dialects.cin.sets import SetExpr, Stored, leaves
from tamale.passes.algebra.lattice import driven_by_universe, points
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.advancing import Present, advance_present, advances, subsets
from tamale.passes.lowering.iterators import Iterator, walk_alike
from tamale.passes.lowering.scope import KernelContext, Place, Scope
from tamale.passes.lowering.stands import Meeting, Stand
from tamale.passes.lowering.universes import universe_bounds

Visit = Callable[[SSAValue, "Choose"], None]
"""Called once per visited coordinate; the second argument emits the case that applies."""
Choose = Callable[[Scope], None]
Body = Callable[[SetExpr, Scope], None]
"""Emits the body of the case with this guard."""


@dataclass
class LatticeLoops:
    """
    Emits the loops of one lattice; `body` emits what a case does, `around` what every coordinate
    does.
    """

    kernel: KernelContext
    variable: str
    domain: SetExpr
    cases: Sequence[SetExpr]
    """Guards of the lattice's cases, in order."""
    live: Sequence[bool]
    """Whether each case does anything."""
    iterators: Mapping[Stored, Iterator]
    sought: Collection[Stored]
    """The operands that search for their next entry."""
    scope: Scope
    body: Body
    around: Visit
    duplicates_apart: bool
    """Whether duplicates of a coordinate may be visited one by one."""

    @property
    def emit(self) -> Emitter:
        return self.kernel.emit

    def universe(self) -> tuple[SSAValue, SSAValue]:
        """From where up to where the variable runs if nothing else bounds it."""
        low, high = universe_bounds(self.kernel, self.variable)
        span = self.scope.span
        if span is None or not span.cuts(self.variable):
            return low, high
        return span.within(self.emit, low, high)

    def run(self) -> None:
        """Emits all loops of the lattice."""
        every = points(self.domain, self.variable)
        if len(every) == 1 and not leaves(self.domain):
            self._count(*self.universe())
            return
        alone = self.iterators[self.domain] if isinstance(self.domain, Stored) else None
        if alone is not None and alone.single:
            self._arrive(alone, alone.begin)
            return
        if alone is not None and self._walks_flat(alone):
            self._walk(alone, alone.begin)
            return
        everyone = list(self.iterators.values())
        if not driven_by_universe(self.domain) and walk_alike(self.kernel, everyone):
            self._walk_together(everyone)
            return
        self._merge(every)

    def _walks_flat(self, iterator: Iterator) -> bool:
        return iterator.unique or self.duplicates_apart

    def _count(self, low: SSAValue, high: SSAValue) -> None:
        """The universe alone."""
        with self.emit.loop(low, high, self.variable) as coordinate:
            self._visit(coordinate, {})

    def _walk(self, iterator: Iterator, begin: SSAValue) -> None:
        """One operand alone."""
        hint = self.variable if iterator.by_coordinate else iterator.cursor
        with self.emit.loop(begin, iterator.end, hint) as cursor:
            self._arrive(iterator, cursor)

    def _arrive(self, iterator: Iterator, cursor: SSAValue) -> None:
        """One operand alone, at a cursor of its."""
        coordinate = iterator.coordinate(self.emit, cursor, self.variable)
        arrival = iterator.arrive(self.emit, cursor, coordinate)
        if arrival.found is None:
            self._visit(coordinate, {iterator.leaf: arrival.place})
            return
        with self.emit.when(arrival.found):
            self._visit(coordinate, {iterator.leaf: arrival.place})

    def _walk_together(self, iterators: Sequence[Iterator]) -> None:
        """Operands that have the same coordinates: the first one leads."""
        first = iterators[0]
        if first.single:
            self._meet(iterators, [iterator.begin for iterator in iterators])
            return
        with self.emit.loop(first.begin, first.end, self.variable) as coordinate:
            self._meet(iterators, [coordinate] * len(iterators))

    def _meet(self, iterators: Sequence[Iterator], cursors: Sequence[SSAValue]) -> None:
        """Every operand has an entry at one coordinate."""
        coordinate = iterators[0].coordinate(self.emit, cursors[0], self.variable)
        pairs = zip(iterators, cursors, strict=True)
        self._visit(
            coordinate,
            {i.leaf: i.arrive(self.emit, cursor, coordinate).place for i, cursor in pairs},
        )

    def _visit(self, coordinate: SSAValue, places: Mapping[Stored, Place]) -> None:
        """A coordinate at which exactly `places` have an entry: the first case that they fulfil."""
        for k, guard in enumerate(self.cases):
            if set(leaves(guard)) <= places.keys():
                self.around(coordinate, self._chooser(k, places))
                return
        self.around(coordinate, lambda scope: None)

    def _chooser(self, k: int, places: Mapping[Stored, Place]) -> Choose:
        return lambda scope: self.body(self.cases[k], _reach(scope, self.iterators, places))

    # Several operands

    def _merge(self, every: Sequence[SetExpr]) -> None:
        emit = self.emit
        cursors = {
            leaf: emit.variable(INDEX, iterator.cursor, iterator.begin)
            for leaf, iterator in self.iterators.items()
        }
        counter = None
        if driven_by_universe(self.domain):
            counter = emit.variable(INDEX, self.variable, self.universe()[0])
        for point in every:
            below = points(point, self.variable)
            if any(self._live_guard(leaves(p)) for p in below):
                self._point(point, below, cursors, counter)

    def _live_guard(self, present: Sequence[Stored]) -> bool:
        return any(
            live and set(leaves(guard)) == set(present)
            for guard, live in zip(self.cases, self.live, strict=True)
        )

    def _point(
        self,
        point: SetExpr,
        below: Sequence[SetExpr],
        cursors: Mapping[Stored, SSAValue],
        counter: SSAValue | None,
    ) -> None:
        """The loop of one lattice point."""
        present = leaves(point)
        counted = driven_by_universe(point)
        if not present and counter is not None:
            self._count(self.emit.load(counter), self.universe()[1])
        elif len(present) == 1 and not counted and self._walks_flat(self.iterators[present[0]]):
            iterator = self.iterators[present[0]]
            self._walk(iterator, self.emit.load(cursors[present[0]]))
        else:
            self._while(present, below, cursors, counter if counted else None)

    def _while(
        self,
        present: Sequence[Stored],
        below: Sequence[SetExpr],
        cursors: Mapping[Stored, SSAValue],
        counter: SSAValue | None,
    ) -> None:
        emit = self.emit
        limit = self.universe()[1] if counter is not None else None
        before, after = emit.repeat()
        with emit.at(InsertPoint.at_end(before)):
            condition = self._all_valid(present, cursors)
            if counter is not None and limit is not None:
                inside = emit.compare("slt", emit.load(counter, hint=self.variable), limit)
                condition = inside if condition is None else emit.and_(condition, inside)
        assert condition is not None
        emit.testing(before, condition)
        with emit.filling(after):
            self._step(present, below, cursors, counter)

    def _all_valid(
        self, present: Sequence[Stored], cursors: Mapping[Stored, SSAValue]
    ) -> SSAValue | None:
        condition = None
        for leaf in present:
            iterator = self.iterators[leaf]
            cursor = self.emit.load(cursors[leaf], hint=iterator.cursor)
            valid = self.emit.compare("slt", cursor, iterator.end)
            condition = valid if condition is None else self.emit.and_(condition, valid)
        return condition

    def _step(
        self,
        present: Sequence[Stored],
        below: Sequence[SetExpr],
        cursors: Mapping[Stored, SSAValue],
        counter: SSAValue | None,
    ) -> None:
        """One iteration: the coordinate, its case, and on."""
        emit = self.emit
        stands = [
            Stand.of(emit, self.iterators[leaf], cursors[leaf], self.variable) for leaf in present
        ]
        coordinate = emit.load(counter, hint=self.variable) if counter else None
        for stand in stands if counter is None else ():
            first = stand.coordinate
            coordinate = first if coordinate is None else emit.min(coordinate, first)
        assert coordinate is not None
        if len(present) > 1 or counter is None:
            emit.named(coordinate, self.variable)
        meetings = {stand.iterator.leaf: stand.meet(emit, coordinate) for stand in stands}
        self.around(coordinate, lambda scope: self._choose(meetings, below, scope))
        for meeting in meetings.values():
            if not meeting.tells_advance:
                meeting.advance(emit)
        if counter is not None:
            emit.store(emit.add(coordinate, emit.constant(1)), counter)

    def _choose(
        self, meetings: Mapping[Stored, Meeting], below: Sequence[SetExpr], scope: Scope
    ) -> None:
        """The chain of cases at a point, the most demanding first."""
        ordered = [p for guard in self.cases for p in below if set(leaves(p)) == set(leaves(guard))]
        skips = any(self.iterators[leaf].skips for leaf in meetings)
        nonempty = bool(meetings) and not skips and not driven_by_universe(below[0])
        possible = subsets(meetings, nonempty=nonempty)
        self._chain(list(dict.fromkeys(ordered)), possible, meetings, scope)

    def _chain(
        self,
        remaining: Sequence[SetExpr],
        possible: Sequence[Present],
        meetings: Mapping[Stored, Meeting],
        scope: Scope,
    ) -> None:
        """The first of the remaining cases that applies; `possible` is what may be present."""
        if not any(self._live_guard(leaves(p)) for p in remaining):
            advance_present(self.emit, possible, meetings, self.sought)
            return
        point, rest = remaining[0], remaining[1:]
        present = leaves(point)
        applies = [found for found in possible if found.issuperset(present)]
        fails = [found for found in possible if not found.issuperset(present)]
        if not fails:
            self._case(present, applies, meetings, scope)
            return
        condition = None
        for leaf in present:
            here = meetings[leaf].here
            condition = here if condition is None else self.emit.and_(condition, here)
        assert condition is not None
        if not advances(fails, meetings) and not any(self._live_guard(leaves(p)) for p in rest):
            with self.emit.when(condition):
                self._case(present, applies, meetings, scope)
            return
        then, otherwise = self.emit.choice(condition)
        with self.emit.filling(then):
            self._case(present, applies, meetings, scope)
        with self.emit.filling(otherwise):
            self._chain(rest, fails, meetings, scope)

    def _case(
        self,
        present: Sequence[Stored],
        possible: Sequence[Present],
        meetings: Mapping[Stored, Meeting],
        scope: Scope,
    ) -> None:
        guard = next(g for g in self.cases if set(leaves(g)) == set(present))
        places = {leaf: meetings[leaf].place for leaf in present}
        self.body(guard, _reach(scope, self.iterators, places))
        advance_present(self.emit, possible, meetings)


def _reach(
    scope: Scope, iterators: Mapping[Stored, Iterator], places: Mapping[Stored, Place]
) -> Scope:
    for leaf, place in places.items():
        scope = scope.reaching(leaf.access, iterators[leaf].level, place)
    return scope
