"""Where operands stand in an iteration of a merge: their coordinates, and how they move on."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.iterators import Iterator
from tamale.passes.lowering.scope import Place


@dataclass(frozen=True)
class Stand:
    """Where one operand stands."""

    iterator: Iterator
    variable: SSAValue
    """The mutable cursor."""
    cursor: SSAValue
    coordinate: SSAValue

    @staticmethod
    def of(emit: Emitter, iterator: Iterator, variable: SSAValue, index: str) -> Stand:
        cursor = emit.load(variable, hint=iterator.cursor)
        hint = f"{index}{iterator.leaf.access}"
        return Stand(iterator, variable, cursor, iterator.coordinate(emit, cursor, hint))

    def meet(self, emit: Emitter, coordinate: SSAValue) -> Meeting:
        """Is the operand at the coordinate, and if it may repeat it, up to where?"""
        at = emit.compare("eq", self.coordinate, coordinate)
        at.name_hint = f"at_{self.iterator.leaf.access}"
        if not self.iterator.unique:
            return Meeting(self, at, at, Place(self.cursor, self._segment_end(emit, at)))
        arrival = self.iterator.arrive(emit, self.cursor, self.coordinate)
        here = at if arrival.found is None else emit.and_(at, arrival.found)
        return Meeting(self, at, here, arrival.place)

    def _segment_end(self, emit: Emitter, here: SSAValue) -> SSAValue:
        """The first position behind the entries at the coordinate; this one, if not there."""
        name = f"p{self.iterator.name}_next"
        end = emit.variable(INDEX, name, self.cursor)
        with emit.when(here):
            emit.store(emit.add(self.cursor, emit.constant(1)), end)
            before, body = emit.repeat()
            with emit.at(InsertPoint.at_end(before)):
                same = self._same_coordinate(emit, emit.load(end))
            emit.testing(before, same)
            with emit.filling(body):
                emit.store(emit.add(emit.load(end), emit.constant(1)), end)
        return emit.load(end, hint=name)

    def _same_coordinate(self, emit: Emitter, position: SSAValue) -> SSAValue:
        """Whether the same coordinate stands at `position` too, without reading behind the end."""
        iterator = self.iterator
        inside = emit.compare("slt", position, iterator.end)
        safe = emit.min(position, emit.sub(iterator.end, emit.constant(1)))
        there = iterator.coordinate(emit, safe, "")
        return emit.and_(inside, emit.compare("eq", there, self.coordinate))


@dataclass(frozen=True)
class Meeting:
    """An operand and the coordinate of an iteration."""

    stand: Stand
    at: SSAValue
    """Whether the operand stands at the coordinate."""
    here: SSAValue
    """Whether the operand has an entry at the coordinate."""
    place: Place
    """Where, if so."""

    @property
    def tells_advance(self) -> bool:
        """Whether the operand moves on just where it has an entry."""
        return self.here is self.at

    def advance(self, emit: Emitter, *, surely: bool = False) -> None:
        """Moves on behind the coordinate, if the operand stood at it; `surely`: it did."""
        target = self.place.end
        if target is None and surely:
            target = emit.add(self.stand.cursor, emit.constant(1))
        elif target is None:
            step = emit.cast(self.at, i64)
            target = emit.add(self.stand.cursor, emit.cast(step, INDEX))
        emit.store(target, self.stand.variable)

