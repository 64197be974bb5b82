"""
The loops of a lattice.

One operand alone is a counted loop over its positions, the universe alone one over its size.
Otherwise there is one while loop per lattice point, in order: each step takes the smallest
coordinate among the operands (or the counter, where the universe drives), runs the first case
whose operands all stand there, and moves those on. Source: Kjolstad et al., OOPSLA 2017, sec. 6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from xdsl.dialects.arith import ExtUIOp
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from tamale.dialects.cfir.storage import DimOp, PosAccessOp, PosBoundsOp
from tamale.dialects.cin.sets import Intersection, SetExpr, Stored, Union, leaves
from tamale.passes.algebra.lattice import driven_by_universe, points
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.scope import KernelContext, Place, Scope


@dataclass(frozen=True)
class Iterator:
    """A level that is walked: its positions [begin, end) below the current parent."""

    leaf: Stored
    tensor: SSAValue
    level: int
    begin: SSAValue
    end: SSAValue
    unique: bool

    @property
    def name(self) -> str:
        """`A2`: access and level, the stem of generated names."""
        return f"{self.leaf.access}{self.level + 1}"

    def coordinate(self, emit: Emitter, position: SSAValue, hint: str) -> SSAValue:
        value = emit.insert(PosAccessOp(self.tensor, self.level, position)).coordinate
        return emit.named(value, hint)


Visit = Callable[[SSAValue, "Choose"], None]
"""Called once per visited coordinate; the second argument emits the case that applies."""
Choose = Callable[[Scope], None]
Body = Callable[[SetExpr, Scope], None]
"""Emits the body of the case with this guard."""


def make_iterator(kernel: KernelContext, scope: Scope, leaf: Stored) -> Iterator:
    """The walk of `leaf`'s level below its parent's place."""
    emit, level, tensor = kernel.emit, kernel.level(leaf), kernel.tensors[leaf.access]
    parent = scope.parent(leaf.access, level)
    bounds = emit.insert(PosBoundsOp(tensor, level, parent.begin))
    end = bounds.end
    if parent.end is not None:
        last = emit.sub(parent.end, emit.constant(1))
        end = emit.insert(PosBoundsOp(tensor, level, last)).end
    unique = kernel.formats[leaf.access].properties(level).unique
    iterator = Iterator(leaf, tensor, level, bounds.begin, end, unique)
    emit.named(bounds.begin, f"p{iterator.name}_begin")
    emit.named(end, f"p{iterator.name}_end")
    return iterator


def universe_size(kernel: KernelContext, variable: str) -> SSAValue:
    """The dimension size of an index variable, from the first access that has it."""
    for access in (*kernel.accesses.values(), kernel.result):
        if variable in access.indices:
            mode = access.indices.index(variable)
            size = kernel.emit.insert(DimOp(kernel.tensors[access.tensor], mode)).result
            return kernel.emit.named(size, f"{access.tensor}_dim{mode + 1}")
    raise AssertionError(variable)


def bound_visits(
    emit: Emitter,
    domain: SetExpr,
    iterators: Mapping[Stored, Iterator],
    size: Callable[[], SSAValue],
) -> SSAValue:
    """At most how many coordinates of `domain` are visited."""
    match domain:
        case Stored():
            return emit.sub(iterators[domain].end, iterators[domain].begin)
        case Union(sets) if not driven_by_universe(domain):
            total = bound_visits(emit, sets[0], iterators, size)
            for s in sets[1:]:
                total = emit.add(total, bound_visits(emit, s, iterators, size))
            return total
        case Intersection(sets):
            driving = [s for s in sets if not driven_by_universe(s)]
            if not driving:
                return size()
            least = bound_visits(emit, driving[0], iterators, size)
            for s in driving[1:]:
                least = emit.min(least, bound_visits(emit, s, iterators, size))
            return least
        case _:
            return size()


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
    scope: Scope
    body: Body
    around: Visit
    duplicates_apart: bool
    """Whether duplicates of a coordinate may be visited one by one."""

    @property
    def emit(self) -> Emitter:
        return self.kernel.emit

    def size(self) -> SSAValue:
        return universe_size(self.kernel, self.variable)

    def run(self) -> None:
        """Emits all loops of the lattice."""
        every = points(self.domain, self.variable)
        if len(every) == 1 and not leaves(self.domain):
            self._count(self.emit.constant(0), self.size())
            return
        alone = self.iterators[self.domain] if isinstance(self.domain, Stored) else None
        if alone is not None and self._walks_flat(alone):
            self._walk(alone, alone.begin)
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
        with self.emit.loop(begin, iterator.end, f"p{iterator.name}") as position:
            coordinate = iterator.coordinate(self.emit, position, self.variable)
            self._visit(coordinate, {iterator.leaf: Place(position)})

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
        positions = {
            leaf: emit.variable(INDEX, f"p{iterator.name}", iterator.begin)
            for leaf, iterator in self.iterators.items()
        }
        counter = None
        if driven_by_universe(self.domain):
            counter = emit.variable(INDEX, self.variable, emit.constant(0))
        for point in every:
            below = points(point, self.variable)
            if any(self._live_guard(leaves(p)) for p in below):
                self._point(point, below, positions, counter)

    def _live_guard(self, present: Sequence[Stored]) -> bool:
        return any(
            live and set(leaves(guard)) == set(present)
            for guard, live in zip(self.cases, self.live, strict=True)
        )

    def _point(
        self,
        point: SetExpr,
        below: Sequence[SetExpr],
        positions: Mapping[Stored, SSAValue],
        counter: SSAValue | None,
    ) -> None:
        """The loop of one lattice point."""
        present = leaves(point)
        counted = driven_by_universe(point)
        if not present and counter is not None:
            self._count(self.emit.load(counter), self.size())
        elif len(present) == 1 and not counted and self._walks_flat(self.iterators[present[0]]):
            iterator = self.iterators[present[0]]
            self._walk(iterator, self.emit.load(positions[present[0]]))
        else:
            self._while(present, below, positions, counter if counted else None)

    def _while(
        self,
        present: Sequence[Stored],
        below: Sequence[SetExpr],
        positions: Mapping[Stored, SSAValue],
        counter: SSAValue | None,
    ) -> None:
        emit = self.emit
        size = self.size() if counter is not None else None
        before, after = emit.repeat()
        with emit.at(InsertPoint.at_end(before)):
            condition = self._all_valid(present, positions)
            if counter is not None and size is not None:
                inside = emit.compare("slt", emit.load(counter, hint=self.variable), size)
                condition = inside if condition is None else emit.and_(condition, inside)
        assert condition is not None
        emit.testing(before, condition)
        with emit.filling(after):
            self._step(present, below, positions, counter)

    def _all_valid(
        self, present: Sequence[Stored], positions: Mapping[Stored, SSAValue]
    ) -> SSAValue | None:
        condition = None
        for leaf in present:
            iterator = self.iterators[leaf]
            position = self.emit.load(positions[leaf], hint=f"p{iterator.name}")
            valid = self.emit.compare("slt", position, iterator.end)
            condition = valid if condition is None else self.emit.and_(condition, valid)
        return condition

    def _step(
        self,
        present: Sequence[Stored],
        below: Sequence[SetExpr],
        positions: Mapping[Stored, SSAValue],
        counter: SSAValue | None,
    ) -> None:
        """One iteration: the coordinate, its case, and on."""
        emit = self.emit
        stands = [Stand.of(self, leaf, positions[leaf]) for leaf in present]
        coordinate = emit.load(counter, hint=self.variable) if counter else None
        for stand in stands if counter is None else ():
            first = stand.coordinate
            coordinate = first if coordinate is None else emit.min(coordinate, first)
        assert coordinate is not None
        if len(present) > 1 or counter is None:
            emit.named(coordinate, self.variable)
        for stand in stands:
            stand.compare(self, coordinate)
        self.around(coordinate, lambda scope: self._choose(stands, below, scope))
        for stand in stands:
            stand.advance(self)
        if counter is not None:
            emit.store(emit.add(coordinate, emit.constant(1)), counter)

    def _choose(self, stands: Sequence[Stand], below: Sequence[SetExpr], scope: Scope) -> None:
        """The chain of cases at a point, the most demanding first."""
        ordered = [p for guard in self.cases for p in below if set(leaves(p)) == set(leaves(guard))]
        by_leaf = {stand.iterator.leaf: stand for stand in stands}
        nonempty = bool(stands) and not driven_by_universe(below[0])
        self._chain(list(dict.fromkeys(ordered)), by_leaf, scope, nonempty=nonempty)

    def _chain(
        self,
        remaining: Sequence[SetExpr],
        stands: Mapping[Stored, Stand],
        scope: Scope,
        *,
        nonempty: bool,
        tried: Sequence[SetExpr] = (),
    ) -> None:
        if not any(self._live_guard(leaves(p)) for p in remaining):
            return
        point, rest = remaining[0], remaining[1:]
        present = leaves(point)
        if _certain(point, tried, list(stands), nonempty=nonempty):
            self._case(present, stands, scope)
            return
        condition = None
        for leaf in present:
            here = stands[leaf].here
            assert here is not None
            condition = here if condition is None else self.emit.and_(condition, here)
        assert condition is not None
        if not any(self._live_guard(leaves(p)) for p in rest):
            with self.emit.when(condition):
                self._case(present, stands, scope)
            return
        then, otherwise = self.emit.choice(condition)
        with self.emit.filling(then):
            self._case(present, stands, scope)
        with self.emit.filling(otherwise):
            self._chain(rest, stands, scope, nonempty=nonempty, tried=(*tried, point))

    def _case(
        self, present: Sequence[Stored], stands: Mapping[Stored, Stand], scope: Scope
    ) -> None:
        guard = next(g for g in self.cases if set(leaves(g)) == set(present))
        places = {leaf: stands[leaf].place for leaf in present}
        self.body(guard, _reach(scope, self.iterators, places))


def _reach(
    scope: Scope, iterators: Mapping[Stored, Iterator], places: Mapping[Stored, Place]
) -> Scope:
    for leaf, place in places.items():
        scope = scope.reaching(leaf.access, iterators[leaf].level, place)
    return scope


def _certain(
    point: SetExpr, tried: Sequence[SetExpr], every: Sequence[Stored], *, nonempty: bool
) -> bool:
    """Whether the case must apply once those tried before did not, so that it needs no test."""
    need, failed = set(leaves(point)), [set(leaves(p)) for p in tried]
    for count in range(1 if nonempty else 0, len(every) + 1):
        for chosen in map(set, combinations(every, count)):
            reached = not any(f <= chosen for f in failed)
            if reached and not need <= chosen:
                return False
    return True


@dataclass
class Stand:
    """Where one operand stands in an iteration of a merge."""

    iterator: Iterator
    variable: SSAValue
    position: SSAValue
    coordinate: SSAValue
    here: SSAValue | None = None
    end: SSAValue | None = None

    @staticmethod
    def of(loops: LatticeLoops, leaf: Stored, variable: SSAValue) -> Stand:
        iterator, emit = loops.iterators[leaf], loops.emit
        position = emit.load(variable, hint=f"p{iterator.name}")
        hint = f"{loops.variable}{leaf.access}"
        return Stand(iterator, variable, position, iterator.coordinate(emit, position, hint))

    @property
    def place(self) -> Place:
        return Place(self.position, self.end)

    def compare(self, loops: LatticeLoops, coordinate: SSAValue) -> None:
        """
        Is the operand at the coordinate, and if it may hold several entries there, up to where?
        """
        self.here = loops.emit.compare("eq", self.coordinate, coordinate)
        self.here.name_hint = f"at_{self.iterator.leaf.access}"
        if not self.iterator.unique:
            self.end = self._segment_end(loops, self.here)

    def _segment_end(self, loops: LatticeLoops, here: SSAValue) -> SSAValue:
        """
        The first position behind the entries at the coordinate; where it stands, if not there.
        """
        emit, name = loops.emit, f"p{self.iterator.name}_next"
        end = emit.variable(INDEX, name, self.position)
        with emit.when(here):
            emit.store(emit.add(self.position, emit.constant(1)), end)
            before, body = emit.repeat()
            with emit.at(InsertPoint.at_end(before)):
                same = self._same_coordinate(loops, emit.load(end))
            emit.testing(before, same)
            with emit.filling(body):
                emit.store(emit.add(emit.load(end), emit.constant(1)), end)
        return emit.load(end, hint=name)

    def _same_coordinate(self, loops: LatticeLoops, position: SSAValue) -> SSAValue:
        """Whether the same coordinate stands at `position` too, without reading behind the end."""
        emit, iterator = loops.emit, self.iterator
        inside = emit.compare("slt", position, iterator.end)
        last = emit.sub(iterator.end, emit.constant(1))
        safe = emit.min(position, last)
        there = emit.insert(PosAccessOp(iterator.tensor, iterator.level, safe)).coordinate
        return emit.and_(inside, emit.compare("eq", there, self.coordinate))

    def advance(self, loops: LatticeLoops) -> None:
        """Moves on behind the coordinate, if the operand stood at it."""
        emit = loops.emit
        assert self.here is not None
        if self.end is not None:
            target = self.end
        else:
            step = emit.insert(ExtUIOp(self.here, i64)).result
            target = emit.add(self.position, emit.cast(step, INDEX))
        emit.store(target, self.variable)
