"""
The part of a partitioned kernel's loops that one worker runs: from one boundary up to another.

Only where the coordinates of the loops outside are those of a boundary does a loop begin later or
end earlier than it would.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.ir import SSAValue

from tamale.passes.emit.emitter import Emitter


@dataclass(frozen=True)
class Boundary:
    """A place in the loops: in each a coordinate, and whether the boundary lies inside of it."""

    coordinates: Sequence[SSAValue]
    inside: Sequence[SSAValue]
    """0 or 1 for each loop but the last; 0: before all of the coordinate."""


@dataclass(frozen=True)
class Edge:
    """Whether the loops stand where a span begins or ends: known, or told when the kernel runs."""

    known: bool | None
    told: SSAValue | None = None

    def choose(self, emit: Emitter, there: SSAValue, elsewhere: SSAValue) -> SSAValue:
        if self.told is None:
            return there if self.known else elsewhere
        return emit.select(self.told, there, elsewhere)

    def and_(self, emit: Emitter, condition: SSAValue) -> Edge:
        if self.told is None:
            return Edge(None, condition) if self.known else self
        return Edge(None, emit.and_(self.told, condition))


SURELY, NOWHERE = Edge(known=True), Edge(known=False)


@dataclass(frozen=True)
class Span:
    """What one worker runs, at a point of the loops."""

    worker: SSAValue
    variables: tuple[str, ...]
    begin: Boundary
    end: Boundary
    depth: int = 0
    """How many of the partition's loops are around."""
    at_begin: Edge = SURELY
    at_end: Edge = SURELY

    def cuts(self, variable: str) -> bool:
        """Whether the loop of `variable` is the next one that is cut."""
        return self.depth < len(self.variables) and self.variables[self.depth] == variable

    def first(self) -> SSAValue:
        """The first coordinate of the loop at the beginning of the span."""
        return self.begin.coordinates[self.depth]

    def limit(self, emit: Emitter) -> SSAValue:
        """What the loop's coordinates stay below at the end of the span."""
        last = self.end.coordinates[self.depth]
        if self.depth == len(self.variables) - 1:
            return last
        variable = self.variables[self.depth]
        return emit.named(emit.add(last, self.end.inside[self.depth]), f"{variable}_limit")

    def within(self, emit: Emitter, low: SSAValue, high: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The part of the coordinates [low, high) that belongs to the span."""
        begin = self.at_begin.choose(emit, self.first(), low)
        return begin, self.at_end.choose(emit, self.limit(emit), high)

    def enter(self, emit: Emitter, coordinate: SSAValue) -> Span:
        """The span inside of a coordinate of the loop."""
        inner = replace(self, depth=self.depth + 1)
        if inner.depth == len(self.variables):
            return replace(inner, at_begin=NOWHERE, at_end=NOWHERE)
        # A boundary before a coordinate lies inside of none.
        opened = emit.add(self.first(), emit.sub(self.begin.inside[self.depth], emit.constant(1)))
        begins = emit.compare("eq", coordinate, opened)
        ends = emit.compare("eq", coordinate, self.end.coordinates[self.depth])
        emit.named(begins, f"{self.variables[self.depth]}_begins")
        emit.named(ends, f"{self.variables[self.depth]}_ends")
        at_begin = self.at_begin.and_(emit, begins)
        return replace(inner, at_begin=at_begin, at_end=self.at_end.and_(emit, ends))
