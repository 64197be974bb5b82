"""
Loops over entries that append positions, which several workers share.

Entries arrive in order, so that a position is new where an entry differs from the one before. Each
worker counts what it appends, as if its first entry were new, and remembers its first and its last
entry. Where the first one has a position in common with the last one of the worker before, it is
not new after all. Sums then tell the number of each worker's first position, and it goes on from
the last entry before it as one worker alone would.

Edges are written by whoever comes to a parent first: the children of all parents before end there.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

from xdsl.dialects import memref
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import assembly
from tamale.dialects.cfir.storage import CountOp
from tamale.dialects.format.attribute import format_of
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.levels.counting import counts_entries
from tamale.passes.lowering.appending import CountEdge, lower_append, lower_first
from tamale.passes.lowering.entries import EntryWalk
from tamale.passes.lowering.entry_shares import EntryShares, find_entry_shares
from tamale.passes.lowering.fronts import Front, Fronts, PositionBefore, argument, position_before
from tamale.passes.lowering.neighbours import erase_next
from tamale.passes.lowering.nonzeros import dimension_sizes, each_entry, inline
from tamale.passes.lowering.remapping import Remapping, in_modes_of


class AppendingLoop:
    """Emits one loop."""

    def __init__(
        self, emit: Emitter, op: assembly.ForNonzerosOp, known: dict[SSAValue, Fronts]
    ) -> None:
        self.emit, self.op = emit, op
        self.source, self.fronts = format_of(op.source), known.setdefault(op.target, Fronts())
        self.name = op.source.name_hint or "A"
        ops = list(op.body.block.ops)
        self.appends = [inner for inner in ops if isinstance(inner, assembly.AppendOp)]
        self.firsts = [inner for inner in ops if isinstance(inner, assembly.FirstOp)]
        gets = [inner for inner in ops if isinstance(inner, assembly.GetPosOp)]
        compared = [c for inner in (*self.firsts, *gets) for c in inner.coordinates]
        self.compared = sorted({argument(c) for c in compared})
        dims = dimension_sizes(emit, op.source, self.source)
        expressions = in_modes_of(format_of(op.target), self.source)
        self.remapping = Remapping(emit, self.source, expressions, dims)
        if self.remapping.counters or any(isinstance(x, assembly.YieldPosOp) for x in ops):
            raise PassFailedException(
                "lower-assembly: workers share a loop that appends, and counts or hands out "
                "positions besides\n  help: leave out 'partitioned into'"
            )

    def lower(self) -> None:
        """Makes parallel loops of the op, which the caller erases."""
        shares = self._shares()
        self._find_fronts(shares)
        counting = [op for op in self.appends if op.counting is not None]
        parents = {op: position_before(op.parent_pos) for op in counting}
        known = [(op.tensor, op.level_index) for op in counting]
        for op in counting:
            erase_next(self.op, assembly.FinalizeEdgesOp, op)
        befores = list(parents.values())
        if not self._only_counts_below_root():
            self._run(shares, parents)
        for (tensor, level), before in zip(known, befores, strict=True):
            self._end_edges(tensor, level, before)

    def _shares(self) -> EntryShares:
        workers = self.emit.constant(self.op.workers)
        return find_entry_shares(
            self.emit, self.op.source, self.source, self.name, self.op.workers, workers
        )

    def _array(self, hint: str) -> SSAValue:
        """A place for each worker, and one for behind all."""
        op = memref.AllocaOp.get(INDEX, shape=[self.op.workers + 1])
        return self.emit.named(self.emit.insert(op).memref, hint)

    # Where each worker goes on

    def _find_fronts(self, shares: EntryShares) -> None:
        """Finds out what is not known yet: for positions of all entries, where these begin."""
        fronts = self.fronts
        missing: list[assembly.AppendOp] = []
        for op in self.appends:
            if op.level_index in fronts.starts:
                continue
            if op.new is None and counts_entries(self.source):
                fronts.starts[op.level_index] = shares.boundaries[-1]
            else:
                missing.append(op)
        unknown = fronts.preceding is None or not set(self.compared) <= set(fronts.last)
        if missing or unknown:
            self._count(shares, missing)

    def _count(self, shares: EntryShares, appends: Sequence[assembly.AppendOp]) -> None:
        """Each worker counts what it appends, and remembers its first and last entry."""
        emit, fronts, one = self.emit, self.fronts, self.emit.constant(1)
        stem = self.op.target.name_hint or "B"
        fronts.preceding, entered = self._array("preceding"), self._array("entered")
        for k in self.compared:
            fronts.first[k], fronts.last[k] = self._array("first"), self._array("last")
        for op in appends:
            hint = f"{stem}{op.level_index + 1}_starts"
            fronts.starts[op.level_index] = self._array(hint)
        with emit.workers(self.op.workers, "worker") as worker:
            any_entry = emit.variable(INDEX, "any", emit.constant(0))
            counts = {op: emit.variable(INDEX, "count", emit.constant(0)) for op in appends}
            begin, last = (
                {k: emit.variable(INDEX, hint, emit.constant(0)) for k in self.compared}
                for hint in ("first", "last")
            )
            with self._entries(shares, worker) as (coordinates, _):
                first = emit.compare("eq", emit.load(any_entry), emit.constant(0))
                with emit.when(first):
                    emit.store(one, any_entry)
                    for k, variable in begin.items():
                        emit.store(coordinates[k], variable)
                for op, count in counts.items():
                    with emit.when(emit.or_(first, self._differs(op, coordinates, last))):
                        emit.store(emit.add(emit.load(count), one), count)
                for k, variable in last.items():
                    emit.store(coordinates[k], variable)
            emit.store(emit.load(any_entry), entered, worker)
            for known, arrays in ((begin, fronts.first), (last, fronts.last)):
                for k, variable in known.items():
                    emit.store(emit.load(variable), arrays[k], worker)
            for op, count in counts.items():
                emit.store(emit.load(count), fronts.starts[op.level_index], worker)
        self._number(entered, appends)

    def _differs(
        self,
        op: assembly.AppendOp,
        coordinates: Sequence[SSAValue],
        last: dict[int, SSAValue],
    ) -> SSAValue:
        """Whether an entry has another position than the one before."""
        emit, compared = self.emit, _compared(op)
        if compared is None:
            return emit.true()
        differs: SSAValue | None = None
        for k in compared:
            other = emit.compare("ne", coordinates[k], emit.load(last[k]))
            differs = other if differs is None else emit.or_(differs, other)
        assert differs is not None
        return differs

    def _number(self, entered: SSAValue, appends: Sequence[assembly.AppendOp]) -> None:
        """Which worker precedes each, and how many positions are appended before it."""
        emit, fronts, workers = self.emit, self.fronts, self.emit.constant(self.op.workers)
        zero, before = emit.constant(0), emit.variable(INDEX, "before", emit.constant(-1))
        totals = {op: emit.variable(INDEX, "total", zero) for op in appends}
        assert fronts.preceding is not None
        with emit.loop(zero, workers, "worker") as worker:
            emit.store(emit.load(before), fronts.preceding, worker)
            front = Front.of(emit, fronts, worker)
            has_entries = emit.compare("ne", emit.load(entered, worker), zero)
            for op, total in totals.items():
                starts = fronts.starts[op.level_index]
                count = emit.load(starts, worker)
                emit.store(emit.load(total), starts, worker)
                shared = emit.and_(has_entries, self._shares_position(op, front))
                own = emit.sub(count, emit.select(shared, emit.constant(1), zero))
                emit.store(emit.add(emit.load(total), own), total)
            emit.store(emit.select(has_entries, worker, emit.load(before)), before)
        emit.store(emit.load(before), fronts.preceding, workers)
        for op, total in totals.items():
            emit.store(emit.load(total), fronts.starts[op.level_index], workers)

    def _shares_position(self, op: assembly.AppendOp, front: Front) -> SSAValue:
        """Whether a worker's first entry has the position of the one before."""
        emit, compared = self.emit, _compared(op)
        if compared is None:
            return emit.compare("ne", emit.constant(0), emit.constant(0))
        shared = front.follows
        for k in compared:
            first = emit.load(self.fronts.first[k], front.worker)
            shared = emit.and_(shared, emit.compare("eq", first, front.last(k)))
        return shared

    # The loop itself

    def _only_counts_below_root(self) -> bool:
        """Whether all that the loop finds out is known: how many positions there are."""
        ops = {*self.appends, *self.firsts}
        return all(inner in ops for inner in self.op.body.block.ops) and all(
            op.inserting is None and self._is_outside(op.parent_pos) for op in self.appends
        )

    def _is_outside(self, value: SSAValue) -> bool:
        """Whether a value is the same for all entries."""
        block, owner = self.op.body.block, value.owner
        return owner is not block and not (isinstance(owner, Operation) and owner.parent is block)

    def _run(
        self, shares: EntryShares, parents: Mapping[assembly.AppendOp, PositionBefore]
    ) -> None:
        emit = self.emit
        with emit.workers(self.op.workers, "worker") as worker:
            front = Front.of(emit, self.fronts, worker)

            def before(coordinate: SSAValue, nowhere: SSAValue) -> SSAValue:
                return emit.select(front.follows, front.last(argument(coordinate)), nowhere)

            reached = {op: _reached(front, parent) for op, parent in parents.items()}
            for op in self.firsts:
                lower_first(emit, op, before)
            for op in self.appends:
                lower_append(emit, op, front.start(op.level_index), self._edges(reached.get(op)))
            with self._entries(shares, worker) as (coordinates, value):
                inline(emit, self.op.body.block, [*coordinates, value])

    def _edges(self, reached: SSAValue | None) -> CountEdge:
        """What a new position does to the edges: those of all parents before its own end there."""

        def end_before(op: assembly.AppendOp, position: SSAValue) -> None:
            assert reached is not None
            self._end_up_to(op.tensor, op.level_index, reached, op.parent_pos, position)
            self.emit.store(op.parent_pos, reached)

        return end_before

    def _end_up_to(
        self,
        tensor: SSAValue,
        level: int,
        reached: SSAValue,
        parent: SSAValue,
        end: SSAValue,
    ) -> None:
        """Ends the edges of the parents from the one that was reached up to another's."""
        emit = self.emit
        with emit.loop(emit.load(reached), parent, "p") as p:
            emit.insert(assembly.EndEdgesOp(tensor, level, p, end))

    def _end_edges(self, tensor: SSAValue, level: int, before: PositionBefore) -> None:
        """Ends the edges of the last parents."""
        emit, workers = self.emit, self.emit.constant(self.op.workers)
        parents = emit.constant(1)
        if level:
            parents = emit.insert(CountOp(tensor, level - 1)).count
        reached = _reached(Front.of(emit, self.fronts, workers), before)
        total = emit.load(self.fronts.starts[level], workers)
        self._end_up_to(tensor, level, reached, parents, total)
        emit.insert(assembly.EnlargeOp(tensor, level, total))

    @contextmanager
    def _entries(
        self, shares: EntryShares, worker: SSAValue
    ) -> Generator[tuple[Sequence[SSAValue], SSAValue]]:
        """A loop over a worker's entries: the coordinates of the target's levels, and the value."""
        share = shares.of(worker)
        walk = EntryWalk(self.emit, self.op.source, self.source, self.name, share)
        with each_entry(walk, lambda count, coordinates: None) as (coordinates, value):
            yield self.remapping.coordinates(coordinates), value


def _compared(op: assembly.AppendOp) -> list[int] | None:
    """The levels whose coordinates tell whether an entry is appended; None: it always is."""
    if op.new is None:
        return None
    if not isinstance(op.new.owner, assembly.FirstOp):
        raise PassFailedException(
            "lower-assembly: workers share a loop that appends entries which are no first ones\n"
            "  help: leave out 'partitioned into'"
        )
    return list(map(argument, op.new.owner.coordinates))


def _reached(front: Front, parent: PositionBefore) -> SSAValue:
    """In memory, the parent that the entry before a worker's first one has, or the first one."""
    emit = front.emit
    reached = emit.variable(INDEX, "reached", emit.constant(0))
    with emit.when(front.follows):
        emit.store(parent(front), reached)
    return reached
