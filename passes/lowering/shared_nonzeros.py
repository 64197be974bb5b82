"""
Loops over the entries of a source that several workers share.

Where an entry goes must not depend on what other workers did before: positions that are handed out
and counters go on from what was counted of the entries before the worker's own, by the position
where it begins or by columns of counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import assembly
from tamale.dialects.cfir.storage import CountOp
from tamale.dialects.format.attribute import format_of
from tamale.dialects.format.expressions import Const, Counter, counters
from tamale.dialects.format.normal import normal_form
from tamale.passes.algebra.runs import run_depth
from tamale.passes.emit.emitter import Emitter
from tamale.passes.levels import storage_kind
from tamale.passes.levels.counting import counts_entries
from tamale.passes.levels.ranks import has_rank
from tamale.passes.lowering.columns import Columns, fewer_workers
from tamale.passes.lowering.coordinates import CounterState, counts_of, place_of
from tamale.passes.lowering.entries import EntryWalk
from tamale.passes.lowering.entry_shares import EntryShares, entry_count, find_entry_shares
from tamale.passes.lowering.fronts import Fronts
from tamale.passes.lowering.neighbours import erase_last, erase_next
from tamale.passes.lowering.nonzeros import dimension_sizes, each_entry, inline
from tamale.passes.lowering.remapping import Remapping, counts_hint, in_modes_of
from tamale.passes.lowering.shared_appends import AppendingLoop
from tamale.passes.lowering.storage import WIDTHS

NOTHING = Const(0)
"""In the place of a counter that no op in the body of a loop uses."""

IN_ORDER = (assembly.StampOp, assembly.RankOp)
"""Ops that compare an entry with all those before it that have its parent."""

IN_TURN = (assembly.FirstOp, assembly.AppendOp)
"""Ops that compare an entry with the one before it."""


@dataclass(frozen=True)
class Counted:
    """What workers counted of a level: how many children each parent gets from each of them."""

    columns: Columns
    shares: EntryShares


@dataclass
class SharedLoops:
    """The loops of one module, which hand on what they counted."""

    counted: dict[tuple[SSAValue, int], Counted] = field(
        default_factory=dict[tuple[SSAValue, int], Counted]
    )
    """Tensor and level -> what the workers that hand out its positions go on from."""
    fronts: dict[SSAValue, Fronts] = field(default_factory=dict[SSAValue, Fronts])
    """Tensor -> what the workers that append to it go on from."""

    def lower(self, emit: Emitter, op: assembly.ForNonzerosOp) -> None:
        """Makes a parallel loop of the op."""
        refuse_in_order(op)
        if any(isinstance(inner, IN_TURN) for inner in op.body.block.ops):
            AppendingLoop(emit, op, self.fronts).lower()
            Rewriter.erase_op(op)
            return
        loop = SharedLoop(emit, op, self)
        counting = [inner for inner in op.body.block.ops if type(inner) is assembly.CountEdgeOp]
        if counting:
            loop.count_edges(counting[0])
        else:
            loop.insert()
        Rewriter.erase_op(op)


def refuse_in_order(op: assembly.ForNonzerosOp) -> None:
    """Raises `PassFailedException` where the entries of a loop have to come one after the other."""
    for inner in op.body.block.ops:
        if isinstance(inner, IN_ORDER):
            raise PassFailedException(
                f"lower-assembly: workers share a loop in which '{inner.name}' compares an entry "
                "with all those before it\n  help: leave out 'partitioned into'"
            )
    source = format_of(op.source)
    if op.selection is not None or not source.levels:
        what = "a tensor without levels" if op.selection is None else "selected entries"
        raise PassFailedException(
            f"lower-assembly: workers cannot share a loop over {what}\n"
            "  help: leave out 'partitioned into'"
        )
    for level in source.levels:
        if not has_rank(storage_kind(level.kind)):
            raise PassFailedException(
                f"lower-assembly: '{level}' does not tell how many entries come before one, so no "
                "worker knows where to begin\n  help: leave out 'partitioned into'"
            )


class SharedLoop:
    """Emits one loop."""

    def __init__(self, emit: Emitter, op: assembly.ForNonzerosOp, known: SharedLoops) -> None:
        self.emit, self.op, self.known = emit, op, known
        self.source, self.target = format_of(op.source), format_of(op.target)
        self.name = op.source.name_hint or "A"
        dims = dimension_sizes(emit, op.source, self.source)
        used = [bool(coordinate.uses) for coordinate in op.coordinates]
        pairs = zip(in_modes_of(self.target, self.source), used, strict=True)
        expressions = [x if needed or not counters(x) else NOTHING for x, needed in pairs]
        numbered = counts_entries(self.source)
        self.remapping = Remapping(emit, self.source, expressions, dims, numbered=numbered)

    # Counting edges

    def count_edges(self, count: assembly.CountEdgeOp) -> None:
        """Each worker counts the children of each parent; the sums are the edges."""
        emit, k, tensor = self.emit, count.level_index, count.tensor
        if self.remapping.arrays:
            raise PassFailedException(
                f"lower-assembly: workers count the edges of level {k} below parents that are "
                "counted themselves\n  help: leave out 'partitioned into'"
            )
        buckets = self._parents(k)
        shares = self._shares(self._workers(buckets))
        width = WIDTHS[self.target.pos]
        columns = self._columns(shares, width, buckets, f"{tensor.name_hint or 'B'}{k + 1}_counts")

        with emit.workers(shares.workers, "worker") as worker:
            column = columns.column(worker)
            walk = self._walk(shares, worker)
            with each_entry(walk, self._reached(shares, walk)) as (coordinates, value):
                with emit.at(InsertPoint.before(count)):
                    columns.next(column, count.parent_pos)
                Rewriter.erase_op(count)
                self._inline(coordinates, value)

        def end(parent: SSAValue, position: SSAValue) -> None:
            emit.insert(assembly.EndEdgesOp(tensor, k, parent, position))

        emit.insert(assembly.EnlargeOp(tensor, k, columns.sum_all_before(end)))
        erase_next(self.op, assembly.FinalizeEdgesOp, count)
        self.known.counted[tensor, k] = Counted(columns, shares)

    # Inserting

    def insert(self) -> None:
        """Each worker inserts its entries."""
        emit, block = self.emit, self.op.body.block
        yields = [inner for inner in block.ops if isinstance(inner, assembly.YieldPosOp)]
        depths = {y: self._run_depth(y) for y in yields}
        counted = {y: self._counted(y) for y, depth in depths.items() if depth is None}
        shares = self._insert_shares(counted)
        counters = self._count_counters(shares)
        with emit.workers(shares.workers, "worker") as worker:
            columns = {y: known.columns.column(worker) for y, known in counted.items()}
            self._open_counters(counters, worker)
            walk = self._walk(shares, worker)
            numbers: dict[Operation, CounterState] = {}

            def reached(count: int, coordinates: list[SSAValue]) -> None:
                self._reached(shares, walk)(count, coordinates)
                for y, depth in depths.items():
                    if depth == count:
                        begun = self._begun(shares, walk, count)
                        numbers[y] = CounterState.scalar(emit, "count", begun)

            with each_entry(walk, reached) as (coordinates, value):
                for y in yields:
                    self._yield(y, counted.get(y), columns.get(y), numbers.get(y))
                self._inline(coordinates, value)
        for known in (*counters.values(), *(known.columns for known in counted.values())):
            known.release()

    def _yield(
        self,
        op: assembly.YieldPosOp,
        known: Counted | None,
        column: SSAValue | None,
        number: CounterState | None,
    ) -> None:
        """The next position of the worker below a parent."""
        emit = self.emit
        with emit.at(InsertPoint.before(op)):
            if known is not None and column is not None:
                position = known.columns.next(column, op.parent_pos)
            else:
                assert number is not None
                first = emit.insert(
                    assembly.FirstPosOp(op.tensor, op.level_index, op.parent_pos)
                ).position
                position = emit.add(first, number.next(emit))
        position.name_hint = op.position.name_hint
        erase_last(self.op, assembly.InitPosOp, op)
        erase_next(self.op, assembly.FinalizePosOp, op)
        Rewriter.replace_op(op, [], [position])

    def _counted(self, op: assembly.YieldPosOp) -> Counted:
        known = self.known.counted.pop((op.tensor, op.level_index), None)
        if known is None:
            raise PassFailedException(
                "lower-assembly: workers share a loop that hands out positions of level "
                f"{op.level_index}, but none that they share has counted them before\n"
                "  help: count its edges in a loop that is partitioned, too"
            )
        emit = self.emit
        return Counted(replace(known.columns, emit=emit), replace(known.shares, emit=emit))

    def _run_depth(self, op: assembly.YieldPosOp) -> int | None:
        """How many loops run through the parents of a level, if positions number the entries."""
        if not self.remapping.numbered or (op.tensor, op.level_index) in self.known.counted:
            return None
        unique = (self.source.properties(k).unique for k in range(len(self.source.levels)))
        levels = list(zip(self.remapping.levels, unique, strict=True))
        above = [normal_form(x) for x in self.remapping.expressions[: op.level_index]]
        return run_depth(levels, above)

    # Counters

    def _count_counters(self, shares: EntryShares) -> dict[Counter, Columns]:
        """Counters in arrays -> from which number on each worker counts."""
        emit, remapping = self.emit, self.remapping
        columns = {
            counter: self._columns(
                shares,
                remapping.element,
                counts_of(emit, remapping.extents(counter)),
                counts_hint(counter),
            )
            for counter in remapping.arrays
        }
        if not columns:
            return columns
        with emit.workers(shares.workers, "worker") as worker:
            starts = {counter: own.column(worker) for counter, own in columns.items()}
            walk = self._walk(shares, worker)
            with each_entry(walk, lambda count, coordinates: None) as (coordinates, _):
                for counter, values in remapping.counter_values(coordinates).items():
                    place = place_of(emit, remapping.extents(counter), values)
                    columns[counter].next(starts[counter], place)
        for own in columns.values():
            own.sum_before()
        return columns

    def _open_counters(self, columns: Mapping[Counter, Columns], worker: SSAValue) -> None:
        for counter, own in columns.items():
            extents = tuple(self.remapping.extents(counter))
            state = CounterState(own.memory, extents, own.column(worker))
            self.remapping.counts[counter] = state

    # Workers and what they walk

    def _parents(self, k: int) -> SSAValue:
        """How many positions there are above a level of the target."""
        if k == 0:
            return self.emit.constant(1)
        return self.emit.insert(CountOp(self.op.target, k - 1)).count

    def _workers(self, buckets: SSAValue) -> SSAValue:
        """How many workers there are, where each has so many counts."""
        entries = entry_count(self.emit, self.op.source, self.source)
        return fewer_workers(self.emit, self.op.workers, entries, buckets)

    def _insert_shares(self, counted: Mapping[assembly.YieldPosOp, Counted]) -> EntryShares:
        """Those of the workers that have counted, if any have."""
        emit, remapping = self.emit, self.remapping
        for known in counted.values():
            return known.shares
        sizes = [counts_of(emit, remapping.extents(counter)) for counter in remapping.arrays]
        if not sizes:
            return self._shares(emit.constant(self.op.workers))
        buckets = sizes[0]
        for size in sizes[1:]:
            buckets = emit.add(buckets, size)
        return self._shares(self._workers(buckets))

    def _shares(self, workers: SSAValue) -> EntryShares:
        source, most = self.op.source, self.op.workers
        return find_entry_shares(self.emit, source, self.source, self.name, most, workers)

    def _columns(
        self, shares: EntryShares, element: IntegerType, buckets: SSAValue, hint: str
    ) -> Columns:
        most, workers = self.op.workers, shares.workers
        return Columns.allocate(self.emit, element, buckets, most, workers, hint)

    def _walk(self, shares: EntryShares, worker: SSAValue) -> EntryWalk:
        share = shares.of(worker)
        return EntryWalk(self.emit, self.op.source, self.source, self.name, share)

    def _begun(self, shares: EntryShares, walk: EntryWalk, depth: int) -> SSAValue:
        assert walk.share is not None
        return shares.begun(walk.share, depth, walk.position)

    def _reached(self, shares: EntryShares, walk: EntryWalk):
        def reached(count: int, _: list[SSAValue]) -> None:
            self.remapping.reached(count, lambda: self._begun(shares, walk, count))

        return reached

    def _inline(self, coordinates: list[SSAValue], value: SSAValue) -> None:
        inline(self.emit, self.op.body.block, [*self.remapping.coordinates(coordinates), value])
