"""
A workspace that is the end of the result: slots, and the result's own arrays.

`slots[i]` is the position of the entry of i in the result, plus 1. Nothing is cleared from one use
to the next: positions only grow, so that those below where the list begins are older rows'.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from tamale.dialects.cfir.workspaces import WorkspaceOp
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.levels import storage_kind
from tamale.passes.lowering.list_sort import ListSort
from tamale.passes.lowering.scratch import Scratch
from tamale.passes.lowering.storage import WIDTHS, AppendedResult, array_element
from tamale.passes.lowering.workspaces import Array


class ResultList:
    """The entries that were appended since the list was cleared."""

    def __init__(self, emit: Emitter, op: WorkspaceOp, result: AppendedResult) -> None:
        self.emit, self.result, self.name = emit, result, op.result.name_hint or "w"
        self.last, self.group = len(result.format.levels) - 1, result.groups[-1]
        self.one = emit.constant(1)
        room = emit.max(op.size, self.one)
        position = WIDTHS[result.format.pos]
        self.slots = Array.allocate(emit, position, room, f"{self.name}_slots", moves=False)
        self.slots.fill_with_zeros(room)
        self.begin = emit.variable(INDEX, f"{self.name}_begin", emit.constant(0))
        self.sorter: ListSort | None = None
        self.scratch: Scratch | None = None
        if op.ordered is not None:
            width = array_element(result.format, self.last, "crd")
            columns = [emit.allocate(width, room, f"{self.name}_scratch")]
            values = emit.allocate(result.element, room, f"{self.name}_scratch_vals")
            self.scratch = Scratch(emit, columns, values)
            self.sorter = ListSort(self, self.name, room)

    @property
    def ordered(self) -> bool:
        return self.sorter is not None

    @property
    def values(self) -> SSAValue:
        return self.result.values_array()

    def arrays(self) -> list[SSAValue]:
        """All blocks of its own, to be freed."""
        blocks = [self.slots.block()]
        if self.scratch is not None and self.scratch.values is not None:
            blocks += [*self.scratch.columns, self.scratch.values]
        return [*blocks, *(self.sorter.arrays() if self.sorter else [])]

    # Level functions

    def clear(self) -> None:
        """Begins at the end of the result."""
        self.emit.store(self.result.position(self.group.first), self.begin)

    def find(self, coordinate: SSAValue) -> tuple[SSAValue, SSAValue, SSAValue]:
        """The position of a coordinate's entry, whether it has one, and where the search ended."""
        emit = self.emit
        position = emit.sub(self.slots.read(coordinate), self.one)
        return position, emit.compare("sge", position, emit.load(self.begin)), coordinate

    def mark(self, place: SSAValue) -> None:
        """Lets the entry that is appended next be found."""
        following = self.emit.add(self.result.position(self.group.first), self.one)
        self.slots.write(following, place)

    def sort(self) -> None:
        """The entries in the order of their coordinates."""
        assert self.sorter is not None
        assert self.scratch is not None
        self.sorter.sort(self.scratch)

    # As a list that is sorted

    def span(self) -> tuple[SSAValue, SSAValue]:
        return self.emit.load(self.begin), self.result.position(self.group.first)

    def coordinate(self, position: SSAValue) -> SSAValue:
        kind = storage_kind(self.result.format.levels[self.last].kind)
        return kind.pos_access(self.result.level(self.last), position)

    def put(self, coordinate: SSAValue, position: SSAValue) -> None:
        self.result.append_coord(self.last, position, coordinate)
