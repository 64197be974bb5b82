"""
`insert-prefetches`: cfir level functions -> the same, with prefetches.

Where a loop goes from coordinate to coordinate of one tensor and into a segment or a row of another
that each of them locates, these are anywhere in memory. They are asked for some steps ahead, so
that the loop does not wait for them; of a segment the edges first. Before / after:

    scf.for %pA2 = .. {
      %k = cfir.pos_access %A 1(%pA2)
      %pB1, %found = cfir.locate %B 0(%c0, %k)
      %begin, %end = cfir.pos_bounds %B 1(%pB1)
      scf.for %pB2 = %begin to %end { .. }
    }

    scf.for %pA2 = .. {
      %far = cfir.pos_access %A 1(min(%pA2 + 16, %last))
      %edges, %found1 = cfir.locate %B 0(%c0, %far)
      cfir.prefetch "edges" of %B 1(%edges)
      %near = cfir.pos_access %A 1(min(%pA2 + 8, %last))
      %parent, %found2 = cfir.locate %B 0(%c0, %near)
      %first, %end1 = cfir.pos_bounds %B 1(%parent)
      cfir.prefetch "entries" of %B 1(%first)
      ..
    }

A row, whose later levels are dense, is one block, known by its position. Most of it comes into the
cache at once, which costs a line of code for each line of the cache; so it is asked for only where
many rows are read that are not near those just before, and not all of them fit into the cache:

      scf.if %pays {
        %pX1, %found = cfir.locate %X 0(%c0, %near)
        cfir.prefetch "row" of %X 0(%pX1)
      }

Looking ahead goes on over the ends of segments, up to the last position that A has. Only where it
costs a few loads: the coordinate is stored, and found by arithmetic. `gathers.py` says which loops
are meant, `emit/nearness.py` when rows are near.
Source: Ainsworth and Jones, CGO 2017 (software prefetching for indirect memory accesses).
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from tamale.dialects.cfir.storage import CountOp, LocateOp, PosAccessOp, PosBoundsOp, PrefetchOp
from tamale.dialects.walking import walk_ops
from tamale.passes.emit.emitter import Emitter
from tamale.passes.emit.nearness import Rule, emit_rule
from tamale.passes.insert_prefetches.gathers import Gather, gathers

NEAR = 8
"""How many steps ahead the entries of a segment, or a row, are asked for."""
FAR = 16
"""The same of the edges, which tell where the entries are."""
SHARE = 2
"""Of so many rows, more than one must be far from those before: a row costs more than a line."""


@dataclass(frozen=True)
class Rows:
    """When rows are asked for."""

    rule: Rule
    cached: int
    """So many values are in the cache anyway."""


class Ahead:
    """Looks ahead in the loop of a gather."""

    def __init__(self, emit: Emitter, function: func.FuncOp, gather: Gather, rows: Rows) -> None:
        self.emit = emit
        self.gather = gather
        self.rows = rows
        self.before = InsertPoint.before(_outermost(gather.loop, function))
        access = gather.access
        stem = f"{access.tensor.name_hint or 'A'}{access.level_index + 1}"
        with emit.at(self.before, access):
            self.count = emit.named(self._count(access.tensor, access.level_index), f"{stem}_count")
            self.last = emit.named(emit.sub(self.count, emit.constant(1)), f"{stem}_last")

    def _count(self, tensor: SSAValue, level: int) -> SSAValue:
        return self.emit.insert(CountOp(tensor, level)).count

    def _coordinate(self, position: SSAValue) -> SSAValue:
        access = self.gather.access
        return self.emit.insert(
            PosAccessOp(access.tensor, access.level_index, position)
        ).coordinate

    def _parent(self, steps: int) -> SSAValue:
        """The position that the coordinate so many steps ahead locates."""
        emit, same = self.emit, self.gather.locate
        ahead = emit.min(emit.add(self.gather.access.position, emit.constant(steps)), self.last)
        coordinate = self._coordinate(ahead)
        located = LocateOp(same.tensor, same.level_index, same.parent_pos, coordinate)
        return emit.insert(located).position

    def ask(self) -> None:
        """Asks for what comes later, at the beginning of each step."""
        if self.gather.segment is None:
            self._ask_for_row()
        else:
            self._ask_for_segment(self.gather.segment)

    def _ask_for_segment(self, bounds: PosBoundsOp) -> None:
        emit, tensor, level = self.emit, bounds.tensor, bounds.level_index
        with emit.at(InsertPoint.before(self.gather.access), self.gather.access):
            emit.insert(PrefetchOp("edges", tensor, level, self._parent(FAR)))
            first = emit.insert(PosBoundsOp(tensor, level, self._parent(NEAR))).begin
            emit.insert(PrefetchOp("entries", tensor, level, first))

    def _ask_for_row(self) -> None:
        emit, access, to = self.emit, self.gather.access, self.gather.locate
        rule = self.rows.rule
        with emit.at(self.before, access):
            scattered = emit_rule(emit, rule, [self._coordinate], (emit.constant(0), self.count))
            values = self._count(to.tensor, len(self.gather.format.levels) - 1)
            large = emit.compare("sgt", values, emit.constant(self.rows.cached))
            pays = emit.named(emit.and_(scattered, large), "pays")
        with emit.at(InsertPoint.before(access), access), emit.when(pays):
            parent = self._parent(rule.distance)
            emit.insert(PrefetchOp("row", to.tensor, to.level_index, parent))


def _outermost(loop: scf.ForOp, function: func.FuncOp) -> Operation:
    """The op of the function's own block that a loop is in."""
    op: Operation = loop
    while (parent := op.parent_op()) is not function:
        assert parent is not None
        op = parent
    return op


@dataclass(frozen=True)
class InsertPrefetchesPass(ModulePass):
    """Asks for segments and rows that a loop will come to before it does."""

    name = "insert-prefetches"

    least: int = 1 << 16
    """For rows: from how many entries on there is something to gain."""
    samples: int = 64
    """For rows: how many entries are looked at, whether their rows are near; 0: none."""
    cached: int = 1 << 17
    """For rows: how many values stay in the cache; 1 MiB of double-precision numbers."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rows = Rows(Rule(NEAR, self.least, self.samples, SHARE), self.cached)
        for function in [f for f in walk_ops(op) if isinstance(f, func.FuncOp)]:
            if function.is_declaration:
                continue
            block = function.body.block
            emit = Emitter(InsertPoint.at_end(block), block)
            for gather in list(gathers(function)):
                Ahead(emit, function, gather, rows).ask()
